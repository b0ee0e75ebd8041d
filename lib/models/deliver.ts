/** Gives the text of a streamed answer to its caller. */

import type { OnText, StreamEnd } from './models.ts';
import { lost, messageOf } from './responses.ts';

/** A part of a streamed answer: text, or its end. */
export type Part = { text: string } | { end: StreamEnd };

/** The text of an answer that a client asks for is far shorter. A model that goes on ends here, as one that was cut off. */
export const maxTextLength = 1_000_000;

/** A larger stream is treated as broken. */
export const maxStreamBytes = 8_000_000;

export class BrokenStream extends Error {}

/** Counts the bytes of a stream. @throws BrokenStream if there are too many */
export async function* bounded(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number = maxStreamBytes,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new BrokenStream(`the stream has more than ${maxBytes} bytes`);
    yield chunk;
  }
}

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff;

/**
 * @param parts ends the connection when it is left
 * @throws the reason of the signal, and what `onText` throws
 */
export async function deliver(
  parts: AsyncIterable<Part>,
  onText: OnText,
  signal: AbortSignal,
): Promise<StreamEnd> {
  const iterator = parts[Symbol.asyncIterator]();
  let length = 0;
  // A model may send the halves of a character in two parts.
  let half = '';
  try {
    for (;;) {
      const next = await nextOf(iterator, signal);
      signal.throwIfAborted();
      if ('kind' in next) return next;
      if ('end' in next) {
        // The rest is no character: it becomes the replacement character.
        if (half !== '' && next.end.kind === 'answer') await onText(half.toWellFormed());
        return next.end;
      }
      const text = half + next.text;
      const end = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
      half = text.slice(end);
      if (end === 0) continue;
      length += end;
      await onText(text.slice(0, end).toWellFormed());
      signal.throwIfAborted();
      if (length > maxTextLength)
        return { kind: 'answer', stop: 'length', inputTokens: undefined, outputTokens: undefined };
    }
  } finally {
    // Whoever waits for the end of a connection that hangs would wait forever.
    iterator.return?.().catch(() => {});
  }
}

/** @returns the next part, or how the stream has broken */
async function nextOf(iterator: AsyncIterator<Part>, signal: AbortSignal): Promise<Part | StreamEnd> {
  try {
    const { value, done } = await iterator.next();
    return done ? lost('failed', 'the stream has ended before the answer') : value;
  } catch (error) {
    signal.throwIfAborted();
    return lost(error instanceof BrokenStream ? 'failed' : 'network', messageOf(error));
  }
}
