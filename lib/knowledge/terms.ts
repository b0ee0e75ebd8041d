/** The words of a text as search compares them: in any script, without case, accents and width. */

/** Scripts that put no space between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const wordRun = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*/gu;

// Made once: making a segmenter takes longer than using one. Words of such scripts are found with a dictionary.
let segmenter: Intl.Segmenter | undefined;

/** @returns the words in their order, as they stand in the text */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [run] of text.matchAll(wordRun)) {
    if (!unspaced.test(run)) {
      words.push(run);
      continue;
    }
    segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
    for (const { segment, isWordLike } of segmenter.segment(run)) if (isWordLike) words.push(segment);
  }
  return words;
}

/** Accents of Latin, Greek and Cyrillic, and the vowel marks of Arabic; elsewhere a mark makes another word. */
const accents = /[\u0300-\u036f\u064b-\u065f]/g;

/** @returns the word as it is compared; an English possessive or plural counts as the word itself */
export function termOf(word: string): string {
  const lower = word.toLowerCase();
  const plain = /^[a-z0-9]*$/.test(lower)
    ? lower
    : lower.normalize('NFKD').replace(accents, '').normalize('NFKC').replaceAll('’', "'");
  return singular(plain.replace(/'s$/, '').replaceAll("'", ''));
}

/** The S-stemmer (D. Harman, "How effective is suffixing?", JASIS 42, 1991): few rules, none of which joins other words. */
function singular(term: string): string {
  if (term.length < 4 || !term.endsWith('s')) return term;
  if (/[^ea]ies$/.test(term)) return `${term.slice(0, -3)}y`;
  if (/[^aeo]es$/.test(term)) return term.slice(0, -1);
  return /[^us]s$/.test(term) ? term.slice(0, -1) : term;
}
