/**
 * A list that grows page by page. The pages outside the window are not drawn (`content-visibility`), so long lists stay quick. Not
 * each row by itself: the browser looks at everything that it may leave out, in each frame.
 */

import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Pages } from '../request/use-pages.ts';
import { Loading } from './basics.tsx';
import { Problem } from './problem.tsx';

type Props<Item> = {
  /** Names the list for screen readers. */
  label: string;
  list: Pages<Item>;
  row: (item: Item) => ComponentChildren;
  keyOf: (item: Item) => string;
  /** What an empty list shows. */
  empty: ComponentChildren;
};

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
          items={items}
          row={row}
          keyOf={keyOf}
        />
      ))}
      {count === 0 && isLast && !error && empty}
      <Problem error={error} onRepeat={list.more} />
      {isLoading && <Loading />}
      {!isLoading && isLast === false && !error && (
        <p class="more">
          <button type="button" onClick={list.more}>
            Show more
          </button>
          <span class="quiet">{count.toLocaleString('en')} shown</span>
        </p>
      )}
    </>
  );
}

type RowsProps<Item> = Pick<Props<Item>, 'label' | 'row' | 'keyOf'> & { items: readonly Item[] };

/** Of a row on one line, for the scroll bar. */
const rowHeight = 2.9;

/** A page is drawn again only if it has other items. */
function Rows<Item>({ label, items, row, keyOf }: RowsProps<Item>) {
  // The callbacks are new each time, and draw the same
  return useMemo(() => {
    if (items.length === 0) return null;
    const height = `auto ${items.length * rowHeight}rem`;
    return (
      <ul
        class="list page"
        aria-label={label}
        ref={(list) => void list?.style.setProperty('contain-intrinsic-block-size', height)}
      >
        {items.map((item) => (
          <li key={keyOf(item)}>{row(item)}</li>
        ))}
      </ul>
    );
  }, [items]);
}
