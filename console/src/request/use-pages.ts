/** A list that grows page by page. The number of pages is in the address, so that the back button and a link show the same. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { address, freshFrom, path, query, setQuery } from '../router.ts';
import { onSignOut } from '../session/session.ts';

export type Pages<Item> = {
  /** The items of each page: a page that was shown does not change when another one is added. */
  pages: readonly (readonly Item[])[];
  /** Undefined before the first page. */
  isLast: boolean | undefined;
  isLoading: boolean;
  error: unknown;
  more: () => void;
  reload: () => void;
};

/** A page of the client, or pages of it that were put together. */
export type AnyPage<Item> = {
  readonly items: readonly Item[];
  hasNextPage(): boolean;
  nextPage(): Promise<AnyPage<Item> | undefined>;
};
type Stored = { pages: AnyPage<unknown>[]; requestedAt: number };

/** What was loaded, by address: the back button shows it at once, at its place. */
const cache = new Map<string, Stored>();
const maxCached = 20;
onSignOut(() => cache.clear());

/** After a change, every list may have other items: a list that is shown later is loaded again. */
export const forgetLists = (): void => cache.clear();

const keep = (key: string, stored: Stored) => {
  cache.delete(key);
  cache.set(key, stored);
  for (const oldest of [...cache.keys()].slice(0, -maxCached)) cache.delete(oldest);
};

/**
 * @param name of the list on its page; the address has `<name>=3` when three pages are shown
 * @param first requests the first page
 * @param keys the filters: with other ones, the list starts again
 */
export function usePages<Item>(
  name: string,
  first: (signal: AbortSignal) => PromiseLike<AnyPage<Item>>,
  keys: readonly unknown[],
): Pages<Item> {
  const key = JSON.stringify([path.value, name, ...keys]);
  type State = { key: string; pages: AnyPage<Item>[]; isLoading: boolean; error?: unknown };
  const stored = () => (cache.get(key)?.pages ?? []) as AnyPage<Item>[];
  const from = freshFrom.value;
  const [state, setState] = useState<State>(() => ({ key, pages: stored(), isLoading: true }));
  const [round, setRound] = useState(0);
  const wanted = Math.min(Math.max(Number(query.value.get(name)) || 1, 1), 400);
  const firstRef = useRef(first);
  firstRef.current = first;
  const shown = state.key === key ? state : { key, pages: stored(), isLoading: true };

  // The key has everything that the request depends on
  useEffect(() => {
    let isOver = false;
    const isOld = (cache.get(key)?.requestedAt ?? 0) < from;
    let requestedAt = cache.get(key)?.requestedAt ?? 0;
    let pages = isOld ? [] : stored();
    // While a list is loaded again, its old pages stay until the new ones are there.
    const old = state.key === key ? state.pages : stored();
    const withOld = () => [...pages, ...old.slice(pages.length)];
    // The pages behind the first one are requested with its signal too, so it is aborted only before the first one is there.
    const controller = new AbortController();
    const load = async () => {
      try {
        while (pages.length < wanted) {
          const last = pages.at(-1);
          if (!last) requestedAt = Date.now();
          const next = last ? await last.nextPage() : await firstRef.current(controller.signal);
          if (isOver || !next) break;
          pages = [...pages, next];
          keep(key, { pages, requestedAt });
          const isLoading = pages.length < wanted && next.hasNextPage();
          setState({ key, pages: isLoading ? withOld() : pages, isLoading });
        }
        if (!isOver) setState({ key, pages, isLoading: false });
      } catch (error) {
        if (!isOver) setState({ key, pages: withOld(), isLoading: false, error });
      }
    };
    void load();
    return () => {
      isOver = true;
      if (pages.length === 0) controller.abort();
    };
  }, [key, wanted, round, from]);

  return {
    pages: shown.pages.map(({ items }) => items),
    isLast: shown.pages.length === 0 ? undefined : !shown.pages.at(-1)?.hasNextPage(),
    isLoading: shown.isLoading,
    error: 'error' in shown ? shown.error : undefined,
    more: () => {
      const hasFailed = 'error' in shown;
      if (shown.pages.length >= wanted && !hasFailed) setQuery({ [name]: shown.pages.length + 1 });
      else setRound((number) => number + 1);
    },
    reload: () => {
      cache.delete(key);
      setState({ ...shown, isLoading: true });
      setRound((number) => number + 1);
    },
  };
}

/** Where each page was scrolled to, by address. */
const places = new Map<string, number>();
onSignOut(() => places.clear());

/** Keeps the place of the page for the back button. The address changes while the list grows. */
export function rememberPlace(): () => void {
  const from = path.peek();
  const save = () => {
    // The next page is at its start, and the browser may say so before this listener is removed.
    if (path.peek() === from) places.set(address.peek(), window.scrollY);
  };
  window.addEventListener('scroll', save, { passive: true });
  return () => window.removeEventListener('scroll', save);
}

export const placeOf = (at: string): number => places.get(at) ?? 0;
