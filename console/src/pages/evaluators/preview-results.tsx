/** The conversations of a preview with their scores, which are not stored. */

import type { PreviewedConversation } from '../../../../clients/typescript/src/index.ts';
import { href } from '../../router.ts';
import { ScoreValue } from '../../shared/score.tsx';
import { LongText } from '../../shared/text.tsx';

type Props = { project: string; preview: readonly PreviewedConversation[] | null };

export function PreviewResults({ project, preview }: Props) {
  if (preview === null) return <p class="quiet">The results are deleted: they are kept for an hour.</p>;
  if (preview.length === 0) return <p class="quiet">No conversation was evaluated.</p>;
  return (
    <ol class="pieces" aria-label="Results of the preview">
      {preview.map(({ conversationId, scores }) => (
        <li key={conversationId}>
          <a href={href(`/projects/${project}/conversations/${conversationId}`)}>
            Conversation …{conversationId.slice(-6)}
          </a>
          {scores.length === 0 && <p class="quiet">The model did not answer.</p>}
          {scores.map(({ name, value, reason, rationale, evidence }, at) => (
            <div key={name ?? at} class="fact">
              <div class="row">
                {name !== null && (
                  <span class="quiet">
                    <bdi>{name}</bdi>
                  </span>
                )}
                <ScoreValue value={value} reason={reason} />
              </div>
              {rationale && (
                <p>
                  <LongText value={rationale} />
                </p>
              )}
              {evidence.length > 0 && (
                <p class="row">
                  <span class="quiet">Evidence:</span>
                  {evidence.map((seq) => (
                    <a
                      key={seq}
                      href={href(`/projects/${project}/conversations/${conversationId}`, { message: seq })}
                      aria-label={`Message ${seq}`}
                    >
                      #{seq}
                    </a>
                  ))}
                </p>
              )}
            </div>
          ))}
        </li>
      ))}
    </ol>
  );
}
