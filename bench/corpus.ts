/** Realistic texts, the same in every run: words by Zipf's law, in sentences, paragraphs and sections. */

import { randomOf } from '../scripts/shared/random.ts';

const vocabularySize = 20_000;
const consonants = [...'bcdfghjklmnprst'];
const syllables = consonants.flatMap((consonant) => [...'aeiou'].map((vowel) => consonant + vowel));

/**
 * @returns the word of a rank, starting with 0 for the most frequent. Frequent words are short, and all words differ
 */
export function wordAt(rank: number): string {
  const rest = Math.floor(rank / syllables.length);
  return (rest === 0 ? '' : wordAt(rest - 1)) + syllables[rank % syllables.length];
}

/** The frequency of a word is proportional to 1 / (rank + 1). */
const cumulative = (() => {
  let sum = 0;
  return Array.from({ length: vocabularySize }, (_, rank) => {
    sum += 1 / (rank + 1);
    return sum;
  });
})();

function rankOf(share: number): number {
  const wanted = share * (cumulative.at(-1) ?? 0);
  let [low, high] = [0, vocabularySize - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cumulative[middle] ?? 0) > wanted) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** @returns the document with this number, in Markdown of about `bytes` */
export function documentAt(number: number, bytes: number) {
  const random = randomOf(number + 1);
  const words = (count: number) => Array.from({ length: count }, () => wordAt(rankOf(random()))).join(' ');
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const paragraph = () => Array.from({ length: between(3, 6) }, () => `${words(between(6, 18))}.`).join(' ');
  const title = words(4);
  let content = `# ${title}\n\n${paragraph()}\n`;
  while (content.length < bytes) {
    content += `\n## ${words(3)}\n`;
    for (let count = between(2, 4); count > 0; count -= 1) content += `\n${paragraph()}\n`;
  }
  return {
    externalId: `document-${number}`,
    title,
    content: content.slice(0, bytes),
    mimeType: 'text/markdown',
    tags: [`tag-${number % 10}`],
  };
}

/** @returns a query of one to four words of medium frequency */
export function queryAt(number: number): string {
  const random = randomOf(1_000_000 + number);
  const rank = () => 50 + Math.floor(random() ** 2 * 5000);
  return Array.from({ length: 1 + (number % 4) }, () => wordAt(rank())).join(' ');
}
