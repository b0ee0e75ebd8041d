/**
 * Whether the model speaks the language of a text. It was trained with English texts: German and French questions find less
 * with it than by words only (docs/search-by-meaning.md).
 */

import { cutTo } from '../../readers/sections.ts';
import type { Tokens } from './word-pieces.ts';

/** Frequent English words that are no frequent words of the other languages. */
const english = new Set(
  `a about after all also and any are as be because been before being between both but by can could did do does each for
    from get had has have how if into is it its just like may more most must my not of off only or other our out over
    should some such than that the their them then there these they this those through to under until up use used using
    very what when where which while who why will with without would you your`.split(/\s+/),
);

/** Frequent words of other languages with Latin letters that are neither English nor code. */
const foreign = new Set(
  `als auch auf aus bei dass das dem den der des durch ein eine einem einen einer eines er fur ich ihr im ist kann kein
    keine mein mit nach nicht oder ohne sich sie sind und unter vom von warum wenn werden wie wir wird wo wurde zu zum zur
    au aux avec ce ces cet cette comment dans du elle est et il ils je la le les leur mes mon nous ou pas pour qu quel
    quelle qui sa sans ses sont sur une vous al como el es esta las lo los mi muy para pero por que se sin sobre sus
    di della gli nel sono uno em mais nao uma het een niet voor dat op zijn och att det som inte jest nie`.split(
    /\s+/,
  ),
);

/** A text is judged by its start, as it is encoded. */
const maxLength = 10_000;

/** More unknown tokens than one of five: a script that the vocabulary does not have. */
const maxUnknown = 0.2;

const wordPattern = /[\p{L}\p{M}]+/gu;
const ascii = /^[a-z]+$/;

export function isSpoken(text: string, { ids, unknown }: Tokens): boolean {
  if (unknown > maxUnknown * ids.length) return false;
  const count = { english: 0, foreign: 0, plain: 0 };
  for (const [match] of cutTo(text, maxLength).matchAll(wordPattern)) {
    const word = match.toLowerCase();
    if (!ascii.test(word)) count.foreign += 1;
    else {
      count.plain += 1;
      if (english.has(word)) count.english += 1;
      else if (word.length > 1 && foreign.has(word)) count.foreign += 1;
    }
  }
  return count.plain > 0 && count.foreign <= count.english;
}
