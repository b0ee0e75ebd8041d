import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Output, output } from '../../../lib/scores/output.ts';
import { checkValue, slotKeys, slotOf } from '../../../lib/scores/value.ts';

const number = (min: number, max: number): Output => ({ type: 'number', min, max });
const category: Output = { type: 'category', values: ['good', 'bad'] };
const object: Output = {
  type: 'object',
  schema: {
    type: 'object',
    required: ['reason'],
    properties: {
      reason: { type: 'string', enum: ['refund', 'other'] },
      note: { type: 'string', maxLength: 3 },
      steps: { type: 'array', maxItems: 2, items: { type: 'integer', minimum: 1, maximum: 9 } },
      large: { type: 'string' },
    },
  },
};

test.each<[Output, unknown, string | undefined]>([
  [{ type: 'boolean' }, true, undefined],
  [{ type: 'boolean' }, 'true', 'must be true or false'],
  [{ type: 'boolean' }, null, 'must be true or false'],
  [number(1, 5), 1, undefined],
  [number(1, 5), 5, undefined],
  [number(1, 5), 0.99, 'must be at least 1'],
  [number(1, 5), 5.01, 'must be at most 5'],
  [number(1, 5), Number.NaN, 'must be a number'],
  [number(1, 5), '3', 'must be a number'],
  [category, 'bad', undefined],
  [category, 'Bad', 'must be one of good, bad'],
  [category, ['bad'], 'must be one of good, bad'],
  [{ type: 'text' }, 'Two\n\tlines.', undefined],
  [{ type: 'text' }, '', 'must not be empty'],
  [{ type: 'text' }, ' \n ', 'must not be blank'],
  [{ type: 'text' }, 'a\u0085', 'must not contain control characters other than tabs and line breaks'],
  [{ type: 'text' }, '😀'.repeat(2000), undefined],
  [{ type: 'text' }, '😀'.repeat(2001), 'must be at most 2000 characters'],
  [{ type: 'text' }, '\ud83d', 'must be well-formed Unicode'],
  [{ type: 'text' }, 1, 'must be text'],
  [object, { reason: 'refund' }, undefined],
  [object, { reason: 'refund', note: '😀😀😀', steps: [1, 9] }, undefined],
  [object, null, 'must be an object'],
  [object, [], 'must be an object'],
  [object, {}, 'reason is required'],
  [object, { reason: 'x' }, 'reason must be one of refund, other'],
  [object, { reason: 'other', note: 'four' }, 'note must be at most 3 characters'],
  [object, { reason: 'other', note: '\udc00' }, 'note must be well-formed Unicode'],
  [
    object,
    { reason: 'other', note: '\u001b[' },
    'note must not contain control characters other than tabs and line breaks',
  ],
  [object, { reason: 'other', steps: {} }, 'steps must be a list'],
  [object, { reason: 'other', steps: [1, 2, 3] }, 'steps must have at most 2 items'],
  [object, { reason: 'other', steps: [1, 1.5] }, 'steps.1 must be a whole number'],
  [object, { reason: 'other', steps: [0] }, 'steps.0 must be at least 1'],
  [object, { reason: 'other', steps: [10] }, 'steps.0 must be at most 9'],
  [object, { reason: 'other', more: 1 }, 'must not have the field "more"'],
  [object, { reason: 'other', toString: 1 }, 'must not have the field "toString"'],
  [object, { reason: 'other', large: 'x'.repeat(17_000) }, 'must be at most 16384 bytes as JSON'],
])('%j: %j', (output, value, reason) => {
  expect(checkValue(output, value)).toBe(reason);
});

test('a value that is nested deep is refused', () => {
  const value = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
  expect(checkValue(object, { reason: 'other', steps: value })).toBe('steps.0 must be a number');
  expect(checkValue(object, { reason: 'other', more: value })).toBe('must not have the field "more"');
  for (const output of [number(1, 5), category, { type: 'text' } as const])
    expect(checkValue(output, value)).toEqual(expect.any(String));
});

describe('slots', () => {
  test.each<[Output, string[]]>([
    [{ type: 'boolean' }, ['false', 'true']],
    [category, ['good', 'bad']],
    [number(1, 5), ['1', '2', '3', '4', '5']],
    [number(-1, 1), ['-1', '0', '1']],
    [
      number(0, 100),
      ['0-10', '10-20', '20-30', '30-40', '40-50', '50-60', '60-70', '70-80', '80-90', '90-100'],
    ],
    [
      number(0, 1),
      [
        '0-0.1',
        '0.1-0.2',
        '0.2-0.3',
        '0.3-0.4',
        '0.4-0.5',
        '0.5-0.6',
        '0.6-0.7',
        '0.7-0.8',
        '0.8-0.9',
        '0.9-1',
      ],
    ],
    [
      number(1e6, 1e6 + 20),
      Array.from({ length: 10 }, (_, index) => `${1e6 + 2 * index}-${1e6 + 2 * index + 2}`),
    ],
    [{ type: 'text' }, ['any']],
    [object, ['any']],
  ])('of %j', (output, keys) => {
    expect(slotKeys(output)).toEqual(keys);
  });

  test.each<[Output, unknown, string]>([
    [{ type: 'boolean' }, false, 'false'],
    [{ type: 'boolean' }, true, 'true'],
    [category, 'bad', 'bad'],
    [number(1, 5), 1, '1'],
    [number(1, 5), 3.4, '3'],
    [number(1, 5), 3.5, '4'],
    [number(1, 5), 5, '5'],
    [number(-1, 1), -0.4, '0'],
    [number(0, 1), 0.3, '0.3-0.4'],
    [number(0, 1), 0.7, '0.7-0.8'],
    [number(0, 1), 0.2999, '0.2-0.3'],
    [number(0, 1), 1, '0.9-1'],
    [number(0, 100), 0, '0-10'],
    [number(0, 100), 10, '10-20'],
    [number(0, 100), 100, '90-100'],
    [{ type: 'text' }, 'words', 'any'],
  ])('%j counts %j as %s', (output, value, key) => {
    expect(slotKeys(output)[slotOf(output, value)]).toBe(key);
  });

  const outputs = fc
    .tuple(fc.double({ min: -1e9, max: 1e9, noNaN: true }), fc.double({ min: -1e9, max: 1e9, noNaN: true }))
    .map(([min, max]) => ({ type: 'number', min, max }))
    .filter((value) => output.safeParse(value).success)
    .map((value) => output.parse(value));

  test('every number of an output has a slot with a key of its own, which grows with the number', () => {
    fc.assert(
      fc.property(
        outputs,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 }),
        (one, shares) => {
          if (one.type !== 'number') return;
          const keys = slotKeys(one);
          expect(new Set(keys).size).toBe(keys.length);
          expect(keys.length).toBeLessThanOrEqual(21);
          const values = shares
            .map((share) => Math.min(one.max, Math.max(one.min, one.min + share * (one.max - one.min))))
            .sort((a, b) => a - b);
          const slots = [one.min, ...values, one.max].map((value) => slotOf(one, value));
          expect(slots.every((slot) => Number.isInteger(slot) && slot >= 0 && slot < keys.length)).toBe(true);
          expect(slots).toEqual([...slots].sort((a, b) => a - b));
          expect([slots[0], slots.at(-1)]).toEqual([0, keys.length - 1]);
        },
      ),
    );
  });
});
