/** The words of a text, in any script, and where they stand in it. */

/** Scripts that put no space between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const run = String.raw`[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*`;
const pictogram = String.raw`\p{Extended_Pictographic}[\uFE0F\p{EMod}\u{E0020}-\u{E007F}]*`;
/** A flag, or a pictogram with its skin tone, and what is joined to it (UTS #51, "ED-17. emoji sequence"). */
const emoji = String.raw`\p{RI}{1,2}|${pictogram}(?:\u200D${pictogram})*`;

const runs = new RegExp(run, 'gu');
const runsAndEmoji = new RegExp(`${run}|${emoji}`, 'gu');

// Made once: making a segmenter takes longer than using one. Words of such scripts are found with a dictionary.
let segmenter: Intl.Segmenter | undefined;

/** `start` counts UTF-16 code units. */
export type Word = { text: string; start: number };

/** @returns the words in their order, as they stand in the text; emoji are words only where it is asked for */
export function wordsIn(text: string, options: { emoji: boolean } = { emoji: false }): Word[] {
  const words: Word[] = [];
  for (const { 0: found, index: start } of text.matchAll(options.emoji ? runsAndEmoji : runs)) {
    if (!unspaced.test(found)) {
      words.push({ text: found, start });
      continue;
    }
    segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
    for (const { segment, index, isWordLike } of segmenter.segment(found)) {
      if (isWordLike) words.push({ text: segment, start: start + index });
    }
  }
  return words;
}

/** Accents of Latin, Greek and Cyrillic, and the vowel marks of Arabic; elsewhere a mark makes another word. */
const accents = /[\u0300-\u036f\u064b-\u065f]/g;

/** @returns the word without accents and width (NFKC), in one spelling of the apostrophe */
export const withoutAccents = (word: string): string =>
  word.normalize('NFKD').replace(accents, '').normalize('NFKC').replaceAll('’', "'");
