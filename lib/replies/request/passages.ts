/** From the hits of a search to the passages of a request. Pure. */

import { materialOf } from '../../text/material.ts';
import type { Hit, Passage } from './types.ts';

export const maxPassages = 8;
export const maxPassageBytes = 24 * 1024;

/** What a model sees of a passage. */
export const shownPassage = ({ number, title, heading, page, text, isCut }: Passage): string =>
  materialOf({
    number,
    title,
    ...(heading !== '' && { heading }),
    ...(page !== null && { page }),
    text: isCut ? `${text}…` : text,
  });

const sizeOf = (passage: Passage): number => Buffer.byteLength(shownPassage(passage));

/**
 * @param hits best first, with their texts
 * @param maxBytes the size of all passages in the request, in bytes of UTF-8
 * @returns whole passages, best first. Only the first is cut if it is too large alone. `unused` are the hits that have no room
 */
export function passagesOf(
  hits: readonly Hit[],
  maxBytes: number = maxPassageBytes,
): { passages: Passage[]; unused: Hit[] } {
  const passages: Passage[] = [];
  const unused: Hit[] = [];
  let room = maxBytes;
  for (const [index, hit] of hits.entries()) {
    const whole = passageOf(hit, passages.length + 1);
    const passage = index === 0 && sizeOf(whole) > room ? cutToRoom(whole, room) : whole;
    const size = sizeOf(passage);
    if (passages.length === maxPassages || passage.text === '' || size > room) {
      unused.push(hit);
      continue;
    }
    room -= size;
    passages.push(passage);
  }
  return { passages, unused };
}

const passageOf = (
  { documentId, pieceId, title, heading, page, url, snippet, text, score, scores, matchedWords }: Hit,
  number: number,
): Passage => ({
  number,
  documentId,
  pieceId,
  title,
  heading,
  page,
  url,
  snippet,
  text: text ?? snippet,
  isCut: false,
  score,
  scores,
  matchedWords,
});

/** @returns the passage with the longest beginning of its text that has room; without a text if nothing has */
function cutToRoom(passage: Passage, room: number): Passage {
  const cutAt = (length: number): Passage => ({
    ...passage,
    text: beginning(passage.text, length),
    isCut: true,
  });
  let [low, high] = [0, Math.min(passage.text.length, room)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sizeOf(cutAt(middle)) <= room) low = middle;
    else high = middle - 1;
  }
  return cutAt(low);
}

/** @returns at most this many UTF-16 code units, without half of a surrogate pair */
const beginning = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
