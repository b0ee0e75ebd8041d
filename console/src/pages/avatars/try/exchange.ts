/** A question and its answer, and what readers see of both. */

import {
  ApiError,
  type MessageInput,
  type Reply,
  type ReplyRequest,
} from '../../../../../clients/typescript/src/index.ts';
import { countText, numberText } from '../../../shared/amounts.ts';
import { usd } from '../../../shared/score.tsx';

export type Exchange = {
  question: string;
  /** The request for the reply. It is sent again with the same key, so that it takes effect once. */
  body: ReplyRequest;
  key: string;
  /** The reply as it was last read; undefined until the service has accepted the request. */
  reply: Reply | undefined;
  /** The text of the answer so far. */
  text: string;
  /** Why the last request failed. */
  error: unknown;
};

export const isOpen = ({ status }: Pick<Reply, 'status'>): boolean =>
  status === 'queued' || status === 'running';

/** Whether a request is under way, or the answer. */
export const isBusy = ({ reply, error }: Exchange): boolean =>
  error === undefined && (reply === undefined || isOpen(reply));

export const canRetry = ({ reply }: Exchange): boolean =>
  reply !== undefined && ['failed', 'cancelled', 'unknown'].includes(reply.status);

/** @returns the messages of the conversation, for a conversation with the same history */
export const historyOf = (exchanges: readonly Exchange[]): MessageInput[] =>
  exchanges.flatMap(({ question, reply, text }): MessageInput[] => {
    // A request that was refused has stored no message.
    if (!reply) return [];
    const asked = { role: 'user' as const, text: question };
    return reply.status === 'done' ? [asked, { role: 'avatar' as const, text }] : [asked];
  });

const seconds = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);

const modes: Readonly<Record<string, string>> = { hybrid: 'words and meaning', lexical: 'words only' };

/** @returns the model, the cost, the times and the search; only what is known */
export function factsOf(reply: Reply): (readonly [string, string])[] {
  const { model, costUsd, firstTextMs, totalMs, inputTokens, outputTokens, mode, avatarVersion } = reply;
  const facts: (readonly [string, string | null])[] = [
    ['Model', model],
    ['Avatar', avatarVersion === null ? null : `version ${avatarVersion}`],
    ['Cost', costUsd === null ? null : usd(costUsd)],
    [
      'Tokens',
      inputTokens === null || outputTokens === null
        ? null
        : `${numberText(inputTokens)} in, ${numberText(outputTokens)} out`,
    ],
    ['First text', firstTextMs === null ? null : seconds(firstTextMs)],
    ['Total', totalMs === null ? null : seconds(totalMs)],
    ['Search', isOpen(reply) ? null : mode === null ? 'no knowledge' : (modes[mode] ?? mode)],
  ];
  return facts.flatMap(([name, text]) => (text === null ? [] : [[name, text] as const]));
}

/** @returns what a reader has to know of an answer, beside its text */
export const notesOf = ({ finishReason, removedMarkers, leftOutMessages }: Reply): string[] => [
  ...(finishReason === 'length' ? ['The answer was cut off at the limit of its tokens.'] : []),
  ...(removedMarkers > 0
    ? [`The model cited ${countText(removedMarkers, 'number')} that no passage has. They were removed.`]
    : []),
  ...(leftOutMessages > 0
    ? [`${countText(leftOutMessages, 'earlier message')} had no room in the request.`]
    : []),
];

/** @returns the code of a refused request, or of a reply without an answer */
export const codeOf = ({ error, reply }: Pick<Exchange, 'error' | 'reply'>): string | undefined =>
  error instanceof ApiError ? error.code : reply?.failure?.code;
