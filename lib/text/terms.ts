/**
 * The terms of a text are its words without case, accents and width, including emoji. All searches use them. Index entries are
 * removed by computing their terms again, so if terms change, keep the old version in `tokenizers`, index everything again,
 * and change `currentAlgorithm` in lib/search/index/algorithms.ts.
 */

import { normalise, type Span, streamSafe } from './normalise.ts';

export type { Span } from './normalise.ts';
export type Term = Span & { term: string };
export type Tokenizer = (text: string) => Iterable<Term>;

/** Longer words are compared by their start. A sort key has room for this length in any script. */
const maxCodePoints = 64;

/** Accents of Latin, Greek and Cyrillic, and vowel marks of Arabic are ignored. Other marks make another word. */
const accents = /[\u0300-\u036f\u064b-\u065f]/g;

/** The ignored characters are soft hyphens, and variation selectors, which show a pictogram in colour or as text. */
const invisible = /[\ufe00-\ufe0f\u00ad]/g;

export function* termsIn(text: string): Generator<Term> {
  for (const { text: word, start, end } of wordsIn(text)) {
    const term = foldCase(word);
    // Separate marks are not words.
    if (term !== '') yield { term, start, end };
  }
}

/** @returns whether a search could find anything in the text */
export const hasTerm = (text: string): boolean => termsIn(text).next().done === false;

/** A message is searched up to its 500th different term, because each term may be an item to write. */
export const maxDistinctTerms = 500;

/** Yields the searchable terms of a message: all terms before the first term that exceeds the number of different terms. */
export function* searchableTerms(text: string, tokenize: Tokenizer = termsIn): Generator<Term> {
  const distinct = new Set<string>();
  for (const token of tokenize(text)) {
    if (distinct.size === maxDistinctTerms && !distinct.has(token.term)) return;
    distinct.add(token.term);
    yield token;
  }
}

/** @returns the searchable terms of a message without duplicates */
export const distinctTerms = (text: string, tokenize?: Tokenizer): Set<string> =>
  new Set([...searchableTerms(text, tokenize)].map(({ term }) => term));

/** @param word a word in NFKC */
function foldCase(word: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  if (/^[\x00-\x7f]*$/.test(word)) return cut(word.toLowerCase());
  const visible = withoutAccents(word).replace(invisible, '');
  // Marks that invisible characters separated are in a row now.
  const plain = streamSafe(visible).replaceAll('’', "'");
  // Upper case comes first, as in case folding: ß equals ss, and a final ς equals σ.
  return cut(withoutAccents(plain.toUpperCase().toLowerCase()));
}

const withoutAccents = (word: string): string => word.normalize('NFD').replace(accents, '').normalize('NFC');

function cut(term: string): string {
  if (term.length <= maxCodePoints) return term;
  return [...term.slice(0, 2 * maxCodePoints)].slice(0, maxCodePoints).join('');
}

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
type Word = Span & { text: string };

/** Yields the words of a text in any script, in order. Emoji are words. If one character is several words, they have the same span. */
function* wordsIn(original: string): Generator<Word> {
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

/**
 * The versions of the tokenizer. An index is searched, extended and removed with the version that built it. So a version stays
 * here until every project was indexed again after the change. New indexes use the `current` version.
 */
export const tokenizers: { current: number; readonly versions: Record<number, Tokenizer> } = {
  current: 1,
  versions: { 1: termsIn },
};

/** @throws Error if a later version of the code built the index */
export function tokenizer(version: number): Tokenizer {
  const tokenize = tokenizers.versions[version];
  if (!tokenize) throw new Error(`there is no tokenizer ${version}`);
  return tokenize;
}
