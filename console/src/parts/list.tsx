/**
 * A list that grows page by page. The pages outside the window are not drawn (`content-visibility`), and in a long list they are
 * not in the document either: each dialog would make the browser look at every row.
 */

import type { ComponentChildren } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { Pages } from '../request/use-pages.ts';
import { Loading } from './basics.tsx';
import { Problem } from './problem.tsx';
import { useNear } from './use-near.ts';

type Props<Item> = {
  /** Names the list for screen readers. */
  label: string;
  list: Pages<Item>;
  row: (item: Item) => ComponentChildren;
  keyOf: (item: Item) => string;
  /** What an empty list shows. */
  empty: ComponentChildren;
};

/** The rows of a shorter list are all in the document: the browser's own search finds them. */
const maxComplete = 500;

export function List<Item>({ label, list, row, keyOf, empty }: Props<Item>) {
  const { pages, isLast, isLoading, error } = list;
  const count = pages.reduce((sum, items) => sum + items.length, 0);
  return (
    <>
      {pages.map((items, at) => (
        // Pages are only added at the end
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
      <Problem error={error} onRepeat={list.more} />
      {isLast === false && !error && (
        <p class="more">
          {/* It stays while it loads, so it keeps the focus. */}
          <button type="button" aria-disabled={isLoading} onClick={() => !isLoading && list.more()}>
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

/** Of a row on one line, for the scroll bar. */
const rowHeight = 2.9;

/** Of pages that were drawn: their places stay the same when they are not in the document. */
const heights = new WeakMap<readonly unknown[], number>();

/** A page is drawn again only if it has other items. */
function Rows<Item>({ label, items, row, keyOf, isFirst, isComplete }: RowsProps<Item>) {
  const ref = useRef<HTMLDivElement>(null);
  const shown = useRef(items);
  shown.current = items;
  const isNear = useNear(ref, isFirst, (height) => heights.set(shown.current, height));
  const isInDocument = isComplete || isNear;
  // The callbacks are new each time, and draw the same
  return useMemo(() => {
    const known = heights.get(items);
    const height = known ? `${known}px` : `${items.length * rowHeight}rem`;
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
