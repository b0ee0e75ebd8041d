import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  effectiveOf,
  type FactKey,
  factId,
  isBefore,
  parseFactId,
  scoreSources,
} from '../../../lib/scores/score.ts';

const fact = (source: FactKey['source'], version = 1, messageCount = 1): FactKey => ({
  name: 'csat',
  source,
  version,
  messageCount,
});

test('human before api before model and rule, then the newest version, then the most messages', () => {
  const rising = [
    fact('rule', 1, 2),
    fact('model', 1, 10),
    fact('rule', 2, 1),
    fact('model', 10, 1),
    fact('api', 1, 1),
    fact('api', 2, 1),
    fact('human', 1, 1),
    fact('human', 1, 100),
  ];
  for (const [index, one] of rising.entries())
    for (const other of rising.slice(index + 1)) {
      expect([isBefore(one, other), isBefore(other, one)]).toEqual([true, false]);
      expect(effectiveOf([other, one])).toBe(other);
    }
  expect(effectiveOf(rising.toReversed())).toEqual(fact('human', 1, 100));
  expect(effectiveOf([])).toBeUndefined();
});

test('an id', () => {
  const id = 'csat#3#0000000002#0000000017';
  expect(factId(fact('human', 2, 17))).toBe(id);
  expect(parseFactId(id)).toEqual({ name: 'csat', rank: 3, version: 2, messageCount: 17 });
  for (const other of ['', 'csat', 'csat#4#0000000002#0000000017', 'csat#3#2#17', `x#${id}`])
    expect(parseFactId(other)).toBeUndefined();
});

const count = fc.integer({ min: 0, max: 9_999_999_999 });
const keys = fc.record({
  name: fc.constantFrom('csat', 'csat-2', 'csat_2', 'a'),
  source: fc.constantFrom(...scoreSources),
  version: count,
  messageCount: count,
});

test('the ids of a name sort together, and as the facts are believed', () => {
  fc.assert(
    fc.property(fc.array(keys), (facts) => {
      const ids = facts.map(factId).sort();
      const names = ids.map((id) => parseFactId(id)?.name);
      expect(names.filter((name, index) => name !== names[index - 1])).toHaveLength(new Set(names).size);
      for (const name of new Set(names)) {
        const own = facts.filter((one) => one.name === name);
        const last = ids.filter((id) => parseFactId(id)?.name === name).at(-1);
        expect(effectiveOf(own) && factId(effectiveOf(own) ?? fact('api'))).toBe(last);
      }
    }),
  );
});
