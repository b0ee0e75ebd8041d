/**
 * The intersection of several partitions is read newest first, without reading any of them completely. Each partition skips to
 * the position of the others ("leapfrog": T. Veldhuizen, "Leapfrog Triejoin", ICDT 2014, section 3.1). Positions are compared
 * as text.
 */

import type { Partition, Store } from './store.ts';
import type { TableName } from './tables.ts';
import type { Item } from './write.ts';

export type Budget = { left: number };

export type Source = {
  /** @returns its greatest position up to this one; null if there is none, undefined if the budget is used up */
  upTo(bound: string): Promise<string | null | undefined>;
  /** @returns the item at that position */
  item(): Item | undefined;
  /** The number of consecutive wasted reads: reads of which the other sources skip most. */
  wasted(): number;
  /** The lowest position of its last read; empty at its end. A lower position means that the source has fewer positions. */
  reached(): string;
};

type SourceOptions = {
  table: TableName;
  partition: Partition;
  from: string;
  budget: Budget;
  pageSize: number;
  /** Ids that are not positions need these: the greatest id that covers a position, and the highest position of an item. */
  keyOf?: (bound: string) => string;
  reach?: (id: string, bound: string) => string;
};

/** So many postings cost about one read unit. */
const minPage = 16;
const maxPage = 256;
/** A read is wasted if less than a quarter of it is used. */
const usefulShare = 4;
/** A source is dropped after so many wasted reads. */
const maxWasted = 3;

export function openSource(store: Store, options: SourceOptions): Source {
  const { table, partition, from, budget, keyOf = (bound) => bound, reach = (id) => id } = options;
  let items: Item[] = [];
  let at = 0;
  let isLast = false;
  let size = Math.max(options.pageSize, minPage);
  let usedIndexes = new Set<number>();
  let wasted = 0;

  async function read(to: string): Promise<void> {
    if (items.length > 0) {
      const isUseful = usedIndexes.size * usefulShare >= items.length;
      wasted = isUseful ? 0 : wasted + 1;
      size = isUseful ? Math.min(size * 4, maxPage) : Math.max(size >> 2, minPage);
    }
    const page = await store.page(table, { partition, from, to, after: undefined, limit: size });
    items = page.items;
    at = 0;
    isLast = page.next === null;
    usedIndexes = new Set();
    budget.left -= items.length + (isLast ? 0 : 1);
  }

  return {
    async upTo(bound) {
      const to = keyOf(bound);
      const skip = () => {
        while ((items[at]?.id ?? '') > to) at += 1;
      };
      skip();
      if (at >= items.length && !isLast) {
        if (budget.left <= 0) return undefined;
        await read(to);
      }
      const id = items[at]?.id;
      if (id === undefined) return null;
      usedIndexes.add(at);
      return reach(id, bound);
    },
    item: () => items[at],
    wasted: () => wasted,
    reached: () => (isLast ? '' : (items.at(-1)?.id ?? '')),
  };
}

/** A common position, and its items in the `exact` sources that were read. */
export type Common = { place: string; items: readonly Item[] };

/**
 * @param sources at least one must be `exact`: the result is a subset of its positions. Other sources may be dropped if they
 *   filter out little, so the caller must check the results
 * @param begin the greatest position of the result
 * @param behind returns the greatest position below a given one
 * @returns the common positions, and finally the position to continue from; null at the end
 */
export async function* intersect(
  sources: readonly { source: Source; exact: boolean }[],
  begin: string,
  behind: (place: string) => string,
): AsyncGenerator<Common, string | null> {
  let activeSources = sources;
  for (let bound = begin; ; ) {
    for (const candidate of activeSources) {
      const others = activeSources.filter((other) => other !== candidate);
      if (candidate.source.wasted() >= maxWasted && others.some(({ exact }) => exact)) activeSources = others;
    }
    const positions = await Promise.all(activeSources.map(({ source }) => source.upTo(bound)));
    let lowest = bound;
    for (const place of positions) {
      if (place === null) return null;
      if (place === undefined) return bound;
      if (place < lowest) lowest = place;
    }
    if (lowest === bound) {
      const items = activeSources.flatMap(({ source, exact }) => (exact ? (source.item() ?? []) : []));
      yield { place: bound, items };
    }
    bound = lowest === bound ? behind(bound) : lowest;
  }
}

/**
 * Reads the start of each source.
 * @returns the sources with the fewest positions there
 */
export async function sparsest(sources: readonly Source[], begin: string, count: number): Promise<Source[]> {
  if (sources.length <= count) return [...sources];
  await Promise.all(sources.map((source) => source.upTo(begin)));
  const order = (a: Source, b: Source) =>
    a.reached() < b.reached() ? -1 : a.reached() > b.reached() ? 1 : 0;
  return sources.toSorted(order).slice(0, count);
}
