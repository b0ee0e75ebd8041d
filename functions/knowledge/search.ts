import * as z from 'zod';
import { environmentName } from '../../lib/deployments/environment-name.ts';
import { getEnvironment } from '../../lib/deployments/store/environments.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { SearchResult } from '../../lib/knowledge/schema/search.ts';
import { tag } from '../../lib/knowledge/schema/tag.ts';
import { defaultPerDocument, findPieces, loadVersion } from '../../lib/knowledge/search.ts';
import { getManifest, getPublishedIndexVersion } from '../../lib/knowledge/store/versions.ts';
import { id } from '../../lib/schema/common.ts';
import { hasTerm } from '../../lib/text/terms.ts';

const defaultLimit = 10;
/** The maximum number of reads of the pointer, if its version has just been replaced. */
const maxAttempts = 3;
const limitMessage = 'must be a whole number from 1 to 50';

export default defineEndpoint({
  id: 'knowledge.search',
  method: 'GET',
  path: '/projects/{project_id}/knowledge/search',
  summary: 'Search documents',
  description:
    'Returns the pieces of documents that match best. A piece may match any word of the query, in any form. Matching ' +
    'several words, rare words, titles and headings ranks higher. A word that no document has also matches ' +
    'similar words. In long queries, the rarest words count.\n\nSearches the published index. Later changes ' +
    'are found after the next re-indexing.',
  auth: 'knowledge:read',
  project: 'existing',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    query: z.strictObject({
      q: z
        .string()
        .max(500, 'must be at most 500 characters')
        .refine(hasTerm, 'must contain a word')
        .meta({ description: 'The text to search for.', example: 'how do I send something back' }),
      tag: tag.optional().meta({ description: 'Only documents with this tag.' }),
      environment: environmentName.optional().meta({
        description: "Searches the index of this environment's current deployment.",
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
    }),
  },
  responses: { 200: SearchResult },
  errors: ['not_found', 'not_indexed'],
  access: { knowledgeIndexes: ['GetItem', 'BatchGetItem'], deployments: ['GetItem'] },

  async handle({ query, caller, store }) {
    const limit = query.limit ?? defaultLimit;
    for (let attempt = 1; ; attempt += 1) {
      const environment = query.environment && (await getEnvironment(store, query.environment));
      if (query.environment && !environment) return fail('not_found', 'The environment does not exist.');
      const version = environment
        ? (environment.serves?.knowledgeIndexVersion ?? null)
        : await getPublishedIndexVersion(store);
      if (version === null) return fail('not_indexed');
      const manifest = await getManifest(store, version);
      const index = manifest && (await loadVersion(store, caller.tenant, manifest));
      if (manifest && index) {
        const items = await findPieces(store, manifest, index, { ...query, limit });
        if (items) return { status: 200, data: { items, indexVersion: version } };
      }
      // The version has been replaced since the pointer was read.
      if (attempt === maxAttempts) return fail('not_indexed');
    }
  },
});
