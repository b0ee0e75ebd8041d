/** The part of a text that says why it was found, and where in that part it says so. */

import type { Span } from './terms.ts';
import { windowAround } from './window.ts';

const snippetLength = 240;

/**
 * @param spans what was found, in order
 * @returns about 240 characters in one line, and the spans in them: UTF-16 code units of the snippet. What is not wholly
 *   in it is left out, except where nothing else is left
 */
export function snippetOf(text: string, spans: readonly Span[]): { snippet: string; matches: Span[] } {
  // Character by character, so that the offsets stay.
  const line = text.replace(/\s/g, ' ');
  const { start: from, end: to } = windowAround(
    line,
    spans.map(({ start }) => start),
    snippetLength,
  );
  const shown = line.slice(from, to).trimEnd();
  const ellipsis = from > 0 ? '…' : '';
  const end = from + shown.length;
  const whole = spans.filter((span) => span.start >= from && span.end <= end);
  const inside = whole.length > 0 ? whole : spans.filter((span) => span.start < end && span.end > from);
  const shift = ellipsis.length - from;
  return {
    snippet: `${ellipsis}${shown}${to < line.length ? '…' : ''}`,
    matches: inside.map((span) => ({
      start: Math.max(span.start, from) + shift,
      end: Math.min(span.end, end) + shift,
    })),
  };
}
