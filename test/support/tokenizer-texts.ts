/**
 * Random texts in many scripts, to compare the tokenizer with its reference. The same texts every time.
 *
 *   node test/support/tokenizer-texts.ts 2000 > texts.jsonl
 *   python test/support/tokenizer_reference.py tokenizer.json < texts.jsonl    # hashes, by script
 *   node test/support/tokenizer-texts.ts 2000 --hashes                         # ours
 */

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { modelFolder } from '../../lib/search/semantic/encoder.ts';
import { createTokenizer } from '../../lib/search/semantic/word-pieces.ts';
import { randomOf } from '../../scripts/shared/random.ts';

/** First and last code points. */
const scripts: Record<string, readonly (readonly [number, number])[]> = {
  ascii: [[0x20, 0x7e]],
  'ASCII with control characters': [[0x00, 0x7f]],
  'Latin with accents': [
    [0x61, 0x7a],
    [0xa0, 0x24f],
  ],
  'phonetic letters and modifiers': [[0x250, 0x2ff]],
  'letters with marks in any order': [
    [0x61, 0x7a],
    [0x300, 0x36f],
  ],
  'Latin additional': [[0x1e00, 0x1eff]],
  Greek: [
    [0x370, 0x3ff],
    [0x1f00, 0x1fff],
  ],
  Cyrillic: [[0x400, 0x52f]],
  Armenian: [[0x531, 0x58a]],
  Hebrew: [[0x591, 0x5f4]],
  Arabic: [
    [0x620, 0x6ff],
    [0xfb50, 0xfbb1],
    [0xfe70, 0xfefc],
  ],
  Syriac: [[0x700, 0x74f]],
  Thaana: [[0x780, 0x7b1]],
  Devanagari: [[0x900, 0x97f]],
  Bengali: [[0x980, 0x9fb]],
  Gurmukhi: [[0xa01, 0xa75]],
  Gujarati: [[0xa81, 0xaf1]],
  Oriya: [[0xb01, 0xb54]],
  Tamil: [[0xb82, 0xbfa]],
  Telugu: [[0xc05, 0xc3b]],
  Kannada: [[0xc85, 0xcf2]],
  Malayalam: [[0xd05, 0xd3a]],
  Sinhala: [[0xd82, 0xdf4]],
  Thai: [[0xe01, 0xe5b]],
  Lao: [[0xe81, 0xeb9]],
  Tibetan: [[0xf00, 0xfda]],
  Myanmar: [[0x1000, 0x109f]],
  Georgian: [[0x10a0, 0x10fc]],
  'Hangul letters': [
    [0x1100, 0x11ff],
    [0x3131, 0x318e],
  ],
  Hangul: [[0xac00, 0xd7a3]],
  Ethiopic: [[0x1200, 0x139f]],
  Cherokee: [[0x13a0, 0x13fd]],
  'Canadian syllabics': [[0x1401, 0x166c]],
  'Ogham and runes': [[0x1680, 0x16f8]],
  Khmer: [[0x1780, 0x17f9]],
  Mongolian: [[0x1800, 0x18aa]],
  'punctuation and spaces': [
    [0x2000, 0x206f],
    [0x61, 0x7a],
  ],
  'currencies, letters and arrows': [[0x20a0, 0x21ff]],
  'mathematics and technical signs': [[0x2200, 0x23ff]],
  'numbers in circles, boxes and shapes': [[0x2400, 0x27bf]],
  'Glagolitic and Coptic': [[0x2c00, 0x2cee]],
  Kana: [
    [0x3040, 0x30ff],
    [0x31f0, 0x31ff],
    [0xff61, 0xff9f],
  ],
  Bopomofo: [[0x3105, 0x312d]],
  ideographs: [
    [0x4e00, 0x9fcc],
    [0x3400, 0x4db5],
  ],
  'compatibility ideographs': [
    [0xf900, 0xfad9],
    [0x2f800, 0x2fa1d],
  ],
  'rare ideographs': [
    [0x20000, 0x2a6d6],
    [0x2a700, 0x2b734],
    [0x2b740, 0x2b81d],
    [0x2b820, 0x2cea1],
  ],
  'forms of Latin and wide characters': [
    [0xfb00, 0xfb06],
    [0xff01, 0xff5e],
  ],
  'mathematical letters': [[0x1d400, 0x1d7cb]],
  emoji: [
    [0x1f300, 0x1f64f],
    [0x1f680, 0x1f6d0],
    [0x1f1e6, 0x1f1ff],
    [0x200d, 0x200d],
    [0xfe0f, 0xfe0f],
  ],
  'private use and specials': [
    [0xe000, 0xf8ff],
    [0xfff9, 0xfffd],
    [0x61, 0x7a],
  ],
};

/** Newer than the tables of the reference, as 655 other characters outside of these ranges are. */
const changed = new Set([0x180f, 0x1885, 0x1886]);

const vocabulary = () => readFileSync(`${modelFolder}/vocab.txt`, 'utf8');

/** @returns texts by script: characters of the script, words of the vocabulary, and what separates them */
export function textsByScript(count: number): Record<string, string[]> {
  const words = vocabulary().trim().split('\n');
  return Object.fromEntries(
    Object.entries(scripts).map(([script, ranges], number) => {
      const random = randomOf(number + 1);
      const below = (limit: number) => Math.floor(random() * limit);
      const character = (): string => {
        const [first, last] = ranges[below(ranges.length)] ?? [0x61, 0x61];
        const point = first + below(last - first + 1);
        return changed.has(point) ? 'a' : String.fromCodePoint(point);
      };
      const word = (): string => {
        const kind = below(10);
        if (kind === 0) return words[below(words.length)] ?? '';
        if (kind === 1) return (words[below(words.length)] ?? '').replace('##', '') + character();
        const length = below(100) === 0 ? 95 + below(12) : 1 + below(9);
        return Array.from({ length }, character).join('');
      };
      const separators = [' ', ' ', ' ', '', '\n', '\t', '  ', '. ', '-', "'", '\u00a0', '\u3000'];
      const text = () =>
        Array.from(
          { length: below(30) === 0 ? 400 : 1 + below(12) },
          () => word() + separators[below(separators.length)],
        ).join('');
      return [script, Array.from({ length: count }, text)];
    }),
  );
}

/** @returns for each script the hash of the tokens of its texts */
export function tokenHashes(count: number): Record<string, string> {
  const tokensOf = createTokenizer(vocabulary());
  return Object.fromEntries(
    Object.entries(textsByScript(count)).map(([script, texts]) => [
      script,
      hash('sha256', texts.map((text) => `${tokensOf(text).ids.join(' ')}\n`).join('')),
    ]),
  );
}

if (import.meta.main) {
  const count = Number(process.argv[2]);
  const found = process.argv.includes('--hashes')
    ? [tokenHashes(count)]
    : Object.entries(textsByScript(count));
  for (const one of found) console.log(JSON.stringify(one));
}
