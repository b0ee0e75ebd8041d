/** A list that grows page by page. The number of pages is in the address, so that the back button and a link show the same rows. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { ListData, Page } from '../../../clients/typescript/src/index.ts';
import { freshFrom, path, query, setQuery } from '../router.ts';
import { onSignOut } from '../session/session.ts';

export type Pages<Item> = {
  /** The items of each page. A page that is shown does not change when another page is added. */
  pages: readonly (readonly Item[])[];
  /** Whether the last page is loaded; undefined before the first page. */
  isLast: boolean | undefined;
  isLoading: boolean;
  error: unknown;
  loadMore: () => void;
  reload: () => void;
};

/** A page of the client, or several pages of the client as one. */
export type AnyPage<Item> = {
  readonly items: readonly Item[];
  hasNextPage(): boolean;
  nextPage(): Promise<AnyPage<Item> | undefined>;
};
type CachedList = { pages: AnyPage<unknown>[]; requestedAt: number };

/** The loaded lists, by address. The back button shows them at once, at their place. */
const cache = new Map<string, CachedList>();
const maxLists = 20;
onSignOut(() => cache.clear());

/** After a change, every list may have other items, so a list that is shown later is loaded again. */
export const forgetLists = (): void => cache.clear();

const keep = (key: string, list: CachedList) => {
  cache.delete(key);
  cache.set(key, list);
  for (const oldest of [...cache.keys()].slice(0, -maxLists)) cache.delete(oldest);
};

/**
 * @param name the name of the list on its page; the address has `<name>=3` when three pages are shown
 * @param requestFirst requests the first page
 * @param keys the filters; with other filters, the list starts again at its first page
 */
export function usePages<Item>(
  name: string,
  requestFirst: (signal: AbortSignal) => PromiseLike<AnyPage<Item>>,
  keys: readonly unknown[],
): Pages<Item> {
  const key = JSON.stringify([path.value, name, ...keys]);
  type State = { key: string; pages: AnyPage<Item>[]; isLoading: boolean; error?: unknown };
  const cachedPages = () => (cache.get(key)?.pages ?? []) as AnyPage<Item>[];
  const freshSince = freshFrom.value;
  const [state, setState] = useState<State>(() => ({ key, pages: cachedPages(), isLoading: true }));
  const [round, setRound] = useState(0);
  const pageCount = Math.min(Math.max(Number(query.value.get(name)) || 1, 1), 400);
  const requestFirstRef = useRef(requestFirst);
  requestFirstRef.current = requestFirst;
  const current = state.key === key ? state : { key, pages: cachedPages(), isLoading: true };

  // The key has everything that the request depends on.
  useEffect(() => {
    let isOver = false;
    const isOld = (cache.get(key)?.requestedAt ?? 0) < freshSince;
    let requestedAt = cache.get(key)?.requestedAt ?? 0;
    let pages = isOld ? [] : cachedPages();
    // While a list is loaded again, its old pages stay until the new ones are there.
    const oldPages = state.key === key ? state.pages : cachedPages();
    const withOldPages = () => [...pages, ...oldPages.slice(pages.length)];
    // The pages behind the first one are requested with its signal too, so it is aborted only before the first one is there.
    const controller = new AbortController();
    const load = async () => {
      try {
        while (pages.length < pageCount) {
          const last = pages.at(-1);
          if (!last) requestedAt = Date.now();
          const next = last ? await last.nextPage() : await requestFirstRef.current(controller.signal);
          if (isOver || !next) break;
          pages = [...pages, next];
          keep(key, { pages, requestedAt });
          const isLoading = pages.length < pageCount && next.hasNextPage();
          setState({ key, pages: isLoading ? withOldPages() : pages, isLoading });
        }
        if (!isOver) setState({ key, pages, isLoading: false });
      } catch (error) {
        if (!isOver) setState({ key, pages: withOldPages(), isLoading: false, error });
      }
    };
    void load();
    return () => {
      isOver = true;
      if (pages.length === 0) controller.abort();
    };
  }, [key, pageCount, round, freshSince]);

  return {
    pages: current.pages.map(({ items }) => items),
    isLast: current.pages.length === 0 ? undefined : !current.pages.at(-1)?.hasNextPage(),
    isLoading: current.isLoading,
    error: 'error' in current ? current.error : undefined,
    loadMore: () => {
      const hasFailed = 'error' in current;
      if (current.pages.length >= pageCount && !hasFailed) setQuery({ [name]: current.pages.length + 1 });
      else setRound((number) => number + 1);
    },
    reload: () => {
      cache.delete(key);
      setState({ ...current, isLoading: true });
      setRound((number) => number + 1);
    },
  };
}

/** After so many empty pages, the user decides whether to go on. */
const maxEmptyPages = 20;

/**
 * With selective filters, a page may have no items although other pages follow.
 *
 * @returns the first page with items, or the last page that was requested
 */
export async function skipEmpty<Data extends ListData>(
  firstPage: PromiseLike<Page<Data>>,
  signal: AbortSignal,
): Promise<Page<Data>> {
  let page = await firstPage;
  for (let count = 0; page.items.length === 0 && count < maxEmptyPages; count += 1) {
    const next = signal.aborted ? undefined : await page.nextPage();
    if (!next) break;
    page = next;
  }
  return page;
}
