/** The intersection of several partitions, with generated partitions. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Budget, intersect, openSource } from '../../../lib/dynamodb/intersection.ts';
import type { PageQuery, Store } from '../../../lib/dynamodb/store.ts';

const idOf = (n: number) => String(n).padStart(5, '0');
const behind = (place: string) => idOf(Number(place) - 1);
const all = idOf(99_999);

/** A store whose partitions hold these numbers, by their names. */
function storeOf(partitions: Record<string, ReadonlySet<number>>) {
  const reads: number[] = [];
  const page = async (_: string, { partition = [], from, to, limit }: PageQuery) => {
    const ids = [...(partitions[partition[0] ?? ''] ?? [])].map(idOf).sort().reverse();
    const inside = ids.filter((id) => id >= from && id <= to);
    const items = inside.slice(0, limit).map((id) => ({ tenant: '', id }));
    reads.push(items.length);
    return { items, next: inside.length > limit ? (items.at(-1)?.id ?? null) : null };
  };
  return { store: { page } as unknown as Store, reads };
}

/** @returns all places, over as many calls as it takes */
async function collect(store: Store, names: readonly string[], pageSize: number, budgetOf: () => Budget) {
  const places: string[] = [];
  let calls = 0;
  for (let begin: string | null = all; begin !== null; calls += 1) {
    const budget = budgetOf();
    const sources = names.map((name) => ({
      source: openSource(store, { table: 'messages', partition: [name], from: idOf(0), budget, pageSize }),
      exact: name !== 'filter',
    }));
    const found = intersect(sources, begin, behind);
    for (;;) {
      const { done, value } = await found.next();
      if (done) {
        if (value !== null && value >= begin) throw new Error('it does not get on');
        begin = value;
        break;
      }
      places.push(value.place);
    }
  }
  return { places: places.map(Number), calls };
}

const numbers = (max: number) => fc.uniqueArray(fc.nat(max), { maxLength: 400 }).map((some) => new Set(some));
/** Scarce, common, or common in one part alone. */
const partition = fc.oneof(
  numbers(5000),
  numbers(400),
  fc.nat(3000).map((from) => new Set(Array.from({ length: 1500 }, (_, n) => from + n))),
  fc.nat(5000).map((one) => new Set([one])),
);

test('returns each common id once; a smaller budget only needs more calls', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(partition, { minLength: 1, maxLength: 4 }),
      fc.option(partition, { nil: undefined }),
      fc.integer({ min: 1, max: 60 }),
      fc.constantFrom(300, 1000, 100_000),
      async (terms, filter, pageSize, left) => {
        const partitions = Object.fromEntries(terms.map((numbers, index) => [`term${index}`, numbers]));
        const { store } = storeOf({ ...partitions, ...(filter && { filter }) });
        const names = [...Object.keys(partitions), ...(filter ? ['filter'] : [])];
        const { places } = await collect(store, names, pageSize, () => ({ left }));
        expect(places).toEqual(places.toSorted((a, b) => b - a));
        expect(new Set(places).size).toBe(places.length);
        for (const place of places) expect(terms.some((numbers) => numbers.has(place))).toBe(true);
        const common = [...(terms[0] ?? [])].filter((n) =>
          [...terms, ...(filter ? [filter] : [])].every((s) => s.has(n)),
        );
        expect(places).toEqual(expect.arrayContaining(common));
      },
    ),
    { numRuns: 150 },
  );
});

test('a rare source is not slowed down by a frequent one', async () => {
  const common = new Set(Array.from({ length: 20_000 }, (_, n) => n));
  const scarce = new Set(Array.from({ length: 20 }, (_, n) => n * 1000));
  const { store, reads } = storeOf({ common, scarce });
  const { places, calls } = await collect(store, ['common', 'scarce'], 26, () => ({ left: 1000 }));
  expect([places.length, calls]).toEqual([20, 1]);
  expect(reads.reduce((sum, count) => sum + count)).toBeLessThan(100);
});

test('an exact source is always read, however frequent it is', async () => {
  const term = new Set(Array.from({ length: 10_000 }, (_, n) => 2 * n));
  const filter = new Set(Array.from({ length: 20 }, (_, n) => 1000 * n + 1));
  const { store } = storeOf({ term, filter });
  expect((await collect(store, ['term', 'filter'], 26, () => ({ left: 1000 }))).places).toEqual([]);
});

test('a call reads little more than its budget, in pages of limited size', async () => {
  const even = new Set(Array.from({ length: 10_000 }, (_, n) => 2 * n));
  const odd = new Set([...even].map((n) => n + 1));
  const { store, reads } = storeOf({ even, odd });
  const budget = { left: 600 };
  const sources = ['even', 'odd'].map((name) => ({
    source: openSource(store, { table: 'messages', partition: [name], from: idOf(0), budget, pageSize: 40 }),
    exact: true,
  }));
  const { done, value } = await intersect(sources, all, behind).next();
  expect([done, typeof value]).toEqual([true, 'string']);
  expect(reads.slice(0, 2)).toEqual([40, 40]);
  expect(Math.max(...reads)).toBe(256);
  const read = reads.reduce((sum, count) => sum + count);
  expect(read).toBeGreaterThan(500);
  // Both sources may begin a page when a little is left.
  expect(read).toBeLessThanOrEqual(600 + 2 * 256);
});
