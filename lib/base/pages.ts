import { firstIdAt, type IdKind, lastIdAt, timeOfId } from './ids.ts';

export type Page<Shown> = { items: Shown[]; next: string | null };

type ReadPage<Shown> = (after: string | undefined) => Promise<Page<Shown>>;

/**
 * @param after a position; empty for the beginning
 * @param readPage reads the page after a position, or the first page
 * @returns one page after the other
 */
export async function* pagesAfter<Shown>(
  after: string,
  readPage: ReadPage<Shown>,
): AsyncGenerator<Page<Shown>> {
  for (let next: string | null = after; next !== null; ) {
    const page: Page<Shown> = await readPage(next || undefined);
    yield page;
    next = page.next;
  }
}

/** @returns the items of one page after the other, from the first */
export async function* pagesOf<Shown>(readPage: ReadPage<Shown>): AsyncGenerator<Shown[]> {
  for await (const { items } of pagesAfter('', readPage)) yield items;
}

/**
 * The caller removes the items that it gets, so the next page is the first page again.
 * @returns the items of one page after the other, until there is no item left
 */
export async function* untilEmpty<Shown>(
  readFirst: () => Promise<Pick<Page<Shown>, 'items'>>,
): AsyncGenerator<Shown[]> {
  for (;;) {
    const { items } = await readFirst();
    if (items.length === 0) return;
    yield items;
  }
}

type Place = {
  order: 'newest' | 'oldest';
  /** Where the page began. */
  after: string | undefined;
  /** The position behind the last item that the caller gets. */
  returned: string | undefined;
};

/**
 * A page may end at an item that is left out, because the caller may not see it.
 * @param read the position behind that item
 * @param atTime the outermost position of the item's millisecond: before all of its positions in this order
 * @returns a position that reveals at most the millisecond. Some items are read again, and none is skipped
 */
export function continuation(read: string, atTime: string, { order, after, returned }: Place): string {
  const isBefore = (one: string, other: string) => (order === 'newest' ? one > other : one < other);
  if (returned !== undefined && !isBefore(returned, atTime)) return returned;
  // One millisecond has more items than a page reads: then the position must name an item.
  return after === undefined || isBefore(after, atTime) ? atTime : read;
}

/**
 * @param page the items that the caller may see, in their order, of a list of ids
 * @returns the page, whose `next` names no item that was left out
 */
export function withDiscreetNext<Shown extends { id: string }>(
  kind: IdKind,
  { items, next }: { items: readonly Shown[]; next: string | null },
  { order, after }: Pick<Place, 'order' | 'after'>,
): Page<Shown> {
  const returned = items.at(-1)?.id;
  const shown = [...items];
  if (next === null || next === returned) return { items: shown, next };
  const atTime = (order === 'newest' ? lastIdAt : firstIdAt)(kind, timeOfId(next));
  return { items: shown, next: continuation(next, atTime, { order, after, returned }) };
}
