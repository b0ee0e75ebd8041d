/** A text in any script is split into words with their positions. Emoji are words. */

import { normalise, type Span } from './normalise.ts';

/** These scripts have no spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** A soft hyphen (U+00AD) marks a possible line break and is not part of the word. */
const letters = String.raw`[\p{L}\p{N}\p{M}\u00AD]+`;
const run = `${letters}(?:['’]${letters})*`;
const pictogram = String.raw`\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}\u{E0020}-\u{E007F}]*`;
/** A flag, or a pictogram with skin tone, with all joined characters (UTS #51, "ED-17. emoji sequence"). */
const emoji = String.raw`\p{Regional_Indicator}{1,2}|${pictogram}(?:\u200D${pictogram})*`;

const runs = new RegExp(`${run}|${emoji}`, 'gu');

// The segmenter is created once, because its creation takes longer than its use. It has a dictionary for such scripts.
let segmenter: Intl.Segmenter | undefined;

/** `text` is the word in NFKC. The span is its position in the original, which may have another length. */
export type Word = Span & { text: string };

/** Yields the words in order. If one character is several words, they have the same span. */
export function* wordsIn(original: string): Generator<Word> {
  // The text is normalised first, because words depend on the spelling.
  const { text, spanOf } = normalise(original);
  for (const { 0: word, index: from } of text.matchAll(runs)) {
    if (!unspaced.test(word)) {
      yield { text: word, ...spanOf({ start: from, end: from + word.length }) };
      continue;
    }
    segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
    for (const { segment, index, isWordLike } of segmenter.segment(word)) {
      const start = from + index;
      if (isWordLike) yield { text: segment, ...spanOf({ start, end: start + segment.length }) };
    }
  }
}
