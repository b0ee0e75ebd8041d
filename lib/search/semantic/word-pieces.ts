/**
 * Splits a text into the tokens of the model: BERT's "basic" and WordPiece tokenizers without case, as the Python package
 * `tokenizers` 0.23 implements them (BertNormalizer, BertPreTokenizer, WordPiece). test/lib/search/semantic compares
 * both.
 */

import { cutTo } from '../../readers/sections.ts';

export type Tokens = {
  /** The ids, with the token of the start and the token of the end. */
  ids: number[];
  /** How many of the ids are a word that the vocabulary cannot spell. */
  unknown: number;
};

/** The model was trained with at most this many tokens (`max_seq_length` in sentence_bert_config.json). */
export const maxTokens = 256;

/** No text has to be read further for its first tokens: a longer one has mostly spaces, or no words. */
const maxLength = 10_000;

/** A longer word is unknown (`max_input_chars_per_word` in tokenizer.json). */
const maxWordLength = 100;

const markers = { unknown: '[UNK]', start: '[CLS]', end: '[SEP]' } as const;

/** These characters are in Unicode's category "other", and no spaces. */
const control = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu;
const marks = /\p{Mn}/gu;
/** Each ideograph is a word of its own. */
const ideographs =
  /[\u4E00-\u9FFF\u3400-\u4DBF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B920}-\u{2CEAF}\uF900-\uFAFF\u{2F800}-\u{2FA1F}]/gu;
/** Every mark of punctuation, and of ASCII every symbol, is a word. */
const words = /[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+/gu;

/** @param vocabulary one token per line; the number of the line is its id */
export function createTokenizer(vocabulary: string) {
  const ids = new Map(
    vocabulary
      .split('\n')
      .filter(Boolean)
      .map((token, id) => [token, id]),
  );
  const idOf = (marker: keyof typeof markers): number => {
    const id = ids.get(markers[marker]);
    if (id === undefined) throw new Error(`the vocabulary has no ${markers[marker]}`);
    return id;
  };
  const [unknown, start, end] = [idOf('unknown'), idOf('start'), idOf('end')];
  const longest = Math.max(...[...ids.keys()].map((token) => token.length));

  /** @returns the longest token at the start of the rest, and so on; undefined if a rest has none */
  function piecesOf(word: string): number[] | undefined {
    const pieces: number[] = [];
    for (let from = 0; from < word.length; ) {
      const prefix = from === 0 ? '' : '##';
      let to = Math.min(word.length, from + longest);
      let id = ids.get(prefix + word.slice(from, to));
      while (id === undefined && to > from + 1) {
        to -= 1;
        id = ids.get(prefix + word.slice(from, to));
      }
      if (id === undefined) return undefined;
      pieces.push(id);
      from = to;
    }
    return pieces;
  }

  /** @returns the tokens of the start of a text */
  return function tokensOf(text: string): Tokens {
    const tokens: Tokens = { ids: [start], unknown: 0 };
    for (const [word] of normalise(cutTo(text, maxLength)).matchAll(words)) {
      const isLong = word.length > maxWordLength && [...word].length > maxWordLength;
      const pieces = isLong ? undefined : piecesOf(word);
      if (!pieces) tokens.unknown += 1;
      tokens.ids.push(...(pieces ?? [unknown]));
      if (tokens.ids.length >= maxTokens) break;
    }
    tokens.ids.length = Math.min(tokens.ids.length, maxTokens - 1);
    tokens.ids.push(end);
    return tokens;
  };
}

export type Tokenizer = ReturnType<typeof createTokenizer>;

/** Marks are removed before they are sorted, because sorting a long row of them takes quadratic time. */
const normalise = (text: string): string =>
  text
    .replace(control, '')
    .replace(ideographs, ' $& ')
    .replace(marks, '')
    .normalize('NFD')
    .replace(marks, '')
    // Rust lowers each character on its own, so Σ at the end of a word is no exception.
    .replaceAll('Σ', 'σ')
    .toLowerCase();
