/**
 * The text of a reply while it arrives. Markers of citations are taken out before anything is stored, so the stored parts together are
 * the text of the message. The first part is stored at once, and the following ones for each second or 2 KB.
 */

import { maxTextBytes } from '../../conversations/schema/message.ts';
import { type Markers, openMarkers } from '../request/markers.ts';

const partBytes = 2048;
const partMs = 1000;

/** Nothing more may be stored: the reply has ended, or its lease is over. */
export class ReplyLost extends Error {}

/** The answer has reached the limit of a message. The rest is not read. */
export class TextFull extends Error {}

export type Part = { offset: number; text: string };

export type ReplyText = {
  /** Takes text of the model. @throws ReplyLost, TextFull */
  push(text: string): Promise<void>;
  /** Stores what is left. @returns the whole text @throws ReplyLost */
  end(): Promise<string>;
  readonly markers: Markers;
  /** When the first text came: milliseconds of the monotonic clock. */
  readonly firstMs: number | undefined;
};

/**
 * @param store stores a part; it throws ReplyLost
 * @param elapsedMs a monotonic clock
 */
export function openText(
  passageCount: number,
  store: (part: Part) => Promise<void>,
  elapsedMs: () => number,
): ReplyText {
  const markers = openMarkers(passageCount);
  let text = '';
  let storedLength = 0;
  let bytes = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  let firstMs: number | undefined;
  let isFull = false;
  let timer: NodeJS.Timeout | undefined;
  let failure: unknown;
  let writing: Promise<void> = Promise.resolve();

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(async () => {
      if (failure !== undefined) throw failure;
      const part = { offset: storedLength, text: text.slice(storedLength) };
      if (part.text === '') return;
      lastMs = elapsedMs();
      storedLength = text.length;
      await store(part);
    });
    return writing;
  };
  const flushLater = () => {
    timer ??= setTimeout(
      () => {
        flush().catch((error: unknown) => {
          failure = error;
          writing = Promise.resolve();
        });
      },
      Math.max(0, lastMs + partMs - elapsedMs()),
    );
  };
  const add = (more: string) => {
    const room = maxTextBytes - bytes;
    const kept = Buffer.byteLength(more) <= room ? more : beginning(more, room);
    isFull ||= kept.length < more.length;
    text += kept;
    bytes += Buffer.byteLength(kept);
  };
  return {
    markers,
    get firstMs() {
      return firstMs;
    },
    async push(raw) {
      if (failure !== undefined) throw failure;
      add(markers.push(raw));
      if (text.length === storedLength) {
        if (isFull) throw new TextFull();
        return;
      }
      firstMs ??= elapsedMs();
      const pendingBytes = Buffer.byteLength(text.slice(storedLength));
      if (isFull || pendingBytes >= partBytes || elapsedMs() - lastMs >= partMs) await flush();
      else flushLater();
      if (isFull) throw new TextFull();
    },
    async end() {
      if (!isFull) add(markers.end());
      await flush();
      return text;
    },
  };
}

/** @returns the longest beginning of at most so many bytes of UTF-8, without a half character */
function beginning(text: string, bytes: number): string {
  const cut = Buffer.from(text).subarray(0, bytes);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(cut, { stream: true });
}
