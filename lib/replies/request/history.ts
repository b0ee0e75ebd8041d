/** The conversation in a request to a model. Pure. */

import { isVisible } from '../../schema/text.ts';
import { materialOf } from '../../text/material.ts';
import { leftOutNote, startNote } from './frame.ts';
import type { ChatMessage, HistoryMessage } from './types.ts';

/** The size of the conversation in a request, in bytes of JSON. */
export const maxHistoryBytes = 100 * 1024;

/** The JSON around a text and around its message. */
const formBytes = 48;

/** @returns the most bytes that the text adds to the JSON of a request */
export const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text)) + formBytes;

type Turn = { role: ChatMessage['role']; text: string };

/**
 * @param history oldest first
 * @param room bytes of JSON
 * @returns the newest messages that have room, oldest first. A message that has none ends the conversation
 */
export function newestTurns(history: readonly HistoryMessage[], room: number): Turn[] {
  const turns: Turn[] = [];
  let left = room;
  for (const message of history.toReversed()) {
    const turn = turnOf(message);
    left -= bytesOf(turn.text);
    if (left < 0) break;
    turns.push(turn);
  }
  return turns.reverse();
}

const turnOf = ({ role, text }: HistoryMessage): Turn =>
  role === 'avatar'
    ? // A text without a visible character is refused.
      { role: 'assistant', text: isVisible(text) ? withoutTokens(text) : '…' }
    : { role: 'user', text: materialOf({ from: role, text }) };

/**
 * A model continues in the form of its earlier answers, so they are plain text. A persuaded model may have written a token that
 * has a meaning for a model, such as `<|im_end|>` or `[INST]`. With a space, it has none.
 */
const withoutTokens = (text: string): string =>
  text.replace(/<(?=[^\s\d=<-])/g, '< ').replace(/\[(?=\/?[A-Z_]{3,}\])/g, '[ ');

/**
 * @param leftOut so many earlier messages are left out
 * @param last the blocks of the last user message
 * @returns messages that start with a user's and alternate, as Bedrock requires
 */
export function messagesOf(turns: readonly Turn[], leftOut: number, last: readonly string[]): ChatMessage[] {
  const all: Turn[] = [
    ...(leftOut > 0 ? [{ role: 'user' as const, text: leftOutNote(leftOut) }] : []),
    ...(leftOut === 0 && turns[0]?.role === 'assistant' ? [{ role: 'user' as const, text: startNote }] : []),
    ...turns,
    ...last.map((text) => ({ role: 'user' as const, text })),
  ];
  const messages: { role: ChatMessage['role']; content: string[] }[] = [];
  for (const { role, text } of all) {
    const current = messages.at(-1);
    if (current?.role === role) current.content.push(text);
    else messages.push({ role, content: [text] });
  }
  return messages;
}
