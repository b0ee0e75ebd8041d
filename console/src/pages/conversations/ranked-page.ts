/** Many pages of the list as one, in an order that the API does not have. */

import type { Conversation } from '../../../../clients/typescript/src/index.ts';
import type { AnyPage } from '../../request/use-pages.ts';
import { type Ranking, ranked } from './ranking.ts';

/** How many conversations are put in order at once. */
export const rankedCount = 500;

/** Selective filters have pages without items. Then the user decides whether to go on. */
const maxRequests = 20;

/** @returns up to `rankedCount` conversations in order. The page behind it has the next ones, in an order of their own */
export async function rankedPage(
  first: AnyPage<Conversation>,
  ranking: Ranking,
  signal: AbortSignal,
): Promise<AnyPage<Conversation>> {
  const items = [...first.items];
  let last = first;
  for (let requests = 1; items.length < rankedCount && requests < maxRequests; requests += 1) {
    const next = signal.aborted ? undefined : await last.nextPage();
    if (!next) break;
    items.push(...next.items);
    last = next;
  }
  return {
    items: ranked(items, ranking),
    hasNextPage: () => last.hasNextPage(),
    async nextPage() {
      const next = await last.nextPage();
      return next && rankedPage(next, ranking, signal);
    },
  };
}
