/** Patterns with `*` for any characters. Pure. The work is at most the length of the text times the length of the pattern. */

/**
 * @param isWhole whether the pattern must match the whole text, not only its beginning
 * @returns whether the text matches. Leftmost places suffice, so nothing is tried twice
 */
export function matchesWildcards(pattern: string, text: string, isWhole: boolean): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (!text.startsWith(first)) return false;
  if (rest.length === 0) return !isWhole || text.length === first.length;
  const last = isWhole ? (rest.pop() ?? '') : '';
  let at = first.length;
  for (const part of rest) {
    const index = text.indexOf(part, at);
    if (index === -1) return false;
    at = index + part.length;
  }
  return text.length - at >= last.length && text.endsWith(last);
}
