/** The stored text of an answer has no markers, however the model's text arrives. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openMarkers } from '../../../../lib/replies/request/markers.ts';

function filter(deltas: readonly string[], passageCount = 3) {
  const markers = openMarkers(passageCount);
  const parts = [...deltas.map((delta) => markers.push(delta)), markers.end()];
  const { cited, removed, length } = markers;
  return { text: parts.join(''), parts, cited, removed, length };
}

const numbersIn = (text: string) => filter([text]).cited.map(({ number }) => number);

describe('a marker is taken out with the space before it', () => {
  test.each<[string, string, number[]]>([
    ['It was sold [1].', 'It was sold.', [1]],
    ['It was sold. [1] Next', 'It was sold. Next', [1]],
    ['It was sold.[1] Next', 'It was sold. Next', [1]],
    ['sold [1], then [2]!', 'sold, then!', [1, 2]],
    ['sold [1][2].', 'sold.', [1, 2]],
    ['sold [1] [2] and', 'sold and', [1, 2]],
    ['sold [1, 2].', 'sold.', [1, 2]],
    ['sold [ 1 ;3 ].', 'sold.', [1, 3]],
    ['sold [1-3].', 'sold.', [1, 2, 3]],
    ['sold [[1], [2]].', 'sold.', [1, 2]],
    ['出售【1】。', '出售。', [1]],
    ['[1] First', 'First', [1]],
    ['First\n\n[1] Second', 'First\n\nSecond', [1]],
    ['First [1]\n\nSecond', 'First\n\nSecond', [1]],
    ['See [1]for more', 'See for more', [1]],
    ['See [1](https://acme.example)', 'See (https://acme.example)', [1]],
    ['End [2]\n', 'End', [2]],
    ['\n  Start', 'Start', []],
    ['[1]', '', [1]],
  ])('%j', (answer, text, numbers) => {
    expect(filter([answer])).toMatchObject({ text, removed: 0 });
    expect(numbersIn(answer)).toEqual(numbers);
  });
});

test.each([
  '[a]',
  'array[0]',
  'grid[0][0] = 1',
  '[text](https://acme.example/1)',
  '- [ ] a\n- [x] b',
  'a[-1]',
  '[]',
  '[1a]',
  '[[',
  ']',
  'f[a[0]]',
  '[1, 2, a]',
  '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]',
  '(1)',
  'A 😀 b',
])('%j stays as it is', (text) => {
  expect(filter([text])).toMatchObject({ text, cited: [], removed: 0 });
});

test.each([
  ['sold [4].', 'sold.', 1],
  ['sold [0].', 'sold.', 1],
  ['sold [1, 99] and [2024]', 'sold and', 2],
  ['sold [2-9]', 'sold', 1],
  ['sold [999999999999999999999999]', 'sold', 1],
])('%j has numbers of no passage, which are removed and counted', (answer, text, removed) => {
  expect(filter([answer])).toMatchObject({ text, removed });
});

test('without passages, every number is of no passage', () => {
  expect(filter(['sold [1] [2].'], 0)).toMatchObject({ text: 'sold.', cited: [], removed: 2 });
});

test('a citation has its place in the stored text', () => {
  const { text, cited } = filter(['It was sold [2]. It is 😀 gone [1][3] now.']);
  expect(text).toBe('It was sold. It is 😀 gone now.');
  expect(cited).toEqual([
    { number: 2, at: 'It was sold'.length },
    { number: 1, at: 'It was sold. It is 😀 gone'.length },
    { number: 3, at: 'It was sold. It is 😀 gone'.length },
  ]);
});

test('the beginning of a marker at the end of a text that is cut off is left out', () => {
  expect(filter(['sold [1'])).toMatchObject({ text: 'sold', cited: [], removed: 0 });
  expect(filter(['a list: ['])).toMatchObject({ text: 'a list: [' });
});

describe('however the text is cut', () => {
  const pieces = fc.constantFrom(
    '[',
    ']',
    '【',
    '】',
    '[1]',
    '[2, 9]',
    '[1-2]',
    '[0]',
    ' ',
    '\n',
    ',',
    '-',
    '1',
    '22',
    'a',
    '.',
    'sold',
    '(',
    '😀',
    '\ud83d',
    '\ude00',
    'é',
  );
  const answers = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''));

  test('the joined parts, the citations and the counts are the same', () => {
    fc.assert(
      fc.property(answers, fc.array(fc.nat(60), { maxLength: 10 }), (answer, cuts) => {
        const places = [0, ...cuts.map((cut) => Math.min(cut, answer.length)), answer.length].sort(
          (a, b) => a - b,
        );
        const deltas = places.slice(1).map((end, index) => answer.slice(places[index], end));
        const { parts: _, ...whole } = filter([answer]);
        const { parts, ...cut } = filter(deltas);
        expect(cut).toEqual(whole);
        expect(filter(answer.split(''))).toMatchObject(whole);
        expect(whole.length).toBe(whole.text.length);
        // Each part is stored as UTF-8.
        expect(parts.filter((part) => !part.isWellFormed())).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  test('a marker that is cut at each character is removed', () => {
    const answer = 'It was sold [1, 2]. 【3】 Now [[1], [2]] it is gone [9].';
    for (let first = 0; first <= answer.length; first += 1) {
      for (let second = first; second <= answer.length; second += 1) {
        const deltas = [answer.slice(0, first), answer.slice(first, second), answer.slice(second)];
        expect(filter(deltas)).toMatchObject({ text: 'It was sold. Now it is gone.', removed: 1 });
      }
    }
  });

  test('the stored text has no marker, and no space at its ends', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const { text } = filter([answer]);
        expect(text).not.toMatch(/(?<![\p{L}\p{N}_)\]])[[【]\s{0,9}\d{1,9}\s{0,9}[\]】]/u);
        expect(text).toBe(text.trim());
      }),
      { numRuns: 5000 },
    );
  });

  test('at most 32 characters of a text without white space are held back', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const markers = openMarkers(3);
        const sent = answer.replace(/\s/g, '').toWellFormed();
        const written = markers.push(sent);
        const rest = markers.end();
        expect(rest.length).toBeLessThanOrEqual(32);
        expect(written.length + rest.length).toBeLessThanOrEqual(sent.length);
      }),
    );
  });
});

test.each(['[', '[1', '[ ', ' ', ']', '[[1],', '[1 1 1 1 1 1 1,', '\ud83d'])(
  'a long text of %j takes linear time',
  (unit) => {
    const msFor = (length: number) => {
      const start = performance.now();
      filter([unit.repeat(length / unit.length)]);
      return performance.now() - start;
    };
    // Quadratic time would be minutes.
    expect(msFor(unit === '[' ? 1_000_000 : 200_000)).toBeLessThan(20_000);
  },
);
