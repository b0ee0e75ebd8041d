import type { Span } from './terms.ts';

/** The number of characters before the first match. */
const lead = 40;

/**
 * @param places the places in order
 * @returns the range of about `length` characters that contains most of these places
 */
export function windowAround(text: string, places: readonly number[], length: number): Span {
  if (text.length <= length) return { start: 0, end: text.length };
  let best = { place: 0, count: 0 };
  let behind = 0;
  for (const [index, place] of places.entries()) {
    while ((places[behind] ?? Number.POSITIVE_INFINITY) < place + length) behind += 1;
    if (behind - index > best.count) best = { place, count: behind - index };
  }
  const start = wordStart(text, Math.max(0, Math.min(best.place - lead, text.length - length)));
  return { start, end: wordStart(text, start + length) };
}

/** @returns the start of the word at this position, if there is a space nearby; never inside a surrogate pair */
function wordStart(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.min(Math.max(at, 0), text.length);
  const space = text.lastIndexOf(' ', at);
  if (space > at - 30) return space + 1;
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at + 1 : at;
}
