/** A conversation, as people read it. */

import { useEffect, useState } from 'preact/hooks';
import type { Conversation, ErasedConversation } from '../../../../clients/typescript/src/index.ts';
import { useCommands } from '../../palette.tsx';
import { Head, Loading, useTitle } from '../../parts/basics.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Name } from '../../parts/text.tsx';
import { useLoad } from '../../request/use-load.ts';
import { query, returnHref, setQuery } from '../../router.ts';
import { mayChange } from '../../session/project-state.ts';
import { can, platform } from '../../session/session.ts';
import type { PageParams } from '../registry.ts';
import { EraseConversation, Erased } from './erase-conversation.tsx';
import { ConversationFacts } from './facts.tsx';
import { GoTo } from './go-to.tsx';
import { focusOn, messageAt } from './jump.tsx';
import { Messages } from './messages.tsx';
import { avatarName, useAvatars } from './names.tsx';
import { Scores } from './scores.tsx';
import { endId, scrollToEnd, useLiveScroll } from './use-live-scroll.ts';
import { useScores } from './use-scores.ts';
import { useTranscript } from './use-transcript.ts';

/** An active conversation opens at its latest messages. */
const shownOfActive = 50;

export default function TranscriptPage({
  params: { project = '', conversation = '' },
}: {
  params: PageParams;
}) {
  useAvatars(project);
  const [erased, setErased] = useState<ErasedConversation | undefined>(undefined);
  const { data, error, reload } = useLoad(
    (signal) => platform().projects(project).conversations.get(conversation, { signal }),
    [project, conversation],
  );
  if (erased) return <Erased project={project} erased={erased} />;
  return (
    <>
      <p class="crumbs">
        <a href={returnHref(`/projects/${project}/conversations`)}>Conversations</a>
      </p>
      {data ? (
        <Opened project={project} value={data} onChange={reload} onErased={setErased} />
      ) : (
        !error && <Loading />
      )}
      <Problem error={error} onRepeat={reload} />
    </>
  );
}

type OpenedProps = {
  project: string;
  value: Conversation;
  /** Is called when the conversation may have changed. */
  onChange: () => void;
  onErased: (erased: ErasedConversation) => void;
};

function Opened({ project, value, onChange, onErased }: OpenedProps) {
  const title = value.externalUserId ?? value.externalId ?? 'Conversation';
  useTitle(title.slice(0, 60));
  const [isErasing, setIsErasing] = useState(false);
  const [wantsFollow, setWantsFollow] = useState(true);
  const [isSettled, setIsSettled] = useState(false);
  const isActive = value.status === 'active';
  const seq = Number(query.value.get('message')) || undefined;
  const shown = useTranscript({
    project,
    conversation: value.id,
    seq,
    afterSeq: isActive ? Math.max(0, value.messageCount - shownOfActive) : 0,
    wantsFollow: wantsFollow && isActive,
    onEnd: onChange,
  });
  const scores = useScores(project, value);
  const first = shown.messages[0];
  const last = shown.messages.at(-1);
  const { unseen, arrived } = useLiveScroll(last?.seq ?? 0, shown.isFollowing && isSettled);
  const isTargetShown = shown.messages.some((message) => message.seq === seq);
  // The first messages are no news, and the page moves to the one that the link leads to.
  useEffect(() => {
    if (shown.messages.length === 0) return;
    setIsSettled(true);
    if (isTargetShown && seq !== undefined) focusOn(messageAt(seq));
  }, [seq, isTargetShown, shown.messages.length > 0]);
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
            {shown.isFollowing && <span class="live-dot" />} Follow live
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
              <button type="button" onClick={shown.earlier} disabled={shown.isLoading}>
                Show earlier messages
              </button>
              <span class="quiet">{(first.seq - 1).toLocaleString('en')} earlier</span>
            </p>
          )}
          <Messages
            project={project}
            conversation={value.id}
            messages={shown.messages}
            avatar={avatarName(value.avatarId)}
            target={seq}
            marks={scores.marks}
            chosen={scores.draft?.evidence}
            onChoose={scores.choose}
          />
          <p class="sr-only" role="status">
            {arrived > 0 && `${arrived} new messages`}
          </p>
          {shown.messages.length === 0 && !shown.isLoading && shown.error === undefined && (
            <p class="quiet">There is no message {seq === undefined ? 'yet' : `after ${seq - 1}`}.</p>
          )}
          <Problem error={shown.error} onRepeat={shown.repeat} />
          {shown.isLoading && <Loading />}
          {!shown.isAtEnd && !shown.isLoading && shown.error === undefined && (
            <button type="button" onClick={shown.more}>
              Show more messages
            </button>
          )}
          {shown.isFollowing && <p class="quiet">New messages appear here.</p>}
          {unseen > 0 && (
            <button type="button" class="primary new-messages" onClick={scrollToEnd}>
              {unseen} new {unseen === 1 ? 'message' : 'messages'} ↓
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
