/** A turn: what was said, as it is sent. */

import type { CitationInput, MessageInput, SearchHit } from '../generated/types.ts';

/** A message of a turn. `citations` may be hits of a search. */
export type TurnMessage = Omit<MessageInput, 'citations'> & {
  citations?: readonly (CitationInput | SearchHit)[] | undefined;
};

const maxMessages = 25;
const maxTextBytes = 16 * 1024;
const maxCitations = 20;
/** A request has at most 256 KB. */
export const maxTurnBytes = 200_000;

const encoder = new TextEncoder();

/** @returns the bytes of UTF-8 that the messages have as JSON */
export const bytesOf = (messages: readonly MessageInput[]): number =>
  encoder.encode(JSON.stringify(messages)).length;

/**
 * The service would refuse a wrong message each time. A buffered turn cannot be corrected any more, so the limits are checked first.
 * @param now the time of messages that have none
 * @throws TypeError for messages that the service would refuse
 */
export function turnOf(messages: readonly TurnMessage[], now: string): MessageInput[] {
  if (messages.length === 0 || messages.length > maxMessages)
    throw new TypeError(`A turn has 1 to ${maxMessages} messages. This one has ${messages.length}.`);
  const turn = messages.map((message, index): MessageInput => {
    const { text, citations = [], at, ...rest } = message;
    const where = `The message ${index + 1} of the turn`;
    if (typeof text !== 'string' || text === '') throw new TypeError(`${where} has no text.`);
    if (/\p{Surrogate}/u.test(text)) throw new TypeError(`${where} has half of a surrogate pair.`);
    if (encoder.encode(text).length > maxTextBytes)
      throw new TypeError(`${where} is longer than ${maxTextBytes} bytes of UTF-8.`);
    return {
      ...rest,
      text,
      at: at instanceof Date ? at.toISOString() : (at ?? now),
      ...(citations.length > 0 && { citations: citations.slice(0, maxCitations).map(citationOf) }),
    };
  });
  if (bytesOf(turn) > maxTurnBytes)
    throw new TypeError(`The turn is larger than ${maxTurnBytes} bytes of JSON. Send it in two turns.`);
  return turn;
}

const citationOf = ({ documentId, title, snippet, page }: CitationInput | SearchHit): CitationInput => ({
  documentId,
  ...(title && { title }),
  ...(snippet && { snippet: [...snippet].slice(0, 500).join('') }),
  ...(page && { page }),
});

/** @returns the messages with ids: a message that is sent again, at any time and by any process, is stored once */
export const withIds = (messages: readonly MessageInput[], first: number): MessageInput[] =>
  messages.map((message, index) => ({
    ...message,
    clientMessageId: message.clientMessageId ?? `session-${first + index}`,
  }));

/** @returns the highest number that the kit has given to these messages, or 0 */
export const lastNumberOf = (messages: readonly { clientMessageId?: string | null | undefined }[]): number =>
  messages.reduce((last, { clientMessageId }) => {
    const [, digits] = /^session-(\d{1,9})$/.exec(clientMessageId ?? '') ?? [];
    return Math.max(last, Number(digits ?? 0));
  }, 0);
