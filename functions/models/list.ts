import * as z from 'zod';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { listOf } from '../../lib/schema/common.ts';
import { defaultLimit, pageQuery } from '../../lib/schema/query.ts';

const usdPerMillionTokens = (what: string) =>
  z.number().meta({ description: `What a million tokens of ${what} cost, in US dollars.`, example: 0.06 });

const Model = z
  .object({
    id: z.string().meta({
      description: 'The id by which avatars and evaluators name the model.',
      example: 'eu.amazon.nova-lite-v1:0',
    }),
    provider: z.enum(['bedrock', 'chat_completions']).meta({
      isOpen: true,
      description:
        'Who runs the model: Amazon Bedrock, or an endpoint of the operator with the chat completions of OpenAI.',
      example: 'bedrock',
    }),
    inputUsdPerMillionTokens: usdPerMillionTokens('a request'),
    outputUsdPerMillionTokens: usdPerMillionTokens('an answer'),
    maxInputTokens: z.int().nullable().meta({
      description: 'The most tokens that a request may have. Null if only a limit of bytes applies.',
      example: 300_000,
    }),
    maxOutputTokens: z.int().nullable().meta({
      description: 'The most tokens that an answer may have. Null if only the limit of the request applies.',
      example: null,
    }),
  })
  .meta({ id: 'Model', description: 'A model that the service lists, with its price and its limits.' });

/** The place of the first model of a page. */
const indexPattern = /^\d{1,3}$/;

export default defineEndpoint({
  id: 'models.list',
  method: 'GET',
  path: '/models',
  summary: 'List models',
  description:
    'Returns the models that avatars and evaluators may name, in the order of the operator. There are at most 50. The list is empty ' +
    'if the operator lists no models. Requires no scope.',
  auth: 'any',
  models: true,
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: listOf(Model).meta({ id: 'ModelList' }) },

  async handle({ query, models, cursor }) {
    const start = Number(cursor.position(query.cursor, indexPattern) ?? 0);
    const end = start + (query.limit ?? defaultLimit);
    const items = models
      .slice(start, end)
      .map(
        ({
          id,
          endpoint,
          inputUsdPerMillionTokens,
          outputUsdPerMillionTokens,
          maxInputTokens = null,
          maxOutputTokens = null,
        }) => ({
          id,
          provider: endpoint ? ('chat_completions' as const) : ('bedrock' as const),
          inputUsdPerMillionTokens,
          outputUsdPerMillionTokens,
          maxInputTokens,
          maxOutputTokens,
        }),
      );
    const next = end < models.length ? `${end}` : null;
    return { status: 200, data: { items, nextCursor: cursor.next(next) } };
  },
});
