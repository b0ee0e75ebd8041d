import * as z from 'zod';
import { conversationFilters, startsOf } from '../../lib/conversations/schema/filters.ts';
import { MessageHits } from '../../lib/conversations/schema/message-hit.ts';
import { searchMessages } from '../../lib/conversations/search.ts';
import { getIndexedThrough, placePattern } from '../../lib/conversations/store/postings.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';
import { defaultLimit, pageQuery } from '../../lib/schema/page.ts';
import { parseQuery, termsOf } from '../../lib/text/query.ts';
import { snippetOf } from '../../lib/text/snippet.ts';
import { maxDistinctTerms } from '../../lib/text/terms.ts';

export default defineEndpoint({
  id: 'conversations.search',
  method: 'GET',
  path: '/projects/{project_id}/conversations/search',
  summary: 'Search in messages',
  description:
    'The messages that have all the words of `q`, each as a whole word, and each phrase that stands in quotation marks as ' +
    'it is, whatever stands between its words but words. Case, accents and width do not matter, emoji count as words, and ' +
    'the language may be any. The filters are those of the list of conversations. Newest first: by the start of the ' +
    'conversation, and in each the latest message first.\n\n' +
    'New messages are found after a few seconds; `indexedThrough` says how far the index has come. What is erased or no ' +
    'longer kept is found no more, at once. Of a long message, the text before its ' +
    `${maxDistinctTerms + 1}st different word is searched.\n\n` +
    'One call reads a limited number of messages, and a limited amount of text. Where few of many match, a page may hold ' +
    'fewer items than `limit`, or none: go on while `nextCursor` is not null.',
  auth: 'conversations:read',
  project: 'existing',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    query: z.strictObject({
      q: z
        .string()
        .max(500, 'must be at most 500 characters')
        .transform(parseQuery)
        .refine((query) => termsOf(query).length > 0, 'must have a word')
        .meta({
          description: 'What to look for: words, and phrases in quotation marks.',
          example: 'refund "my order"',
        }),
      ...pageQuery,
      ...conversationFilters,
    }),
  },
  responses: { 200: MessageHits },
  access: {
    conversationSearch: ['GetItem', 'Query'],
    conversations: ['Query', 'BatchGetItem'],
    messages: ['BatchGetItem'],
  },

  async handle({ query: sent, project, store, nowMs, elapsedMs, cursor }) {
    const { q: query, limit = defaultLimit, cursor: place, ...filters } = sent;
    const search = {
      query,
      filters: {
        ...filters,
        ...startsOf(sent),
        status: sent.status,
      },
      after: cursor.position(place, placePattern),
      limit,
    };
    // Before anything else is read, so that it promises no more than what has been looked at.
    const indexedThrough = await getIndexedThrough(store, project.id);
    const { found, next } = await searchMessages(store, project, search, { nowMs, elapsedMs });
    const items = found.map(({ id: messageId, text, spans, ...message }) => ({
      ...message,
      messageId,
      ...snippetOf(text, spans),
    }));
    return { status: 200, data: { items, nextCursor: cursor.next(next), indexedThrough } };
  },
});
