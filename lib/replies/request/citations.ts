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

/** @returns where the text has the snippet; undefined if it does not, because the passage was cut */
function spanOf(text: string, snippet: string): Span | undefined {
  // A snippet is on one line, and has an ellipsis where the text goes on (lib/text/snippet.ts).
  const line = text.replace(/\s/g, ' ');
  for (const shown of [snippet, snippet.replace(/^…|…$/g, '')]) {
    const start = line.indexOf(shown);
    if (shown !== '' && start >= 0) return { start, end: start + shown.length };
  }
  return undefined;
}

const firstCharacters = (text: string, max: number): string =>
  text.length <= max ? text : [...text].slice(0, max).join('');
