import * as z from 'zod';
import { MessageHits } from '../../lib/conversations/schema/message-hit.ts';
import { conversationFilters, startTimes } from '../../lib/conversations/schema/query-filters.ts';
import { searchMessages } from '../../lib/conversations/search.ts';
import { currentGeneration, generationsOfProject } from '../../lib/conversations/store/generations.ts';
import { positionPattern } from '../../lib/conversations/store/postings.ts';
import { readScoreFilters } from '../../lib/evaluations/score-filters.ts';
import { defineEndpoint, optional } from '../../lib/http/endpoint.ts';
import { flag, id } from '../../lib/schema/common.ts';
import { defaultLimit, pageQuery } from '../../lib/schema/query.ts';
import { parseQuery, termsOf } from '../../lib/text/query.ts';
import { snippetOf } from '../../lib/text/snippet.ts';
import { maxDistinctTerms, type Tokenizer, tokenizer } from '../../lib/text/terms.ts';

export default defineEndpoint({
  id: 'conversations.search',
  method: 'GET',
  path: '/projects/{project_id}/conversations/search',
  summary: 'Search messages',
  description:
    'Returns the messages that contain all words of `q`, as whole words, in any language. Words in ' +
    'quotation marks must follow each other. Case, accents and width are ignored. Emoji count as words. ' +
    'The filters are the same as in the list of conversations. Results are sorted by the start of the ' +
    'conversation, newest first, and then by message, latest first.\n\nNew messages are found after a ' +
    'few seconds: `indexedThrough` shows the progress. Erased and expired messages are not found. In a ' +
    `long message, only the text before its ${maxDistinctTerms + 1}st different word is ` +
    'searched.\n\nOne request reads a limited number of messages and a limited amount of text. A page ' +
    'may have fewer than `limit` items, or no items. Continue until `nextCursor` is null.',
  auth: 'conversations:read',
  project: 'existing',
  // The generations are read before the index, so that `indexedThrough` is never later than the index that is searched.
  loads: { generations: optional(generationsOfProject) },
  environments: 'left_out',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    query: z.strictObject({
      q: z
        .string()
        .max(500, 'must be at most 500 characters')
        // The index may be older than the current tokenizer. A cursor is bound to the words, and not to the function.
        .transform((text) => ({
          ...parseQuery(text),
          parse: (tokenize: Tokenizer) => parseQuery(text, tokenize),
        }))
        .refine((query) => termsOf(query).length > 0, 'must contain a word')
        .meta({
          description: 'Words, and phrases in quotation marks.',
          example: 'refund "my order"',
        }),
      hideTools: flag().meta({
        description: 'Whether to leave out messages of the role `tool`.',
        documentedAs: { type: 'boolean', default: false },
      }),
      ...pageQuery,
      ...conversationFilters,
    }),
  },
  responses: { 200: MessageHits },
  access: {
    conversationSearch: ['Query'],
    conversations: ['Query', 'BatchGetItem'],
    messages: ['BatchGetItem'],
    deployments: ['BatchGetItem'],
  },

  async handle({
    loaded: { generations },
    query: parameters,
    caller,
    project,
    store,
    nowMs,
    elapsedMs,
    cursor,
  }) {
    const { q, limit = defaultLimit, cursor: position, score, hideTools, ...filters } = parameters;
    const generation = currentGeneration(generations);
    const query = q.parse(tokenizer(generation.tokenizer));
    const search = {
      generation,
      query,
      filters: {
        ...filters,
        ...startTimes(parameters),
        scores: await readScoreFilters(store, score),
        status: parameters.status,
      },
      hideTools: hideTools === 'true',
      after: cursor.position(position, positionPattern),
      limit,
    };
    const { found, next } = await searchMessages(store, project, caller, search, { nowMs, elapsedMs });
    const items = found.map(({ id: messageId, text, spans, ...message }) => ({
      ...message,
      messageId,
      ...snippetOf(text, spans),
    }));
    return {
      status: 200,
      data: { items, nextCursor: cursor.next(next), indexedThrough: generations?.through || null },
    };
  },
});
