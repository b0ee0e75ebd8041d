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
