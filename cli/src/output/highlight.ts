/** Highlights the matches in a snippet. */

import { type Paint, safeLine } from './text.ts';

/** @param matches offsets in UTF-16 code units, in order */
export function highlightMatches(
  snippet: string,
  matches: readonly { start: number; end: number }[],
  paint: Paint,
): string {
  let at = 0;
  const parts = matches.map(({ start, end }) => {
    const before = snippet.slice(at, start);
    at = end;
    return safeLine(before) + paint(['bold', 'yellow'], safeLine(snippet.slice(start, end)));
  });
  return parts.join('') + safeLine(snippet.slice(at));
}
