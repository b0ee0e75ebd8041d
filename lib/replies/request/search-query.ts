/** What is searched for a question. Pure. */

import { hasTerm, termsIn } from '../../text/terms.ts';

/** The limit of a search, in characters. */
export const maxQueryLength = 500;

/** A question with fewer different words refers to what was said before: "And abroad?" */
const wordsOfOwn = 6;

/** So many earlier questions may say what the question is about. */
const maxEarlier = 3;

/**
 * @param question the last message of the user
 * @param earlier the messages of the user before it, oldest first
 * @returns at most 500 characters; undefined if nothing has a word
 */
export function searchQuery(question: string, earlier: readonly string[]): string | undefined {
  const parts = [plain(question)];
  for (const text of earlier.toReversed().slice(0, maxEarlier)) {
    if (wordCount(parts) >= wordsOfOwn) break;
    parts.push(plain(text));
  }
  const query = parts.reduce((all, part) => {
    const room = maxQueryLength - all.length - 1;
    return room > 0 ? `${all} ${bothEnds(part, room)}`.trim() : all;
  }, '');
  return hasTerm(query) ? query : undefined;
}

/** Words in quotation marks would have to be found one after the other. */
const plain = (text: string): string => text.replace(/[\s\p{Cc}"“”„]+/gu, ' ').trim();

/** @returns a number up to the limit */
function wordCount(texts: readonly string[]): number {
  const words = new Set<string>();
  for (const text of texts) {
    for (const { term } of termsIn(bothEnds(text, maxQueryLength))) {
      words.add(term);
      if (words.size === wordsOfOwn) return words.size;
    }
  }
  return words.size;
}

/** A long text has its question at the beginning or at the end. @returns whole words of both, at most this many characters */
function bothEnds(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = Math.floor((length - 1) / 2);
  const start = text
    .slice(0, half + 1)
    .replace(/\s\S*$/, '')
    .slice(0, half);
  const end = text
    .slice(-half - 1)
    .replace(/^\S*\s/, '')
    .slice(-half);
  return `${start} ${end}`.toWellFormed().replaceAll('\ufffd', '').trim();
}
