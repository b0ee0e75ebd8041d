/** The part of a chunk that says why it was found. */

import { termOf, wordsOf } from './terms.ts';

const snippetLength = 240;

/** @returns about 240 characters around the place where most words of the query stand close together */
export function snippetOf(text: string, query: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  if (flat.length <= snippetLength) return flat;
  const wanted = new Set(wordsOf(query).map(termOf));
  const starts = positionsOf(flat, wanted);
  const best = starts
    .map((from) => ({ from, count: starts.filter((at) => at >= from && at < from + snippetLength).length }))
    .reduce((most, next) => (next.count > most.count ? next : most), { from: 0, count: 0 });
  const from = wordStart(flat, Math.max(0, Math.min(best.from - 40, flat.length - snippetLength)));
  const to = wordStart(flat, from + snippetLength);
  return `${from > 0 ? '…' : ''}${flat.slice(from, to).trim()}${to < flat.length ? '…' : ''}`;
}

/** Where the wanted words begin. */
function positionsOf(text: string, wanted: ReadonlySet<string>): number[] {
  const positions: number[] = [];
  let at = 0;
  for (const word of wordsOf(text)) {
    at = text.indexOf(word, at);
    if (wanted.has(termOf(word))) positions.push(at);
    at += word.length;
  }
  return positions;
}

/** The start of the word at this place, where there is a space near; never within a surrogate pair. */
function wordStart(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.min(Math.max(at, 0), text.length);
  const space = text.lastIndexOf(' ', at);
  if (space > at - 30) return space + 1;
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at + 1 : at;
}
