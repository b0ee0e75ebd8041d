/**
 * What several partitions have in common, newest first, without reading all of any: each skips to where the others are
 * ("leapfrog": T. Veldhuizen, "Leapfrog Triejoin", ICDT 2014, section 3.1). What sorts as text is compared as text.
 */

import type { Partition, Store } from './store.ts';
import type { TableName } from './tables.ts';

/** How many items may still be read. */
export type Budget = { left: number };

/** One of the partitions. */
export type Source = {
  /** @returns its greatest place up to this one; null where there is none, undefined where the budget is used up */
  upTo(bound: string): Promise<string | null | undefined>;
  /** How many of its reads in a row were for little: the others skip most of it. */
  wasted(): number;
  /** How far down its last read came, empty where that was the end: the lower, the fewer places it has. */
  reached(): string;
};

type SourceOptions = {
  table: TableName;
  partition: Partition;
  /** Ids from here on. */
  from: string;
  budget: Budget;
  pageSize: number;
  /** Where an item is no place itself: the greatest id that reaches down to a place, and how far up to it an item reaches. */
  keyOf?: (bound: string) => string;
  reach?: (id: string, bound: string) => string;
};

/** So many places are one unit to read, or fewer. */
const minPage = 16;
const maxPage = 256;
/** Reads are for little where less than one in so many items was looked at. */
const usefulShare = 4;
/** After so many reads for little a source is left out. */
const maxWasted = 3;

export function sourceOf(store: Store, options: SourceOptions): Source {
  const { table, partition, from, budget, keyOf = (bound) => bound, reach = (id) => id } = options;
  let ids: string[] = [];
  let at = 0;
  let isLast = false;
  let size = Math.max(options.pageSize, minPage);
  let looked = new Set<number>();
  let wasted = 0;

  async function read(to: string): Promise<void> {
    if (ids.length > 0) {
      const isUseful = looked.size * usefulShare >= ids.length;
      wasted = isUseful ? 0 : wasted + 1;
      size = isUseful ? Math.min(size * 4, maxPage) : Math.max(size >> 2, minPage);
    }
    const page = await store.page(table, { partition, from, to, after: undefined, limit: size });
    ids = page.items.map(({ id }) => id);
    at = 0;
    isLast = page.next === null;
    looked = new Set();
    budget.left -= ids.length + (isLast ? 0 : 1);
  }

  return {
    async upTo(bound) {
      const to = keyOf(bound);
      const skip = () => {
        while ((ids[at] ?? '') > to) at += 1;
      };
      skip();
      if (at >= ids.length && !isLast) {
        if (budget.left <= 0) return undefined;
        await read(to);
      }
      const id = ids[at];
      if (id === undefined) return null;
      looked.add(at);
      return reach(id, bound);
    },
    wasted: () => wasted,
    reached: () => (isLast ? '' : (ids.at(-1) ?? '')),
  };
}

/**
 * @param sources at least one that is `exact`: its places are what is looked for. Others may be left out where they let most
 *   of it through, so what is found has to be looked at
 * @param begin the greatest place that counts
 * @param behind the greatest place below one
 * @returns the places, and at the end where to go on; null when that was all
 */
export async function* intersect(
  sources: readonly { source: Source; exact: boolean }[],
  begin: string,
  behind: (place: string) => string,
): AsyncGenerator<string, string | null> {
  let taken = sources;
  for (let bound = begin; ; ) {
    for (const one of taken) {
      const others = taken.filter((other) => other !== one);
      if (one.source.wasted() >= maxWasted && others.some(({ exact }) => exact)) taken = others;
    }
    const reached = await Promise.all(taken.map(({ source }) => source.upTo(bound)));
    let least = bound;
    for (const place of reached) {
      if (place === null) return null;
      if (place === undefined) return bound;
      if (place < least) least = place;
    }
    if (least === bound) yield bound;
    bound = least === bound ? behind(bound) : least;
  }
}

/**
 * Reads the beginning of each.
 * @returns the sources that have the fewest places there
 */
export async function sparsest(sources: readonly Source[], begin: string, count: number): Promise<Source[]> {
  if (sources.length <= count) return [...sources];
  await Promise.all(sources.map((source) => source.upTo(begin)));
  const order = (a: Source, b: Source) =>
    a.reached() < b.reached() ? -1 : a.reached() > b.reached() ? 1 : 0;
  return sources.toSorted(order).slice(0, count);
}
