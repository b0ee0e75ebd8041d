/** Reads all pages of a list. */

type Page<Shown> = { items: Shown[]; next: string | null };

/**
 * @param readPage reads the page after this position; the first page if it is undefined
 * @returns the items of one page after the other
 */
export async function* pagesOf<Shown>(
  readPage: (after: string | undefined) => Promise<Page<Shown>>,
): AsyncGenerator<Shown[]> {
  for (let after: string | undefined; ; ) {
    const { items, next } = await readPage(after);
    yield items;
    if (next === null) return;
    after = next;
  }
}

/**
 * For a caller that removes the items that it gets: the next page is then the first page again.
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
