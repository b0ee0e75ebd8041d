import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FactKey, factId, isBefore, rankOf, scoreSources } from '../../../lib/scores/score.ts';

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
    for (const other of rising.slice(index + 1))
      expect([isBefore(one, other), isBefore(other, one)]).toEqual([true, false]);
});

test('an id', () => {
  expect(factId(fact('human', 2, 17))).toBe('csat#3#0000000002#0000000017');
});

const count = fc.integer({ min: 0, max: 9_999_999_999 });
const keys = fc.record({
  name: fc.constantFrom('csat', 'csat-2', 'csat_2', 'a'),
  source: fc.constantFrom(...scoreSources),
  version: count,
  messageCount: count,
});

const byBelief = (one: FactKey, other: FactKey): number =>
  rankOf[one.source] - rankOf[other.source] ||
  one.version - other.version ||
  one.messageCount - other.messageCount;

test('the ids of a name sort together, and as the facts are believed', () => {
  fc.assert(
    fc.property(fc.array(keys), (facts) => {
      const sorted = facts.toSorted((one, other) => (isBefore(one, other) ? -1 : 1));
      const names = sorted.map(({ name }) => name);
      expect(names.filter((name, index) => name !== names[index - 1])).toHaveLength(new Set(names).size);
      for (const name of new Set(names)) {
        const own = sorted.filter((one) => one.name === name);
        expect(own.map(factId)).toEqual(own.toSorted(byBelief).map(factId));
      }
    }),
  );
});
