/** The items of the replies of a conversation, for their removal. */

import type { Items } from '../../dynamodb/collection.ts';
import type { Item, Write } from '../../dynamodb/write.ts';
import { type ProjectStore, replies, replyParts, replyRequests, requestRange } from './replies.ts';

/** Parts come first: a reply leads to them. */
export const replyContents = (
  store: ProjectStore,
  conversationId: string,
): Pick<Items<Item>, 'page' | 'remove'>[] => {
  const requests = replyRequests.at(store);
  const range = requestRange(conversationId);
  return [
    replyParts.at(store, conversationId),
    { remove: requests.remove, page: (query) => requests.page({ ...query, ...range }) },
    replies.at(store, conversationId),
  ];
};

/** @returns the removals of the requests in a page that have one of these documents, and where the next page begins; null for none */
export async function pageRequestsWith(
  store: ProjectStore,
  documentIds: ReadonlySet<string>,
  after: string | undefined,
): Promise<{ writes: Write<never>[]; next: string | null }> {
  const requests = replyRequests.at(store);
  const { items, next } = await requests.page({ order: 'oldest', after, limit: 25 });
  const named = items.filter((request) => request.documentIds.some((id) => documentIds.has(id)));
  return { writes: named.map(({ id }) => requests.remove(id, { condition: { kind: 'any' } })), next };
}
