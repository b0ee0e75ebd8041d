/** The text that a search hands over: a piece of a document, and the pieces around it. */

import type { Section } from '../../readers/sections.ts';

/** So many pieces before and behind a piece can be asked for. */
export const maxContext = 3;

/**
 * @param pieces pieces of one document, one after the other
 * @param at the piece
 * @param context how many pieces before and behind it the text has, if there are so many
 */
export const passageOf = (pieces: readonly Pick<Section, 'text'>[], at: number, context: number): string =>
  pieces
    .slice(Math.max(0, at - context), at + context + 1)
    .map(({ text }) => text)
    .join('\n\n');
