/**
 * Normalises a text before it is split into words: half-width and full-width, composed and decomposed characters become
 * the same (NFKC). The dictionary of words has only this form.
 */

/** Offsets count UTF-16 code units of the text. `end` is exclusive. */
export type Span = { start: number; end: number };

type NormalisedText = {
  text: string;
  /** @returns the span in the original text */
  spanOf(span: Span): Span;
};

/**
 * These characters may combine with the character before them: marks, vowels and final consonants of Hangul, half-width voicing
 * marks, and some vowels of Thai, Lao and Kirat Rai. Every other character starts a piece that can be normalised separately.
 */
const joining = String.raw`\p{M}\u0E32\u0E33\u0EB2\u0EB3\u1160-\u11FF\u3130-\u318F\uD7B0-\uD7FF\uFF9E-\uFFDC\u{16D63}-\u{16D6A}`;
const pieces = new RegExp(
  String.raw`[\0-\x7F]+(?![${joining}])|[^${joining}][${joining}]*|[${joining}]+`,
  'gsu',
);

/**
 * No language uses so many marks on a letter (UAX #15, "Stream-Safe Text Format"). Further marks are dropped, because sorting
 * marks takes quadratic time. Half-width voicing marks become marks.
 */
const crowded = /[\p{M}\uFF9E\uFF9F]{31}/u;
const surplusMarks = /([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu;

/** One character can become 18 characters (U+FDFA). Characters that would become more are not changed. */
const maxGrowth = 6;

/** @returns the text with at most 30 marks in a row */
export const streamSafe = (text: string): string =>
  crowded.test(text) ? text.replace(surplusMarks, '$1') : text;

const ascii = /^[\0-\x7F]*$/;

export function normalise(text: string): NormalisedText {
  if (ascii.test(text) || (!crowded.test(text) && nfkc(text) === text)) {
    return { text, spanOf: (span) => span };
  }
  /** The new and the old positions of the changed pieces. */
  const changes: { after: Span; before: Span }[] = [];
  let result = '';
  for (const { 0: piece, index } of text.matchAll(pieces)) {
    const normal = normalisePiece(piece);
    if (normal !== piece) {
      const prefix = samePrefix(piece, normal);
      changes.push({
        after: { start: result.length + prefix, end: result.length + normal.length },
        before: { start: index + prefix, end: index + piece.length },
      });
    }
    result += normal;
  }
  const original = (at: number): Span => {
    const last = changes[lastUpTo(changes, at)];
    if (!last) return { start: at, end: at + 1 };
    if (at < last.after.end) return last.before;
    const start = at - last.after.end + last.before.end;
    return { start, end: start + 1 };
  };
  return {
    text: result,
    spanOf: ({ start, end }) => ({ start: original(start).start, end: original(end - 1).end }),
  };
}

/** The vowel "am" of Thai and Lao becomes one character, as in dictionaries. */
const nfkc = (text: string): string =>
  text.normalize('NFKC').replaceAll('\u0E4D\u0E32', '\u0E33').replaceAll('\u0ECD\u0EB2', '\u0EB3');

function normalisePiece(piece: string): string {
  const bounded = streamSafe(piece);
  const plain = nfkc(bounded);
  return plain.length <= maxGrowth * piece.length ? plain : bounded.normalize('NFC');
}

/** @returns the length of the common prefix, shorter than both texts, and without half of a surrogate pair */
function samePrefix(a: string, b: string): number {
  let length = 0;
  while (length + 1 < Math.min(a.length, b.length) && a[length] === b[length]) length += 1;
  return /[\uD800-\uDBFF]/.test(a[length - 1] ?? '') ? length - 1 : length;
}

/** @returns the index of the last piece that starts at this position or before; -1 if there is no such piece */
function lastUpTo(changes: readonly { after: Span }[], at: number): number {
  let [low, high] = [0, changes.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if ((changes[middle]?.after.start ?? 0) <= at) low = middle + 1;
    else high = middle - 1;
  }
  return high;
}
