/** From the markers of an answer to the citations of its message. Pure. */

import { type Citation, maxCitedSnippet, maxCitedTitle } from '../../schema/citation.ts';
import type { Span } from '../../text/terms.ts';
import type { Cited, Passage } from './types.ts';

/** @returns one citation for each cited passage, in the order of their first markers. Numbers of no passage are left out */
export function citationsOf(cited: readonly Cited[], passages: readonly Passage[]): Citation[] {
  const numbers = [...new Set(cited.map(({ number }) => number))];
  return numbers.flatMap((number) => {
    const passage = passages.find((one) => one.number === number);
    return passage ? [citationOf(passage)] : [];
  });
}

function citationOf({ documentId, pieceId, title, snippet, page, text }: Passage): Citation {
  const span = spanOf(text, snippet);
  return {
    documentId,
    title: firstCharacters(title, maxCitedTitle),
    snippet: firstCharacters(snippet, maxCitedSnippet),
    page,
    pieceId,
    ...(span && { span }),
  };
}

/**
 * A snippet is on one line, without the marks of headings and lists, and with an ellipsis where the text goes on. So only letters and
 * digits are compared.
 * @returns where the text has the snippet; undefined if it does not, because the passage was cut
 */
function spanOf(text: string, snippet: string): Span | undefined {
  const letters = [...text.matchAll(letter)];
  const snippetLetters = [...snippet.matchAll(letter)];
  const found = snippetLetters.map(([one]) => one);
  const sought = found.join('');
  // Each letter has the same length in both, so offsets in the joined letters lead to a letter.
  let joined = '';
  const starts = letters.map(([one]) => {
    joined += one;
    return joined.length - one.length;
  });
  const at = sought === '' ? -1 : joined.indexOf(sought);
  const first = letters[starts.indexOf(at)];
  const last = letters[starts.indexOf(at) + found.length - 1];
  const lastFound = snippetLetters.at(-1);
  if (at < 0 || !first || !last || !lastFound) return undefined;
  const end = last.index + last[0].length;
  const rest = snippet.slice(lastFound.index + lastFound[0].length);
  return { start: first.index, end: end + commonLength(text.slice(end), rest) };
}

/** @returns the length of the beginning that both texts have, such as a full stop */
function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < other.length && one[length] === other[length]) length += 1;
  return length;
}

const letter = /[\p{L}\p{N}]/gu;

const firstCharacters = (text: string, max: number): string =>
  text.length <= max ? text : [...text].slice(0, max).join('');
