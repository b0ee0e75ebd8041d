/**
 * A list that grows page by page. The pages outside the window are not drawn (`content-visibility`), and in a long list they are
 * not in the document either, because each dialog would make the browser look at every row.
 */

import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Pages } from '../request/use-pages.ts';
import { Loading } from './basics.tsx';
import { Problem } from './problem.tsx';

type Props<Item> = {
  /** The name of the list for screen readers. */
  label: string;
  list: Pages<Item>;
  row: (item: Item) => ComponentChildren;
  keyOf: (item: Item) => string;
  /** The content of an empty list. */
  empty: ComponentChildren;
};

/** The rows of a shorter list are all in the document, so that the search of the browser finds them. */
const maxComplete = 500;

export function List<Item>({ label, list, row, keyOf, empty }: Props<Item>) {
  const { pages, isLast, isLoading, error } = list;
  const count = pages.reduce((sum, items) => sum + items.length, 0);
  return (
    <>
      {pages.map((items, at) => (
        // Pages are only added at the end.
        <Rows
          key={at}
          label={at === 0 ? label : `${label}, page ${at + 1}`}
          isFirst={at === 0}
          isComplete={count <= maxComplete}
          items={items}
          row={row}
          keyOf={keyOf}
        />
      ))}
      {count === 0 && isLast && !error && empty}
      <Problem error={error} onRepeat={list.loadMore} />
      {isLast === false && !error && (
        <p class="more">
          {/* The button stays while the list loads, so that it keeps the focus. */}
          <button type="button" aria-disabled={isLoading} onClick={() => !isLoading && list.loadMore()}>
            Show more
          </button>
          <span class="quiet">{count.toLocaleString('en')} shown</span>
        </p>
      )}
      {/* A complete list that is loaded again stays as it is. */}
      {isLoading && isLast !== true && <Loading />}
    </>
  );
}

type RowsProps<Item> = Pick<Props<Item>, 'label' | 'row' | 'keyOf'> & {
  items: readonly Item[];
  isFirst: boolean;
  isComplete: boolean;
};

/** The height of a row on one line. The scroll bar needs it for pages that were not drawn yet. */
const rowHeight = 2.9;

/** The heights of pages that were drawn. A page takes the same room when it is not in the document. */
const heights = new WeakMap<readonly unknown[], number>();

/** A page is drawn again only if it has other items. */
function Rows<Item>({ label, items, row, keyOf, isFirst, isComplete }: RowsProps<Item>) {
  const ref = useRef<HTMLDivElement>(null);
  const itemsRef = useRef(items);
  itemsRef.current = items;
  const isNear = useNear(ref, isFirst, (height) => heights.set(itemsRef.current, height));
  const isInDocument = isComplete || isNear;
  // The callbacks are new in each rendering, but draw the same rows.
  return useMemo(() => {
    const drawnHeight = heights.get(items);
    const height = drawnHeight ? `${drawnHeight}px` : `${items.length * rowHeight}rem`;
    const style = isInDocument
      ? { containIntrinsicBlockSize: `auto ${height}`, height: '' }
      : { containIntrinsicBlockSize: '', height };
    return (
      <div class="page" ref={ref} style={style}>
        {isInDocument && items.length > 0 && (
          <ul class="list" aria-label={label}>
            {items.map((item) => (
              <li key={keyOf(item)}>{row(item)}</li>
            ))}
          </ul>
        )}
      </div>
    );
  }, [items, isInDocument]);
}

/** The margin above and below the window counts as near. A key or a turn of the wheel moves less than the margin. */
const margin = '150%';

type Look = (entry: IntersectionObserverEntry) => void;
const looks = new WeakMap<Element, Look>();
let observer: IntersectionObserver | undefined;

/** One observer looks at all elements at once. */
const sharedObserver = (): IntersectionObserver => {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const entry of entries) looks.get(entry.target)?.(entry);
    },
    { rootMargin: `${margin} 0px` },
  );
  return observer;
};

/** An element in use stays in the document, so that the focus and opened details are not lost. */
const isInUse = (element: Element): boolean =>
  element.contains(document.activeElement) || element.querySelector('details[open]') !== null;

/**
 * Whether an element is near the window, so that a long list has only these rows in the document.
 *
 * @param onFar gets the height of an element that is no longer near
 * @returns whether the element is near; an element in use counts as near
 */
function useNear(
  ref: RefObject<HTMLElement | null>,
  isNearAtFirst: boolean,
  onFar: (height: number) => void,
): boolean {
  const [isNear, setIsNear] = useState(isNearAtFirst);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    looks.set(element, ({ isIntersecting, boundingClientRect }) => {
      if (isIntersecting) return setIsNear(true);
      if (isInUse(element)) return;
      onFar(boundingClientRect.height);
      setIsNear(false);
    });
    sharedObserver().observe(element);
    return () => sharedObserver().unobserve(element);
  }, []);
  return isNear;
}
