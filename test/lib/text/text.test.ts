/** Words, queries and snippets: what a search compares and shows. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesIn, parseQuery } from '../../../lib/text/query.ts';
import { snippetOf } from '../../../lib/text/snippet.ts';
import { hasTerm, termsIn } from '../../../lib/text/terms.ts';

const terms = (text: string) => [...termsIn(text)].map(({ term }) => term);
const graphemes = new Intl.Segmenter();
const anyText = fc.string({ unit: 'binary', maxLength: 60 });
const foundIn = (text: string, query: string) =>
  matchesIn(text, parseQuery(query))?.map(({ start, end }) => text.slice(start, end));

describe('terms', () => {
  test.each([
    ["Où est l'École? l’école", ['ou', 'est', "l'ecole", "l'ecole"]],
    ['Straße STRASSE ΟΔΌΣ οδός İstanbul', ['strasse', 'strasse', 'οδος', 'οδος', 'istanbul']],
    ['Ёлка ёлка елка', ['елка', 'елка', 'елка']],
    ['كِتَابٌ كتاب أحمد احمد', ['كتاب', 'كتاب', 'احمد', 'احمد']],
    ['東京都に住む', ['東京', '都', 'に', '住む']],
    ['ﾊﾟｿｺﾝ パソコン ４７１１', ['パソコン', 'パソコン', '4711']],
    ['สวัสดีครับ', ['สวัสดี', 'ครับ']],
    ['किताब', ['किताब']],
    ['👍👍🏽 ❤️❤ 👨‍👩‍👧🇩🇪🇫🇷', ['👍', '👍🏽', '❤', '❤', '👨‍👩‍👧', '🇩🇪', '🇫🇷']],
    ['shop.example.com a_b 3.14 …—?', ['shop', 'example', 'com', 'a', 'b', '3', '14']],
    ['これはペンです'.normalize('NFD'), ['これ', 'は', 'ペン', 'です']],
    ['これはﾍﾟﾝです', ['これ', 'は', 'ペン', 'です']],
    ['คำสั่งซื้อ'.normalize('NFKD'), ['คำ', 'สั่ง', 'ซื้อ']],
    ['한국어 ㅋㅋ'.normalize('NFD'), terms('한국어 ㅋㅋ')],
    ['Donau\u00adschiff it＇s 50㎡', ['donauschiff', "it's", '50m2']],
    ['ꀀ⅐', ['ꀀ1', '7']],
    ['ﷲ ﷺ', ['الله', 'ﷺ']],
    ['', []],
  ])('of %s', (text, expected) => {
    expect(terms(text)).toEqual(expected);
  });

  test('do not begin or end within a character', () => {
    expect([...termsIn('\u{1D1BB}')].map(({ start, end }) => [start, end])).toEqual([[0, 2]]);
  });

  test('have the positions that they state, in order', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let behind = 0;
        let before = -1;
        for (const { term, start, end } of termsIn(text)) {
          expect(start).toBeGreaterThanOrEqual(before);
          // One character can stand for several words, or be the end of one and the start of the next: ⅐ is 1⁄7.
          const shared = [...graphemes.segment(text.slice(start, Math.max(start, behind)))];
          if (start !== before) expect(shared.length).toBeLessThanOrEqual(1);
          before = start;
          // How letters split into words depends on the letters around them: 가ᄚ is one word, but two before 𠀀.
          const word = text.slice(start, end);
          // The marks that repeat a letter are no words on their own.
          expect(/^[々〻]+$/.test(word) ? word : terms(word).join('')).toContain(term);
          behind = end;
        }
        expect(behind).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2000, examples: [['㉮ㅀ𠀀'], ['々𠀀'], ['あ〻𠀀']] },
    );
  });

  test('have at most 64 characters, are never empty, and fit into a key', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const term of terms(text)) {
          expect(term).not.toBe('');
          expect([...term].length).toBeLessThanOrEqual(64);
          expect(term).not.toContain('#');
        }
      }),
      { numRuns: 2000 },
    );
    expect(terms('𝒳'.repeat(80))).toEqual(terms('x'.repeat(64)));
    expect(terms('😀'.repeat(3))).toEqual(['😀', '😀', '😀']);
  });

  test('a term is its own only term, in every Unicode form', () => {
    const unit = fc.constantFrom(...'aÄßςΣİıéŒﬁ１한كَأЁ');
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1, maxLength: 8 }), (text) => {
        expect(terms(terms(text).join(' '))).toEqual(terms(text));
        for (const form of [text.normalize('NFC'), text.normalize('NFD'), text.toUpperCase()]) {
          expect(terms(form)).toEqual(terms(text));
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('a text has the same terms in every Unicode form, even without spaces', () => {
    const unit = fc.constantFrom(
      ...[
        'これは',
        'ペン',
        'ﾍﾟﾝ',
        'です',
        'パソコンを',
        '買った',
        'コ',
        'ﾞ',
        '東京',
        '한국어',
        'ㅋ',
        'ㅠ',
        'คำ',
        'สั่ง',
        'น้ำ',
        'ກຳ',
      ],
      ...[
        'å',
        'Å',
        'ё',
        'ß',
        '½',
        '㍍',
        '㍿',
        'ﬁ',
        '　',
        ' ',
        '。',
        'ﾟ',
        '\u0301',
        '\u093c',
        'क',
        '👍🏽',
        'ﷲ',
        'ﷺ',
      ],
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 20 }), (text) => {
        for (const form of [text.normalize('NFC'), text.normalize('NFD')]) {
          expect(terms(form)).toEqual(terms(text));
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe('a span', () => {
  const parts = (text: string) => [...termsIn(text)].map(({ start, end }) => text.slice(start, end));
  test.each([
    [['これ', 'は', 'ペン', 'です'].map((part) => part.normalize('NFD'))],
    [['これ', 'は', 'ﾍﾟﾝ', 'です']],
    [['한국어', ' ', 'ㅋㅋㅋ']],
    [['½', ' ', 'e\u0301\u0323x', ' ', 'ﬁn', '…', 'é'.normalize('NFD'), '…', '👍🏽']],
  ])('of %j is a part of the original', (written) => {
    const words = written.filter((part) => hasTerm(part));
    expect([...new Set(parts(written.join('')))]).toEqual(words);
  });
});

describe('a query', () => {
  test.each([
    ['my order', ['my', 'order'], []],
    ['"my order" now', ['now'], [['my', 'order']]],
    [
      '“my order” „wo ist“',
      [],
      [
        ['my', 'order'],
        ['wo', 'ist'],
      ],
    ],
    ['"order"', ['order'], []],
    ['my my MY', ['my'], []],
    ['not "closed phrase', ['not', 'closed', 'phrase'], []],
    [
      '"a b""c d"',
      [],
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['"" ?!', [], []],
  ])('%s', (text, words, phrases) => {
    expect(parseQuery(text)).toMatchObject({ words, phrases });
  });

  test('a repeated phrase counts once', () => {
    expect(parseQuery('"a b" "A  b"').phrases).toEqual([['a', 'b']]);
  });

  test('a phrase is found everywhere, even if it overlaps itself', () => {
    const words = (max: number) => fc.array(fc.constantFrom('a', 'b'), { minLength: 2, maxLength: max });
    fc.assert(
      fc.property(words(40), words(6), (text, phrase) => {
        const places = text
          .map((_, at) => at)
          .filter((at) => phrase.every((word, offset) => text[at + offset] === word));
        const covered = text.map((_, at) =>
          places.some((place) => place <= at && at < place + phrase.length),
        );
        const spans = matchesIn(text.join(' '), { words: [], phrases: [phrase] }) ?? [];
        // Each word is one letter and a space.
        expect(text.map((_, at) => spans.some(({ start, end }) => start <= 2 * at && 2 * at < end))).toEqual(
          covered,
        );
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['Where is my order?', 'ORDER my', ['my', 'order']],
    ['Where is my order?', 'my invoice', undefined],
    ['Where is my order?', 'ord', undefined],
    ['my, order: my order', '"my order"', ['my, order', 'my order']],
    ['order my', '"my order"', undefined],
    ['a a a', '"a a"', ['a a a']],
    ['my order my', 'my "my order"', ['my order', 'my']],
    ['一つ、東京都に住む', '東京', ['東京']],
    ['ok 👍🏽', '👍🏽', ['👍🏽']],
  ])('in %s, %s', (text, query, found) => {
    expect(foundIn(text, query)).toEqual(found);
  });
});

describe('a snippet', () => {
  const snippet = (text: string, query: string) => snippetOf(text, matchesIn(text, parseQuery(query)) ?? []);

  test('of a short text is the text on one line', () => {
    expect(snippet('Where\nis my\torder?', 'my order')).toEqual({
      snippet: 'Where is my order?',
      matches: [
        { start: 9, end: 11 },
        { start: 12, end: 17 },
      ],
    });
  });

  test('shows where most matches are', () => {
    const text = `${'order and so on. '.repeat(20)}${'filler '.repeat(50)}my order, my order. ${'more '.repeat(60)}`;
    const { snippet: shown, matches } = snippet(text, '"my order"');
    expect(shown).toMatch(/^….*my order, my order\..*…$/);
    expect(matches.map(({ start, end }) => shown.slice(start, end))).toEqual(['my order', 'my order']);
  });

  test('of one very long word shows its beginning', () => {
    const { snippet: shown, matches } = snippet('x'.repeat(16_000), 'x'.repeat(64));
    expect(shown).toHaveLength(241);
    expect(matches).toEqual([{ start: 0, end: 240 }]);
  });

  test('states the position of every match, in any script and at any length', () => {
    const word = fc.constantFrom(
      'order',
      'Órder',
      '注文',
      'คำสั่งซื้อ',
      '👍🏽',
      '👨‍👩‍👧',
      'كِتَاب',
      'x',
      'y\n\n',
      'zzzzzzzzzzzz',
    );
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 150 }),
        fc.constantFrom(' ', '', ', '),
        (words, by) => {
          const text = words.join(by);
          const all = [...new Set(terms(text))];
          const query = { words: all.slice(0, 2), phrases: [] };
          const spans = matchesIn(text, query) ?? [];
          const { snippet: shown, matches } = snippetOf(text, spans);
          expect(shown.isWellFormed()).toBe(true);
          expect(shown.length).toBeLessThanOrEqual(240 + 2);
          if (spans.length > 0) expect(matches.length).toBeGreaterThan(0);
          for (const { start, end } of matches)
            expect(query.words).toContain(terms(shown.slice(start, end))[0]);
        },
      ),
    );
  });
});
