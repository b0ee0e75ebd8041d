/** A part of the overview: it loads by itself, and fails by itself. */

import type { ComponentChildren } from 'preact';
import { Loading } from '../../parts/basics.tsx';
import { Problem } from '../../parts/problem.tsx';
import type { Loaded } from '../../request/use-load.ts';

type Props<Data> = {
  title: string;
  /** Where the rows are. */
  to?: string;
  loaded: Loaded<Data>;
  children: (data: Data) => ComponentChildren;
};

export function Card<Data>({ title, to, loaded, children }: Props<Data>) {
  const { data, error, isLoading, reload } = loaded;
  return (
    <section class="card" aria-busy={isLoading}>
      <h2>{to ? <a href={to}>{title}</a> : title}</h2>
      {data !== undefined && children(data)}
      {data === undefined && isLoading && <Loading />}
      <Problem error={error} onRepeat={reload} />
    </section>
  );
}

/** What a part says if there is nothing to do. */
export const Calm = ({ children }: { children: ComponentChildren }) => <p class="calm">{children}</p>;

/** The first rows of a list: `isWhole` is false if there are more. */
export type Rows<Item> = { items: readonly Item[]; isWhole: boolean };

const maxPages = 4;

/**
 * @param max how many items the part shows
 * @returns the first items. With a selective filter, a page may be empty although there are more pages
 */
export async function firstRows<Item>(
  pages: AsyncIterable<{ items: readonly Item[]; hasNextPage: () => boolean }>,
  max: number,
): Promise<Rows<Item>> {
  let items: Item[] = [];
  let read = 0;
  for await (const page of pages) {
    items = [...items, ...page.items];
    read += 1;
    if (!page.hasNextPage()) return { items: items.slice(0, max), isWhole: items.length <= max };
    if (items.length >= max || read === maxPages) break;
  }
  return { items: items.slice(0, max), isWhole: false };
}

/** The link below rows that are not all. */
export const More = ({ rows, to }: { rows: Rows<unknown>; to: string }) =>
  rows.isWhole ? null : (
    <p>
      <a href={to}>{rows.items.length === 0 ? 'Search for more' : 'Show all'}</a>
    </p>
  );
