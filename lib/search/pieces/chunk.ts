/**
 * Splits documents into chunks: by headings, then rows of tables, paragraphs and sentences. The encoder gets the text of a chunk from
 * here.
 */

import {
  cutTo,
  pageEnd,
  pageEndsIn,
  type Section,
  sectionsOf,
  withoutMarks,
} from '../../readers/sections.ts';
import { csvIn, tablesIn } from '../../readers/tables.ts';
import { hasTerm } from '../../text/terms.ts';
import type { Chunk } from './passage.ts';
import { type Piece, rowPieces } from './row-pieces.ts';

/** The approximate length of a chunk in characters: a few paragraphs, of which a snippet shows one. */
const targetLength = 1200;

/**
 * @param document its sections, or text that may be Markdown or CSV
 * @returns the chunks in order; empty if the text has no word. Emoji are words
 */
export function chunksOf(document: string | readonly Section[]): Chunk[] {
  const sections = typeof document === 'string' ? sectionsOfText(document) : document;
  const hasPages = typeof document === 'string' && document.includes(pageEnd);
  const chunks: Chunk[] = [];
  let page = 1;
  for (const { heading, text, level } of sections) {
    let end: string | undefined;
    for (const { text: piece, repeated } of pack(text, level)) {
      const own = piece.slice(repeated);
      const space = own.slice(0, own.length - own.trimStart().length);
      const start = page + pageEndsIn(space);
      page += pageEndsIn(own);
      const startsWithHeading = end === undefined || repeated > 0;
      const joint = end === undefined ? undefined : jointOf(end + space);
      end = own.slice(own.trimEnd().length);
      if (!hasTerm(piece)) continue;
      chunks.push({
        heading,
        text: repeated > 0 ? piece.trimEnd() : piece.trim(),
        ...(hasPages && { page: start }),
        ...(level !== undefined && startsWithHeading && { level }),
        ...(repeated > 0 && { repeated }),
        ...(joint !== undefined && { joint }),
      });
    }
  }
  return chunks;
}

/** A row of CSV may look like a heading. */
const sectionsOfText = (text: string): Section[] =>
  csvIn(text) ? [{ heading: '', text }] : sectionsOf(text);

/** @param space white space @returns the joint; undefined for an empty line */
const jointOf = (space: string): string | undefined =>
  /\n\s*\n/.test(space) ? undefined : space.includes('\n') ? '\n' : space === '' ? '' : ' ';

/** Fills each piece with whole sentences and rows. What is longer than a piece is cut. Without what they repeat, the pieces together are the text. */
function pack(text: string, level: number | undefined): Piece[] {
  if (text.length <= targetLength) return [{ text, repeated: 0 }];
  const pieces: Piece[] = [];
  let current: Piece = { text: '', repeated: 0 };
  for (const part of tablesIn(text)) {
    if (typeof part !== 'string') {
      pieces.push(...rowPieces(part, current, level === undefined ? '' : headingLine(text), targetLength));
      current = pieces.pop() ?? current;
      continue;
    }
    for (const sentence of sentencesOf(part)) {
      if (current.text !== '' && current.text.length + sentence.length > targetLength) {
        pieces.push(current);
        current = { text: '', repeated: 0 };
      }
      current = { ...current, text: current.text + sentence };
      while (current.text.length > 2 * targetLength) {
        const piece = firstPiece(current.text);
        pieces.push({ ...current, text: piece });
        current = { text: current.text.slice(piece.length), repeated: 0 };
      }
    }
  }
  return [...pieces, current];
}

/** A section with a heading begins with its line. */
const headingLine = (text: string): string =>
  `${cutTo(text.split('\n', 1)[0] ?? '', maxTitleLength).trim()}\n\n`;

/** A sentence in any script ends with its closing quotes and the following space. An empty line ends it, too. */
const sentenceEnd = /[.!?…]["'”’)\]]*\s+|[。！？．]["”’」』）]*|\n\s*\n/gu;

function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const { 0: match, index } of text.matchAll(sentenceEnd)) {
    sentences.push(text.slice(start, index + match.length));
    start = index + match.length;
  }
  sentences.push(text.slice(start));
  return sentences.filter(Boolean);
}

/** @returns the text up to a space near the target length, or exactly that length of it */
function firstPiece(text: string): string {
  const space = text.lastIndexOf(' ', targetLength);
  return space > targetLength / 2 ? text.slice(0, space + 1) : cutTo(text, targetLength);
}

/** A long title or path of headings would leave no room for the text, because the encoder reads about 1 200 characters. */
const maxTitleLength = 200;

/** @returns title, headings and text, each on a line of its own. The headings leave out the title, which they often repeat */
export function pieceText({
  title,
  heading,
  ...section
}: Pick<Section, 'heading' | 'text' | 'level'> & { title: string }): string {
  const headings = heading.split(' › ').filter((part) => part !== title);
  // Without the `#`, the text is the one that versions had before, so that its vector can be used again.
  return [title, headings.join(' › '), withoutMarks(section)]
    .map((part, at) => (at < 2 ? cutTo(part, maxTitleLength) : part).trim())
    .filter(Boolean)
    .join('\n');
}
