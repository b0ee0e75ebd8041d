/** The erasure of a single conversation. */

import { useEffect, useState } from 'preact/hooks';
import type { Conversation, ErasedConversation } from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { href } from '../../router.ts';
import { platform } from '../../session/session.ts';
import { Confirm } from '../../shared/dialog.tsx';
import { Name } from '../../shared/text.tsx';
import { Time } from '../../shared/time.tsx';

type Props = {
  project: string;
  conversation: Conversation;
  onClose: () => void;
  onErased: (erasure: ErasedConversation) => void;
};

export function EraseConversation({ project, conversation, onClose, onErased }: Props) {
  // DELETE needs no Idempotency-Key: for an erased conversation, it returns the same response.
  const erase = useAction((_: null) => platform().projects(project).conversations.delete(conversation.id));
  const finish = (erasure: ErasedConversation | undefined) => {
    if (!erasure) return;
    onClose();
    onErased(erasure);
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
/** After so many looks, the page no longer waits for the removal, which goes on. */
const maxLooks = 30;

/** The notice in place of an erased conversation. */
export function ErasureNotice({ project, erasure }: { project: string; erasure: ErasedConversation }) {
  const [state, setState] = useState(erasure);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const look = async () => {
      for (let count = 0; count < maxLooks && !signal.aborted; count += 1) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        const nextState = await platform()
          .projects(project)
          .conversations.delete(erasure.id, { signal })
          .catch(() => undefined);
        if (signal.aborted) return;
        if (nextState) setState(nextState);
        if (nextState?.purgedAt) return;
      }
    };
    void look();
    return () => controller.abort();
  }, [erasure.id]);
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
