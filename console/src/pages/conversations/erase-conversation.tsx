/** The erasure of a single conversation. */

import { useEffect, useState } from 'preact/hooks';
import type { Conversation, ErasedConversation } from '../../../../clients/typescript/src/index.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Name } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { useAction } from '../../request/use-action.ts';
import { href } from '../../router.ts';
import { platform } from '../../session/session.ts';

type Props = {
  project: string;
  conversation: Conversation;
  onClose: () => void;
  onErased: (erased: ErasedConversation) => void;
};

export function EraseConversation({ project, conversation, onClose, onErased }: Props) {
  // DELETE needs no Idempotency-Key: an erased conversation returns the same.
  const erase = useAction((_: null) => platform().projects(project).conversations.delete(conversation.id));
  const finish = (erased: ErasedConversation | undefined) => {
    if (!erased) return;
    onClose();
    onErased(erased);
  };
  return (
    <Confirm
      title="Erase this conversation"
      action="Erase forever"
      phrase={conversation.id.slice(-6)}
      phraseHint="The last six characters of the id of the conversation."
      isPending={erase.isPending}
      error={erase.error}
      onConfirm={async () => finish(await erase.run(null))}
      onRepeat={async () => finish(await erase.repeat())}
      onClose={onClose}
    >
      <p>
        The conversation of{' '}
        <strong>
          <Name value={conversation.externalUserId} none="an unknown user" />
        </strong>
        , started on <Time at={conversation.startedAt} isExact />, and its {conversation.messageCount}{' '}
        messages are erased, also from the search and from exports.{' '}
        <strong>Nobody can bring them back.</strong>
      </p>
    </Confirm>
  );
}

const pauseMs = 2000;
/** Then a reader does not wait any longer: the removal goes on. */
const maxLooks = 30;

/** What the page shows instead of an erased conversation. */
export function Erased({ project, erased }: { project: string; erased: ErasedConversation }) {
  const [state, setState] = useState(erased);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const look = async () => {
      for (let count = 0; count < maxLooks && !signal.aborted; count += 1) {
        await new Promise((done) => setTimeout(done, pauseMs));
        const now = await platform()
          .projects(project)
          .conversations.delete(erased.id, { signal })
          .catch(() => undefined);
        if (signal.aborted) return;
        if (now) setState(now);
        if (now?.purgedAt) return;
      }
    };
    void look();
    return () => controller.abort();
  }, [erased.id]);
  return (
    <div class="empty" role="status">
      <strong>This conversation is erased</strong>
      <p>
        {state.purgedAt ? (
          <>
            Its data was removed from the storage <Time at={state.purgedAt} />.
          </>
        ) : (
          'Nobody can read it any more. Its data is being removed from the storage …'
        )}
      </p>
      <a href={href(`/projects/${project}/conversations`)}>Open the list</a>
    </div>
  );
}
