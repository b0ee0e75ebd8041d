/** Words that are cut at the end of a line are joined. */

import { pageEnd } from '../../readers/sections.ts';
import { wrap } from './rows.ts';

const hyphens = '-\u00ad\u2010';
const softHyphen = /\u00ad/g;
/** A hyphen stands for the second part of a word before these words: `Vor- und Nachteile`. */
const conjunctions = new Set(
  'and or to und oder bzw sowie bis et ou y o u e en of och og eller i lub a ja tai'.split(' '),
);

const wordPart = '[\\p{L}\\p{M}]+';
/** A match begins at the hyphen, so that each letter is read once. `headBefore` has the part before the hyphen. */
const cutWord = new RegExp(
  `(?<=[\\p{L}\\p{M}])([${hyphens}]) ?(\\n\\n?|${wrap})((?:\\n*${pageEnd}\\n*)?) *(${wordPart})([^\\s${wrap}]*)( ?)(?=(\n)?)`,
  'gu',
);

/** @param text of the whole document: it may have the word with its hyphen elsewhere */
export function joinWords(text: string): string {
  if (!/[-\u00ad\u2010]/.test(text)) return text.replaceAll(wrap, ' ');
  const hyphenated = hyphenatedWords(text);
  let plain: Set<string> | undefined;
  const isPlain = (word: string) => {
    plain ??= new Set(text.match(/[\p{L}\p{M}]+/gu));
    return plain.has(word);
  };
  return text
    .replace(cutWord, (all: string, ...groups: (string | undefined)[]) => {
      const [hyphen, end = '', page = '', tail = '', rest = '', , lineEnd, at] = groups;
      const head = headBefore(text, Number(at));
      const isSoft = hyphen === '\u00ad';
      if (!isSoft && conjunctions.has(tail.toLowerCase())) return all;
      const isName = /^\p{Lu}/u.test(tail) && !isPlain(`${head}${tail}`);
      const isTwo = isName || hyphenated.has(`${head}-${tail}`.toLowerCase());
      // A line of which nothing is left would look like the end of a paragraph.
      return `${!isSoft && isTwo ? '-' : ''}${tail}${rest}${lineEnd && !page ? '' : end}${page}`;
    })
    .replace(softHyphen, '')
    .replaceAll(wrap, ' ');
}

/** No word is longer. */
const maxHead = 200;

/** @returns the letters right before this place */
const headBefore = (text: string, at: number): string =>
  text
    .slice(Math.max(0, at - maxHead), at)
    .split(/[^\p{L}\p{M}]/u)
    .at(-1) ?? '';

/** @returns the words with a hyphen that stand within a line */
function hyphenatedWords(text: string): Set<string> {
  const words = new Set<string>();
  // Words without a hyphen match, too, so that each letter is read once.
  for (const [word] of text.matchAll(/[\p{L}\p{M}]+(?:[-\u2010][\p{L}\p{M}]+)*/gu)) {
    const parts = word.toLowerCase().split(/[-\u2010]/);
    for (let at = 1; at < parts.length; at += 1) words.add(`${parts[at - 1]}-${parts[at]}`);
  }
  return words;
}
