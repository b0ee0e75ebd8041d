/** The page of a conversation. */

import { useEffect, useState } from 'preact/hooks';
import type { Conversation, ErasedConversation } from '../../../../clients/typescript/src/index.ts';
import { useCommands } from '../../palette-commands.ts';
import { useLoad } from '../../request/use-load.ts';
import { query, returnHref, setQuery } from '../../router.ts';
import type { PageParams } from '../../router-path.ts';
import { can, mayChange, platform } from '../../session/session.ts';
import { Head, Loading, useTitle } from '../../shared/basics.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Name } from '../../shared/text.tsx';
import { EraseConversation, ErasureNotice } from './erase-conversation.tsx';
import { ConversationFacts } from './facts.tsx';
import { focusOn, GoTo, messageAt } from './jump.tsx';
import { Messages } from './messages.tsx';
import { avatarName, useAvatars } from './names.tsx';
import { Scores } from './scores.tsx';
import { useScores } from './use-scores.ts';
import { endId, scrollToEnd, useLiveScroll, useTranscript } from './use-transcript.ts';

/** An active conversation opens with so many of its latest messages. */
const latestCount = 50;

export default function TranscriptPage({
  params: { project = '', conversation = '' },
}: {
  params: PageParams;
}) {
  useAvatars(project);
  const [erasure, setErasure] = useState<ErasedConversation | undefined>(undefined);
  const { data, error, reload } = useLoad(
    (signal) => platform().projects(project).conversations.get(conversation, { signal }),
    [project, conversation],
  );
  if (erasure) return <ErasureNotice project={project} erasure={erasure} />;
  return (
    <>
      <p class="crumbs">
        <a href={returnHref(`/projects/${project}/conversations`)}>Conversations</a>
      </p>
      {data ? (
        <Transcript project={project} value={data} onChange={reload} onErased={setErasure} />
      ) : (
        !error && <Loading />
      )}
      <Problem error={error} onRepeat={reload} />
    </>
  );
}

type TranscriptProps = {
  project: string;
  value: Conversation;
  /** It is called when the conversation may have changed. */
  onChange: () => void;
  onErased: (erasure: ErasedConversation) => void;
};

function Transcript({ project, value, onChange, onErased }: TranscriptProps) {
  const title = value.externalUserId ?? value.externalId ?? 'Conversation';
  useTitle(title.slice(0, 60));
  const [isErasing, setIsErasing] = useState(false);
  const [wantsFollow, setWantsFollow] = useState(true);
  const [isSettled, setIsSettled] = useState(false);
  const isActive = value.status === 'active';
  const seq = Number(query.value.get('message')) || undefined;
  const view = useTranscript({
    project,
    conversation: value.id,
    seq,
    afterSeq: isActive ? Math.max(0, value.messageCount - latestCount) : 0,
    wantsFollow: wantsFollow && isActive,
    onEnd: onChange,
  });
  const scores = useScores(project, value);
  const first = view.messages[0];
  const last = view.messages.at(-1);
  const { unseenCount, arrivedCount } = useLiveScroll(last?.seq ?? 0, view.isFollowing && isSettled);
  const isTargetShown = view.messages.some((message) => message.seq === seq);
  // The first messages are no news, and the page moves to the message that the link leads to.
  useEffect(() => {
    if (view.messages.length === 0) return;
    setIsSettled(true);
    if (isTargetShown && seq !== undefined) focusOn(messageAt(seq));
  }, [seq, isTargetShown, view.messages.length > 0]);
  useCommands([
    { label: 'Go to the first message', run: () => setQuery({ message: 1 }) },
    { label: 'Go to the last message', run: () => setQuery({ message: last ? value.messageCount : 1 }) },
    ...(mayChange('conversations:write')
      ? [{ label: 'Give a score', run: () => scores.open(undefined) }]
      : []),
    ...(can('conversations:write')
      ? [{ label: 'Erase this conversation', run: () => setIsErasing(true) }]
      : []),
  ]);
  return (
    <>
      <Head title={<Name value={title} />}>
        {isActive && (
          <button type="button" aria-pressed={wantsFollow} onClick={() => setWantsFollow(!wantsFollow)}>
            {view.isFollowing && <span class="live-dot" />} Follow live
          </button>
        )}
        <GoTo count={Math.max(value.messageCount, last?.seq ?? 0)} />
        {can('conversations:write') && (
          <button type="button" class="danger" onClick={() => setIsErasing(true)}>
            Erase
          </button>
        )}
      </Head>
      <ConversationFacts project={project} value={value} />
      <div class="transcript">
        <div class="spoken">
          {first && first.seq > 1 && (
            <p class="row">
              <button type="button" onClick={view.loadEarlier} disabled={view.isLoading}>
                Show earlier messages
              </button>
              <span class="quiet">{(first.seq - 1).toLocaleString('en')} earlier</span>
            </p>
          )}
          <Messages
            project={project}
            conversation={value.id}
            messages={view.messages}
            avatar={avatarName(value.avatarId)}
            target={seq}
            marks={scores.marks}
            evidence={scores.draft?.evidence}
            onChoose={scores.choose}
          />
          <p class="sr-only" role="status">
            {arrivedCount > 0 && `${arrivedCount} new messages`}
          </p>
          {view.messages.length === 0 && !view.isLoading && view.error === undefined && (
            <p class="quiet">There is no message {seq === undefined ? 'yet' : `after ${seq - 1}`}.</p>
          )}
          <Problem error={view.error} onRepeat={view.repeat} />
          {view.isLoading && <Loading />}
          {!view.isAtEnd && !view.isLoading && view.error === undefined && (
            <button type="button" onClick={view.loadMore}>
              Show more messages
            </button>
          )}
          {view.isFollowing && <p class="quiet">New messages appear here.</p>}
          {unseenCount > 0 && (
            <button type="button" class="primary new-messages" onClick={scrollToEnd}>
              {unseenCount} new {unseenCount === 1 ? 'message' : 'messages'} ↓
            </button>
          )}
          <div id={endId} />
        </div>
        <Scores project={project} conversation={value} scores={scores} />
      </div>
      {isErasing && (
        <EraseConversation
          project={project}
          conversation={value}
          onClose={() => setIsErasing(false)}
          onErased={onErased}
        />
      )}
    </>
  );
}
