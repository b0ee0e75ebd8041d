/** Worst-case texts for splitting into words, of any size. */

import fc from 'fast-check';

const upTo = (bytes: number, text: string) => {
  let length = Math.floor((bytes / Buffer.byteLength(text)) * text.length);
  // Never splits a character.
  while (length > 0 && /[\uDC00-\uDFFF]/.test(text[length % text.length] ?? '')) length -= 1;
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
};

const distinct = (bytes: number, separator: string) => {
  const words: string[] = [];
  for (let n = 0, length = 0; ; n += 1) {
    const word = n.toString(36) + separator;
    length += Buffer.byteLength(word);
    if (length > bytes) return words.join('');
    words.push(word);
  }
};

/** @returns texts of at most this many bytes in UTF-8, by what is bad about them */
export const worstTexts = (bytes: number): Record<string, string> => ({
  'one word': upTo(bytes, 'x'),
  'one word again and again': upTo(bytes, 'word '),
  'words of one letter': upTo(bytes, 'a '),
  'different words': distinct(bytes, ' '),
  'apostrophes in one word': upTo(bytes, "a'"),
  'marks on one letter, in the wrong order': `e${upTo(bytes - 1, '\u0301\u0323')}`,
  'half-width marks on one letter': `ア${upTo(bytes - 3, '\uff9e\u0334')}`,
  'marks without a letter': upTo(bytes, '\u0301\u0323'),
  'thirty marks on each letter': upTo(bytes, `e${'\u0301\u0323'.repeat(15)}`),
  'decomposed letters': upTo(bytes, 'e\u0301'),
  'a character that becomes 18': upTo(bytes, '\ufdfa'),
  'a character that becomes six': upTo(bytes, '\u3316'),
  'half-width voiced letters': upTo(bytes, 'ﾊﾟ'),
  'vowels of Hangul': upTo(bytes, '\u1161'),
  'joined emoji without an end': upTo(bytes, '👨\u200d'),
  families: upTo(bytes, '👨‍👩‍👧‍👦'),
  'regional indicators': upTo(bytes, '🇩'),
  'variation selectors': `❤${upTo(bytes - 3, '\ufe0f')}`,
  'tags on an emoji': `🏴${upTo(bytes - 4, '\u{e0067}')}`,
  'soft hyphens': upTo(bytes, '\u00ad'),
  'soft hyphens between marks': upTo(bytes, '\u05b7\u00ad\u05b0\u00ad'),
  'half-width marks between soft hyphens': upTo(bytes, '\u00ad\uff9e'),
  'Thai without spaces': upTo(bytes, 'ฉันไปซื้อโทรศัพท์มือถือใหม่ที่ร้านในกรุงเทพ'),
  'one Thai letter': upTo(bytes, 'ก'),
  'Chinese without spaces': upTo(bytes, '我昨天在北京的商店买了一部新手机但是它坏了'),
  Katakana: upTo(bytes, 'ア'),
  'quotation marks': upTo(bytes, '"a" '),
  'nothing but spaces': upTo(bytes, ' '),
});

/** Repeats a few characters of this kind in any order. */
export const anyWorstText = (bytes: number) =>
  fc
    .string({
      unit: fc.constantFrom(
        ...[
          'a',
          ' ',
          "'",
          'ß',
          '\u0301',
          '\u0323',
          '\u00ad',
          '\u200d',
          '\ufe0f',
          '\ufdfa',
          '\u3316',
          '\u0e4d',
          '\u0e32',
        ],
        ...[
          'ก',
          'ア',
          '\uff9e',
          '我',
          '\u1100',
          '\u1161',
          '\u11a8',
          '👨',
          '🏽',
          '🇩',
          '\u{e0067}',
          '"',
          'İ',
          '\u0344',
        ],
      ),
      minLength: 1,
      maxLength: 12,
    })
    .map((part) => upTo(bytes, part));
