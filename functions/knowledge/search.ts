import * as z from 'zod';
import { environmentName } from '../../lib/deployments/environment-name.ts';
import { getEnvironment } from '../../lib/deployments/store/environments.ts';
import type { Store } from '../../lib/dynamodb/store.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { indexOf } from '../../lib/knowledge/index/loaded-indexes.ts';
import { loadIndex, type SearchIndex } from '../../lib/knowledge/index/search-index.ts';
import { snippetOf } from '../../lib/knowledge/index/snippet.ts';
import { SearchResult } from '../../lib/knowledge/schema/search.ts';
import { tag } from '../../lib/knowledge/schema/tag.ts';
import { getExpunged } from '../../lib/knowledge/store/expunged.ts';
import {
  getBlocks,
  getIndex,
  getManifest,
  getPublishedIndexVersion,
  type Manifest,
} from '../../lib/knowledge/store/indexes.ts';
import { id } from '../../lib/schema/common.ts';
import { hasTerm } from '../../lib/text/terms.ts';

const defaultLimit = 10;
/** So often is the pointer read where its version has just been replaced. */
const maxAttempts = 3;
/** So often is searched anew where documents among the hits are expunged. */
const maxRounds = 10;
const limitMessage = 'must be a whole number from 1 to 50';

export default defineEndpoint({
  id: 'knowledge.search',
  method: 'GET',
  path: '/projects/{project_id}/knowledge/search',
  summary: 'Search the knowledge',
  description:
    'The pieces of documents that match best, of any of the words; words that are found together, rarely, or in titles ' +
    'and headings count more. Where no word is found as it is, similar ones are tried. Of a long query, the rarest ' +
    'words count. Searches the published index: ' +
    'what has changed since is found after the next re-indexing.',
  auth: 'knowledge:read',
  project: 'existing',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    query: z.strictObject({
      q: z
        .string()
        .max(500, 'must be at most 500 characters')
        .refine(hasTerm, 'must have a word')
        .meta({ description: 'What to look for.', example: 'how do I send something back' }),
      tag: tag.optional().meta({ description: 'Only documents with this tag.' }),
      environment: environmentName.optional().meta({
        description: 'Searches the index that the current deployment of this environment has frozen.',
      }),
      limit: z
        .string()
        .regex(/^([1-9]|[1-4]\d|50)$/, limitMessage)
        .transform(Number)
        .optional()
        .meta({
          description: 'How many pieces, at most.',
          documentedAs: { type: 'integer', minimum: 1, maximum: 50, default: defaultLimit },
        }),
    }),
  },
  responses: { 200: SearchResult },
  errors: ['not_found', 'not_indexed'],
  access: { knowledgeIndexes: ['GetItem', 'BatchGetItem'], deployments: ['GetItem'] },

  async handle({ params, query, caller, store }) {
    const projectId = params.project_id;
    for (let attempt = 1; ; attempt += 1) {
      const environment = query.environment && (await getEnvironment(store, projectId, query.environment));
      if (query.environment && !environment) return fail('not_found', 'There is no such environment.');
      const version = environment
        ? (environment.serves?.knowledgeIndexVersion ?? null)
        : await getPublishedIndexVersion(store, projectId);
      if (version === null) return fail('not_indexed');
      const manifest = await getManifest(store, projectId, version);
      const index = manifest && (await load(store, caller.tenant, projectId, manifest));
      if (manifest && index) {
        const items = await find(store, projectId, manifest, index, query);
        if (items) return { status: 200, data: { items, indexVersion: version } };
      }
      // Another version has taken its place since the pointer was read.
      if (attempt === maxAttempts) return fail('not_indexed');
    }
  },
});

type Asked = { q: string; tag?: string | undefined; limit?: number | undefined };

/**
 * @returns what is found, without what is expunged: a version may hold such documents until a job has replaced it.
 *   Undefined if a text is not stored any more, because the version was replaced meanwhile
 */
async function find(store: Store, projectId: string, manifest: Manifest, index: SearchIndex, asked: Asked) {
  const { q, tag, limit = defaultLimit } = asked;
  const without = new Set<string>();
  for (let round = 1; ; round += 1) {
    const hits = index.search(q, { tag, without }, limit);
    const numbers = [...new Set(hits.map(({ block }) => block))];
    const ids = [...new Set(hits.map(({ document }) => document.id))];
    const [blocks, expunged] = await Promise.all([
      getBlocks(store, projectId, manifest.build, numbers),
      getExpunged(store, projectId, ids),
    ]);
    if (blocks.length < numbers.length) return undefined;
    for (const id of expunged) without.add(id);
    // Others may take their places. While very many are being expunged, a search finds fewer than it could.
    if (expunged.length > 0 && round < maxRounds) continue;
    const byNumber = new Map(blocks.map(({ number, block }) => [number, block]));
    return hits.flatMap(({ document, block, chunk, score }) => {
      if (without.has(document.id)) return [];
      const prepared = byNumber.get(block)?.documents.find((candidate) => candidate.id === document.id);
      const found = prepared?.chunks[chunk];
      if (!found) return [];
      const { heading, text } = found;
      return [
        { documentId: document.id, title: document.title, heading, snippet: snippetOf(text, q), score },
      ];
    });
  }
}

const load = (store: Store, tenant: string, projectId: string, manifest: Manifest) =>
  // Two builds of the same version can have a text in different blocks.
  indexOf(`${tenant}#${projectId}#${manifest.id}#${manifest.build}`, async () => {
    const bytes = await getIndex(store, projectId, manifest);
    return bytes && { index: loadIndex(bytes), size: bytes.length };
  });
