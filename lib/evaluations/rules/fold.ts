/** One form for texts that differ only in case, width or composition. */

import { streamSafe } from '../../text/normalise.ts';

/** Upper case comes first, because it makes "ß" and "SS", "ς" and "σ" the same. */
export const foldText = (text: string): string =>
  streamSafe(text).normalize('NFKC').toUpperCase().toLowerCase();
