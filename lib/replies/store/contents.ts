/** The items of the replies of a conversation, for their removal. */

import { pagesOf } from '../../base/pages.ts';
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

/** @returns the removals of the requests of dry runs that have one of these documents, a page at a time. They are there for an hour */
export async function* removeRequestsWith(
  store: ProjectStore,
  documentIds: ReadonlySet<string>,
): AsyncGenerator<Write<never>[]> {
  const requests = replyRequests.at(store);
  for await (const page of pagesOf((after) => requests.page({ order: 'oldest', after, limit: 100 }))) {
    const named = page.filter((request) => request.documentIds.some((id) => documentIds.has(id)));
    yield named.map(({ id }) => requests.remove(id, { condition: { kind: 'any' } }));
  }
}
