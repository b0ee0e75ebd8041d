/** A snippet is the part of a text that shows why it matches. */

import type { Span } from './terms.ts';
import { windowAround } from './window.ts';

const snippetLength = 240;

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
export function placedSnippetOf(text: string, spans: readonly Span[]) {
  // One space replaces one character, so that offsets do not change.
  const line = text.replace(/\s/g, ' ');
  const { start: from, end: to } = windowAround(
    line,
    spans.map(({ start }) => start),
    snippetLength,
  );
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
