/** The rows of the list, and of the search. */

import type { Conversation, MessageHit } from '../../../../clients/typescript/src/index.ts';
import { href } from '../../router.ts';
import { Badge } from '../../shared/basics.tsx';
import { ScoreChip } from '../../shared/score.tsx';
import { Marked, Name } from '../../shared/text.tsx';
import { duration, Time } from '../../shared/time.tsx';
import { AvatarName } from './names.tsx';
import { endsBadly, isUnanswered } from './ranking.ts';

const maxTags = 3;
/** So many scores fit on one line of a wide screen. */
const maxScores = 6;

export const ConversationRow = ({ project, value }: { project: string; value: Conversation }) => (
  <div class="conversation-row">
    <span class="who">
      <a href={href(`/projects/${project}/conversations/${value.id}`)}>
        <Name value={value.externalUserId ?? value.externalId ?? 'Without a user'} />
      </a>
      {value.tags.slice(0, maxTags).map((tag) => (
        <span key={tag} class="tag">
          <Name value={tag} />
        </span>
      ))}
      {value.tags.length > maxTags && <span class="quiet">+{value.tags.length - maxTags}</span>}
      {value.test && <Badge value="test" tone="quiet" />}
      {isUnanswered(value) && <Badge value="no answer" tone="busy" />}
    </span>
    <span class="what">
      <AvatarName id={value.avatarId} />
      {value.channel && (
        <span class="quiet">
          {' '}
          on <Name value={value.channel} />
        </span>
      )}
    </span>
    <span class="size quiet">
      {value.messageCount.toLocaleString('en')} {value.messageCount === 1 ? 'message' : 'messages'}
      {value.durationSeconds > 0 && `, ${duration(value.durationSeconds)}`}
    </span>
    <span class="state">
      <Badge
        value={value.status === 'active' ? 'active' : (value.endReason ?? 'ended')}
        tone={value.status === 'active' ? 'good' : endsBadly(value) ? 'bad' : 'quiet'}
      />
    </span>
    <Time at={value.startedAt} />
    {value.scores.length > 0 && (
      <span class="scores">
        {value.scores.slice(0, maxScores).map((score) => (
          <ScoreChip key={score.name} score={score} />
        ))}
        {value.scores.length > maxScores && (
          <span class="quiet">+{value.scores.length - maxScores} scores</span>
        )}
      </span>
    )}
  </div>
);

export const HitRow = ({ project, hit }: { project: string; hit: MessageHit }) => (
  <div class="hit-row">
    <span class="row">
      <a
        href={href(`/projects/${project}/conversations/${hit.conversationId}`, {
          message: hit.seq,
        })}
      >
        Message {hit.seq}
      </a>
      <Badge value={hit.role} tone="quiet" />
      <Time at={hit.at} />
      <span class="quiet">conversation …{hit.conversationId.slice(-6)}</span>
    </span>
    <Marked text={hit.snippet} spans={hit.matches} />
  </div>
);
