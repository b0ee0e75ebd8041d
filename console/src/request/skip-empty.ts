/** With selective filters, a page may have no items although more pages follow. */

import type { ListData, Page } from '../../../clients/typescript/src/index.ts';

/** Then the user decides whether to go on. */
const maxSkipped = 20;

/** @returns the first page with items, or the last page that was requested */
export async function skipEmpty<Data extends ListData>(
  first: PromiseLike<Page<Data>>,
  signal: AbortSignal,
): Promise<Page<Data>> {
  let page = await first;
  for (let skipped = 0; page.items.length === 0 && skipped < maxSkipped; skipped += 1) {
    const next = signal.aborted ? undefined : await page.nextPage();
    if (!next) break;
    page = next;
  }
  return page;
}
