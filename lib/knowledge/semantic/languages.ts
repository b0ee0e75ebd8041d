/** Whether the model speaks the language of a text. It was trained with English only. */

import type { Tokens } from './word-pieces.ts';

export function isSpoken(_text: string, { ids, unknown }: Tokens): boolean {
  return ids.length > 2 && unknown * 5 < ids.length;
}
