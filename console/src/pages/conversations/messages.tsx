/** The messages of a conversation, with the days and the gaps between them. */

import { useMemo } from 'preact/hooks';
import type { Message } from '../../../../clients/typescript/src/index.ts';
import { href } from '../../router.ts';
import { Facts } from '../../shared/basics.tsx';
import { LongText, Name } from '../../shared/text.tsx';
import { duration } from '../../shared/time.tsx';
import { Citations } from './citations.tsx';
import { metadataFacts } from './facts.tsx';
import { Jump, messageAt, scoreAt } from './jump.tsx';

const clock = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const day = new Intl.DateTimeFormat('en', { dateStyle: 'full' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });

/** A shorter silence is part of a conversation. */
const leastGapSeconds = 60;

type Props = {
  project: string;
  conversation: string;
  messages: readonly Message[];
  /** The name of the avatar, if it is loaded. */
  avatar: string | undefined;
  /** The message that the address leads to. */
  target: number | undefined;
  /** The names of the scores whose evidence a message is, by its number. */
  marks: ReadonlyMap<number, readonly string[]>;
  /** The numbers of the messages that are chosen as evidence; undefined while nobody chooses. */
  evidence: readonly number[] | undefined;
  onChoose: (seq: number) => void;
};

const noMarks: readonly string[] = [];

export const Messages = ({ messages, target, marks, evidence, ...rest }: Props) => (
  <ol class="messages" aria-label="Messages">
    {messages.map((message, at) => (
      <MessageItem
        key={message.seq}
        message={message}
        before={messages[at - 1]}
        isTarget={message.seq === target}
        marks={marks.get(message.seq) ?? noMarks}
        isChosen={evidence?.includes(message.seq)}
        {...rest}
      />
    ))}
  </ol>
);

type ItemProps = Pick<Props, 'project' | 'conversation' | 'avatar' | 'onChoose'> & {
  message: Message;
  before: Message | undefined;
  isTarget: boolean;
  marks: readonly string[];
  isChosen: boolean | undefined;
};

/** A message is drawn again only when it changes: a long transcript has thousands of messages. */
function MessageItem(props: ItemProps) {
  const { project, conversation, message, before, avatar, isTarget, marks, isChosen, onChoose } = props;
  return useMemo(() => {
    const { seq, role, text, at, citations, metadata } = message;
    const ms = Date.parse(at);
    return (
      <>
        <Pause message={message} before={before} />
        <li
          id={messageAt(seq)}
          class={`message ${role}${isTarget ? ' target' : ''}`}
          tabIndex={-1}
          aria-current={isTarget ? 'location' : undefined}
        >
          <div class="message-head">
            <strong>{nameOf(role, avatar)}</strong>
            <time dateTime={at} title={`${exact.format(ms)} (${at})`}>
              {clock.format(ms)}
            </time>
            <a
              class="quiet"
              href={href(`/projects/${project}/conversations/${conversation}`, { message: seq })}
              aria-label={`Link to message ${seq}`}
            >
              #{seq}
            </a>
            {isChosen !== undefined && (
              <label class="choose">
                <input type="checkbox" checked={isChosen} onChange={() => onChoose(seq)} />
                Message {seq} is evidence
              </label>
            )}
          </div>
          <LongText value={text} />
          {citations.length > 0 && <Citations project={project} citations={citations} />}
          <Metadata metadata={metadata} />
          {marks.length > 0 && (
            <ul class="marks" aria-label={`Scores that point to message ${seq}`}>
              {marks.map((name) => (
                <li key={name}>
                  <Jump
                    to={href(`/projects/${project}/conversations/${conversation}`, { score: name })}
                    id={scoreAt(name)}
                    label={`Score ${name}`}
                  >
                    <bdi>{name}</bdi>
                  </Jump>
                </li>
              ))}
            </ul>
          )}
        </li>
      </>
    );
  }, [message, before, avatar, isTarget, marks, isChosen]);
}

const roles: Readonly<Record<string, string>> = { user: 'User', system: 'System', tool: 'Tool' };

const nameOf = (role: string, avatar: string | undefined) =>
  role === 'avatar' ? avatar === undefined ? 'Avatar' : <Name value={avatar} /> : (roles[role] ?? role);

/** The gap between two messages: another day, or a silence. */
function Pause({ message, before }: { message: Message; before: Message | undefined }) {
  const ms = Date.parse(message.at);
  const beforeMs = before ? Date.parse(before.at) : undefined;
  const isNewDay = beforeMs === undefined || day.format(ms) !== day.format(beforeMs);
  const gap = beforeMs === undefined ? 0 : (ms - beforeMs) / 1000;
  if (!isNewDay && Math.abs(gap) < leastGapSeconds) return null;
  const texts = [
    isNewDay ? day.format(ms) : '',
    gap >= leastGapSeconds ? `${duration(gap)} later` : '',
    gap <= -leastGapSeconds ? `${duration(-gap)} earlier` : '',
  ];
  return <li class="pause">{texts.filter(Boolean).join(' · ')}</li>;
}

const Metadata = ({ metadata }: Pick<Message, 'metadata'>) =>
  Object.keys(metadata).length === 0 ? null : (
    <details>
      <summary>Metadata</summary>
      <Facts facts={metadataFacts(metadata)} />
    </details>
  );
