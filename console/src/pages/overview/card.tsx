/** A card of the overview. It loads and fails independently of the other cards. */

import type { ComponentChildren } from 'preact';
import type { Loaded } from '../../request/use-load.ts';
import { Loading } from '../../shared/basics.tsx';
import { Problem } from '../../shared/problem.tsx';

type Props<Data> = {
  title: string;
  /** The address of the list with all rows. */
  to?: string;
  request: Loaded<Data>;
  children: (data: Data) => ComponentChildren;
};

export function Card<Data>({ title, to, request, children }: Props<Data>) {
  const { data, error, isLoading, reload } = request;
  return (
    <section class="card" aria-busy={isLoading}>
      <h2>{to ? <a href={to}>{title}</a> : title}</h2>
      {data !== undefined && children(data)}
      {data === undefined && isLoading && <Loading />}
      <Problem error={error} onRepeat={reload} />
    </section>
  );
}

/** The text of a card if there is nothing to do. */
export const Calm = ({ children }: { children: ComponentChildren }) => <p class="calm">{children}</p>;

/** The first rows of a list. `isWhole` is false if the list has more rows. */
export type Rows<Item> = { items: readonly Item[]; isWhole: boolean };

const maxPages = 4;

/**
 * @param max how many items the card shows
 * @returns the first items. With a selective filter, a page may be empty although there are more pages
 */
export async function firstRows<Item>(
  pages: AsyncIterable<{ items: readonly Item[]; hasNextPage: () => boolean }>,
  max: number,
): Promise<Rows<Item>> {
  let items: Item[] = [];
  let pageCount = 0;
  for await (const page of pages) {
    items = [...items, ...page.items];
    pageCount += 1;
    if (!page.hasNextPage()) return { items: items.slice(0, max), isWhole: items.length <= max };
    if (items.length >= max || pageCount === maxPages) break;
  }
  return { items: items.slice(0, max), isWhole: false };
}

/** The link below the rows of an incomplete list. */
export const More = ({ rows, to }: { rows: Rows<unknown>; to: string }) =>
  rows.isWhole ? null : (
    <p>
      <a href={to}>{rows.items.length === 0 ? 'Search for more' : 'Show all'}</a>
    </p>
  );
