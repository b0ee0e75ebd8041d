import * as z from 'zod';
import { invalidField } from '../../lib/base/errors.ts';
import { anyOf } from '../../lib/base/scopes.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { filterOf, searchFilters } from '../../lib/indexing/search/filters.ts';
import { memoryMbToEncode, searchPatienceMs, semanticOf } from '../../lib/indexing/search/meanings.ts';
import { defaultPerDocument, findPieces, searchVersion } from '../../lib/indexing/search/search.ts';
import { searchFieldsOf } from '../../lib/projects/store.ts';
import { servedTo, unit } from '../../lib/rollouts/served.ts';
import { id } from '../../lib/schema/common.ts';
import { environmentName } from '../../lib/schema/names.ts';
import { maxContext } from '../../lib/search/pieces/passage.ts';
import { SearchResult, searchMode } from '../../lib/search/schema/search.ts';
import { hasTerm } from '../../lib/text/terms.ts';

const defaultLimit = 10;
const limitMessage = 'must be a whole number from 1 to 50';

export default defineEndpoint({
  id: 'knowledge.search',
  method: 'GET',
  path: '/projects/{project_id}/knowledge/search',
  summary: 'Search documents',
  description:
    'Returns the pieces of documents that match best, each with its `text`. A piece may match any word of the query, in any form. Matching ' +
    'several words, rare words, titles and headings ranks higher. A word that no document has also matches ' +
    'similar words. In long queries, the rarest words count.\n\nSearches the published index. Later changes ' +
    'are found after the next re-indexing. With `deploymentId`, a conversation that began before a deployment ends with ' +
    'the knowledge that it began with.',
  auth: anyOf('knowledge:read', 'runtime:read'),
  scopesFor: ({ query: { environment, deploymentId } }) =>
    environment === undefined && deploymentId === undefined ? 'knowledge:read' : undefined,
  project: 'existing',
  environments: ({ query }) => [query.environment, query.deploymentId],
  request: {
    params: z.strictObject({ project_id: id('project') }),
    query: z.strictObject({
      q: z
        .string()
        .max(500, 'must be at most 500 characters')
        .refine(hasTerm, 'must contain a word')
        .meta({ description: 'The text to search for.', example: 'how do I send something back' }),
      ...searchFilters,
      environment: environmentName.optional().meta({
        description: "Searches the index of this environment's current deployment.",
      }),
      unit: unit.optional().meta({
        description:
          'Only together with `environment`: while a rollout runs, searches the index of the variant of this unit, usually your id of ' +
          'the user. It is neither stored nor logged.',
      }),
      deploymentId: id('deployment').optional().meta({
        description:
          'Searches the index of this deployment, in any phase and environment. Not together with `environment`.',
      }),
      mode: searchMode.optional().meta({
        description:
          '`hybrid` compares words and meanings, `lexical` only words. Default: `hybrid`. The response says how it was.',
      }),
      limit: z
        .string()
        .regex(/^([1-9]|[1-4]\d|50)$/, limitMessage)
        .transform(Number)
        .optional()
        .meta({
          description: 'The maximum number of pieces.',
          documentedAs: { type: 'integer', minimum: 1, maximum: 50, default: defaultLimit },
        }),
      perDocument: z
        .string()
        .regex(/^([1-9]|[1-4]\d|50)$/, limitMessage)
        .transform(Number)
        .optional()
        .meta({
          description:
            'The maximum number of pieces of one document, so that other documents are found, too.',
          documentedAs: { type: 'integer', minimum: 1, maximum: 50, default: defaultPerDocument },
        }),
      context: z
        .string()
        .regex(/^[0-3]$/, `must be a whole number from 0 to ${maxContext}`)
        .transform(Number)
        .optional()
        .meta({
          description:
            'How many pieces of the document before and behind the found piece are part of its `text`. Neighbours for ' +
            'which a response of 4 MB has no room are left out, from the last hits.',
          documentedAs: { type: 'integer', minimum: 0, maximum: maxContext, default: 0 },
        }),
      fields: z.enum(['text', 'snippet']).optional().meta({
        description: '`snippet` leaves `text` out. Default: `text`.',
      }),
    }),
  },
  responses: { 200: SearchResult },
  errors: ['not_found', 'not_indexed', 'reindex_required', 'index_retired'],
  access: { knowledgeIndexes: ['GetItem', 'BatchGetItem'], deployments: ['GetItem'] },
  memoryMb: memoryMbToEncode,

  async handle({ query, caller, project, store, nowMs }) {
    const { q, mode = 'hybrid', limit = defaultLimit, perDocument, context = 0 } = query;
    if (query.unit !== undefined && query.environment === undefined)
      throw invalidField('unit', 'must be sent together with environment');
    const extent = query.fields === 'snippet' ? 'snippet' : context;
    const meaning = mode === 'hybrid' ? { nowMs, patienceMs: searchPatienceMs } : undefined;
    const result = await searchVersion(
      store,
      caller.tenant,
      { ...query, servedBy: (environment) => servedTo(environment, query.unit).served, nowMs },
      meaning,
      async (manifest, index, meanings) => {
        const filter = filterOf(query, manifest, searchFieldsOf(project));
        const semantic = await semanticOf(meanings, q);
        const items = await findPieces(
          store,
          manifest,
          index,
          { q, filter, limit, perDocument },
          semantic,
          extent,
        );
        return items && { items, mode: semantic ? ('hybrid' as const) : ('lexical' as const) };
      },
    );
    if (result.error) return result;
    return { status: 200, data: { ...result.found, indexVersion: result.indexVersion } };
  },
});
