/** Splits documents into chunks: by headings, then paragraphs and sentences. The encoder gets the text of a chunk from here. */

import { cutTo, pageEnd, pageEndsIn, type Section, sectionsOf } from '../../readers/sections.ts';
import { hasTerm } from '../../text/terms.ts';

/** The approximate length of a chunk in characters: a few paragraphs, of which a snippet shows one. */
const targetLength = 1200;

/**
 * @param document its sections, or text that may be Markdown
 * @returns the chunks in order; empty if the text has no word. Emoji are words
 */
export function chunksOf(document: string | readonly Section[]): Section[] {
  const sections = typeof document === 'string' ? sectionsOf(document) : document;
  const hasPages = typeof document === 'string' && document.includes(pageEnd);
  const chunks: Section[] = [];
  let page = 1;
  for (const { heading, text } of sections) {
    for (const piece of pack(text)) {
      const start = page + pageEndsIn(piece.slice(0, piece.length - piece.trimStart().length));
      page += pageEndsIn(piece);
      if (hasTerm(piece)) chunks.push({ heading, text: piece.trim(), ...(hasPages && { page: start }) });
    }
  }
  return chunks;
}

/** Fills each piece with whole sentences. A sentence that is longer than a piece is cut. The pieces together are the text. */
function pack(text: string): string[] {
  if (text.length <= targetLength) return [text];
  const chunks: string[] = [];
  let current = '';
  for (const sentence of sentencesOf(text)) {
    if (current !== '' && current.length + sentence.length > targetLength) {
      chunks.push(current);
      current = '';
    }
    current += sentence;
    while (current.length > 2 * targetLength) {
      const piece = firstPiece(current);
      chunks.push(piece);
      current = current.slice(piece.length);
    }
  }
  chunks.push(current);
  return chunks;
}

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
  text,
}: {
  title: string;
  heading: string;
  text: string;
}): string {
  const headings = heading.split(' › ').filter((part) => part !== title);
  return [title, headings.join(' › '), text]
    .map((part, at) => (at < 2 ? cutTo(part, maxTitleLength) : part).trim())
    .filter(Boolean)
    .join('\n');
}
