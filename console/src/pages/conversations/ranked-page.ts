/** Many pages of the list as one, in an order that the API does not have. */

import type { Conversation } from '../../../../clients/typescript/src/index.ts';
import type { AnyPage } from '../../request/use-pages.ts';
import { type Ranking, ranked } from './ranking.ts';

/** So many conversations are put in order at once. */
export const rankedCount = 500;

/** Selective filters have pages without items. After so many requests, the user decides whether to go on. */
const maxRequests = 20;

/** @returns up to `rankedCount` conversations in order. The page behind it has the next conversations, in an order of their own */
export async function rankedPage(
  firstPage: AnyPage<Conversation>,
  ranking: Ranking,
  signal: AbortSignal,
): Promise<AnyPage<Conversation>> {
  const items = [...firstPage.items];
  let lastPage = firstPage;
  for (let requests = 1; items.length < rankedCount && requests < maxRequests; requests += 1) {
    const nextPage = signal.aborted ? undefined : await lastPage.nextPage();
    if (!nextPage) break;
    items.push(...nextPage.items);
    lastPage = nextPage;
  }
  return {
    items: ranked(items, ranking),
    hasNextPage: () => lastPage.hasNextPage(),
    async nextPage() {
      const nextPage = await lastPage.nextPage();
      return nextPage && rankedPage(nextPage, ranking, signal);
    },
  };
}
