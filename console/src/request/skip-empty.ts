/** With selective filters, a page may have no items although other pages follow. */

import type { ListData, Page } from '../../../clients/typescript/src/index.ts';

/** After so many empty pages, the user decides whether to go on. */
const maxEmptyPages = 20;

/** @returns the first page with items, or the last page that was requested */
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
