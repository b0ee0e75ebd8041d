/** A snippet is the part of a text that shows why it matches. */

import type { Span } from './terms.ts';

const snippetLength = 240;

/** A match. Those of the same `term` count once in a window, with its `weight`. Without a term, each match counts 1. */
type Match = Span & { term?: string; weight?: number };

/**
 * @param spans the matches, in order
 * @returns about 240 characters on one line, and the matches in it, in UTF-16 code units of the snippet. Matches that are only
 *   partly in the snippet are omitted, unless no other match is left
 */
export function snippetOf(text: string, spans: readonly Span[]): { snippet: string; matches: Span[] } {
  const { snippet, matches } = placedSnippetOf(text, spans);
  return { snippet, matches };
}

/**
 * @returns a snippet as `snippetOf` returns it, and the place of its first match in the text. A snippet without a match has the
 *   place of its start
 */
export function placedSnippetOf(text: string, spans: readonly Match[]) {
  // One space replaces one character, so that offsets do not change.
  const line = text.replace(/\s/g, ' ');
  const { start: from, end: to } = windowAround(line, spans, snippetLength);
  const visible = line.slice(from, to).trimEnd();
  const ellipsis = from > 0 ? '…' : '';
  const end = from + visible.length;
  const whole = spans.filter((span) => span.start >= from && span.end <= end);
  const inside = whole.length > 0 ? whole : spans.filter((span) => span.start < end && span.end > from);
  const shift = ellipsis.length - from;
  return {
    place: inside[0]?.start ?? from,
    snippet: `${ellipsis}${visible}${to < line.length ? '…' : ''}`,
    matches: inside.map((span) => ({
      start: Math.max(span.start, from) + shift,
      end: Math.min(span.end, end) + shift,
    })),
  };
}

/** The number of characters before the first match. */
const lead = 40;

/** Sums of weights are not exact. */
const slack = 1e-9;

/**
 * @param matches the matches in order
 * @returns the range of about `length` characters whose matches weigh most together
 */
function windowAround(text: string, matches: readonly Match[], length: number): Span {
  if (text.length <= length) return { start: 0, end: text.length };
  let best = { place: 0, weight: 0 };
  const counts = new Map<Match | string, number>();
  let [behind, sum] = [0, 0];
  for (const match of matches) {
    for (let next = matches[behind]; next && next.start < match.start + length; next = matches[behind]) {
      const count = counts.get(keyOf(next)) ?? 0;
      counts.set(keyOf(next), count + 1);
      if (count === 0) sum += next.weight ?? 1;
      behind += 1;
    }
    if (sum > best.weight + slack) best = { place: match.start, weight: sum };
    const count = counts.get(keyOf(match)) ?? 0;
    counts.set(keyOf(match), count - 1);
    if (count === 1) sum -= match.weight ?? 1;
  }
  const start = wordStart(text, Math.max(0, Math.min(best.place - lead, text.length - length)));
  return { start, end: wordStart(text, start + length) };
}

const keyOf = (match: Match): Match | string => match.term ?? match;

/** @returns the start of the word at this position, if there is a space nearby; never inside a surrogate pair */
function wordStart(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.min(Math.max(at, 0), text.length);
  const space = text.lastIndexOf(' ', at);
  if (space > at - 30) return space + 1;
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at + 1 : at;
}
