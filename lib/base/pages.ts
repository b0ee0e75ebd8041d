export type Page<Shown> = { items: Shown[]; next: string | null };

/**
 * @param readPage reads the page after a position, or the first page
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
