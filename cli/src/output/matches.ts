/** Where the matching words of a search are in a passage. The command line and the console mark them. */

export type Span = { start: number; end: number };

const words = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*|\p{Extended_Pictographic}/gu;

/** These scripts have no spaces between words, so a matching word is a part of a longer run. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const folded = (text: string): string => text.normalize().toLowerCase();

/**
 * @param matchedWords the words that match, as the passage writes them; their case does not count
 * @returns where they are, in order, in UTF-16 code units
 */
export function matchesIn(passage: string, matchedWords: readonly string[]): Span[] {
  const wanted = new Set(matchedWords.map(folded));
  return [...passage.matchAll(words)].flatMap(({ 0: word, index }) => {
    if (wanted.has(folded(word))) return [{ start: index, end: index + word.length }];
    return unspaced.test(word) ? partsOf(word, index, matchedWords) : [];
  });
}

/** @param from where the run is in the passage */
function partsOf(run: string, from: number, matchedWords: readonly string[]): Span[] {
  const spans: Span[] = [];
  for (let at = 0; at < run.length; ) {
    const word = matchedWords.find((one) => one !== '' && run.startsWith(one, at));
    if (word) spans.push({ start: from + at, end: from + at + word.length });
    at += word ? word.length : 1;
  }
  return spans;
}
