/** The text that a search hands over: a piece of a document, and the pieces around it. */

import type { Section } from '../../readers/sections.ts';

/** A piece of a document. Index versions of before lack the optional fields. */
export type Chunk = Section & {
  /** So many characters at the start repeat the heading and the header row of the table that the piece continues. */
  repeated?: number;
  /** What is between the piece before and this one in the document. Missing if that is an empty line. */
  joint?: string;
};

/** So many pieces before and behind a piece can be asked for. */
export const maxContext = 3;

/**
 * @param pieces pieces of one document, one after the other
 * @param at the piece
 * @param context how many pieces before and behind it the text has, if there are so many
 */
export const passageOf = (pieces: readonly Chunk[], at: number, context: number): string =>
  pieces
    .slice(Math.max(0, at - context), at + context + 1)
    .map(({ text, repeated = 0, joint = '\n\n' }, index) =>
      index === 0 ? text : joint + text.slice(repeated),
    )
    .join('');

/** Letter case, white space and the escapes of Markdown do not count. */
const folded = (text: string): string =>
  text
    .normalize()
    .toLowerCase()
    .replace(/\s+|\\(?=[#|.)*+`~=-])/g, '');

/** @returns whether the text has the passage */
export const hasPassage = (text: string, passage: string): boolean => folded(text).includes(folded(passage));
