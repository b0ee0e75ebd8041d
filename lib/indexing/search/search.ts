/** Finds the version of the index that a request searches, and searches it. */

import { getDeployment } from '../../avatars/deployments/store/deployments.ts';
import {
  type EnvironmentItem,
  getEnvironment,
  type ServedDeployment,
} from '../../avatars/deployments/store/environments.ts';
import { invalidField } from '../../base/errors.ts';
import { maxResponseBytes, responseBytes } from '../../base/json.ts';
import type { ProjectStore } from '../../documents/store/documents.ts';
import { withoutMarks } from '../../readers/sections.ts';
import { algorithmOf, firstAlgorithm, loadIndex } from '../../search/index/algorithms.ts';
import type { Filter, Hit, SearchIndex, Semantic } from '../../search/index/common/search-index.ts';
import { loadOnce } from '../../search/index/loaded-indexes.ts';
import { matchedWordsOf, snippetOf } from '../../search/index/snippet.ts';
import { passageOf } from '../../search/pieces/passage.ts';
import { maxMatchedWords } from '../../search/schema/search.ts';
import { getExpunged } from '../store/expunged.ts';
import { getBlocks, getIndex } from '../store/parts.ts';
import { getManifest, getPublishedIndexVersion, isRetired, type Manifest } from '../store/versions.ts';
import { loadMeanings, type Meanings, type Wanted } from './meanings.ts';

/** The search is repeated if documents among the hits are expunged. */
const maxRounds = 10;

type Query = { q: string; filter: Omit<Filter, 'without'>; limit: number; perDocument?: number | undefined };

/** How much of a document a hit hands over: the snippet alone, or its piece and so many pieces before and behind it. */
export type Extent = 'snippet' | number;

/** A limit per document lets other documents show, too. The first algorithm has no such limit unless a search has it. */
export const defaultPerDocument = 3;

/**
 * @param extent what each piece hands over. Neighbours that would make the response too large are left out, from the last pieces
 * @returns the pieces, best first. Undefined if a text is no longer stored, because the version has been replaced in the
 *   meantime
 */
export async function findPieces(
  store: ProjectStore,
  manifest: Manifest,
  index: SearchIndex,
  query: Query,
  semantic: Semantic | undefined,
  extent: Extent,
) {
  const { hits, weightOf, more } = await findHits(store, manifest, index, query, semantic, async (hits) => {
    const numbers = [...new Set(hits.map(({ block }) => block))];
    const blocks = await getBlocks(store, manifest.build, numbers);
    return { blocks, areAll: blocks.length === numbers.length };
  });
  if (!more.areAll) return undefined;
  const byNumber = new Map(more.blocks.map(({ number, block }) => [number, block]));
  const pieces = hits.flatMap(({ document, block, chunk, number, score, scores }) => {
    const prepared = byNumber.get(block)?.documents.find((candidate) => candidate.id === document.id);
    const section = prepared?.chunks[chunk];
    if (!section) return [];
    const { heading, text, page } = section;
    const { snippet, matches, pagesBefore } = snippetOf(withoutMarks(section), weightOf);
    const item = {
      pieceId: `${document.id}.${number}`,
      documentId: document.id,
      title: document.title,
      heading,
      page: page === undefined ? null : page + pagesBefore,
      url: prepared.url ?? null,
      ...(extent !== 'snippet' && { text }),
      snippet,
      matches,
      score,
      scores,
      matchedWords: matchedWordsOf([document.title, heading, text], weightOf, maxMatchedWords),
    };
    return [{ item, prepared, chunk }];
  });
  let bytes = responseBytes(pieces.map(({ item }) => item));
  return pieces.map(({ item, prepared, chunk }) => {
    if (extent === 'snippet' || extent === 0) return item;
    const { before = [], chunks, after = [] } = prepared;
    const text = passageOf([...before, ...chunks, ...after], before.length + chunk, extent);
    const added = responseBytes(text) - responseBytes(item.text);
    if (bytes + added > maxResponseBytes) return item;
    bytes += added;
    return { ...item, text };
  });
}

/**
 * @param semantic finds by meaning, too; undefined to find by words only
 * @param readMore reads what the caller needs of the hits, while they are checked
 * @returns the hits, best first, without expunged documents: a version contains them until a job has replaced it
 */
export async function findHits<More>(
  store: ProjectStore,
  manifest: Manifest,
  index: SearchIndex,
  query: Query,
  semantic: Semantic | undefined,
  readMore: (hits: readonly Hit[]) => Promise<More>,
) {
  const { q, filter } = query;
  const isFirst = algorithmOf(manifest) === firstAlgorithm;
  const limit = {
    pieces: query.limit,
    perDocument: query.perDocument ?? (isFirst ? undefined : defaultPerDocument),
  };
  const without = new Set<string>();
  for (let round = 1; ; round += 1) {
    const { hits, weightOf } = index.search(q, { ...filter, without }, limit, semantic);
    const ids = [...new Set(hits.map(({ document }) => document.id))];
    const [more, expunged] = await Promise.all([readMore(hits), getExpunged(store, ids)]);
    for (const id of expunged) without.add(id);
    // Other documents can take their places. While very many are being expunged, a search returns fewer than it could.
    if (expunged.length > 0 && round < maxRounds) continue;
    return { hits: hits.filter(({ document }) => !without.has(document.id)), weightOf, more };
  }
}

/** Two builds of one version may have a text in different blocks. */
const keyOf = (store: ProjectStore, tenant: string, { id, build }: Manifest): string =>
  `${tenant}#${store.projectId}#${id}#${build}`;

/** @returns the index, from this process's memory if it is there; undefined if it is no longer stored */
const loadVersion = (store: ProjectStore, tenant: string, manifest: Manifest) =>
  loadOnce(keyOf(store, tenant, manifest), async () => {
    const bytes = await getIndex(store, manifest);
    return bytes && { index: loadIndex(bytes, algorithmOf(manifest)), sizeBytes: bytes.length };
  });

/** The maximum number of reads of the pointer, if its version has just been replaced. */
const maxAttempts = 3;

/** Why there is no version. `message` replaces the message of the error. */
type Unavailable = { error: 'not_found' | 'not_indexed' | 'index_retired'; message: string | undefined };

/** What names the version: a deployment, an environment by what it serves, or without both the published pointer. */
export type Place = {
  environment?: string | undefined;
  /** What the environment serves to whoever searches. Missing for its current deployment. */
  servedBy?: (environment: EnvironmentItem) => ServedDeployment | null;
  deploymentId?: string | undefined;
};

const currentIn = ({ serves }: EnvironmentItem) => serves;

/** @returns the named version, null if there is none, or why nothing names one */
async function versionOf(
  store: ProjectStore,
  { environment, servedBy = currentIn, deploymentId }: Place,
): Promise<{ version: string | null; error?: never } | Unavailable> {
  if (deploymentId !== undefined) {
    const deployment = await getDeployment(store, deploymentId);
    if (!deployment) return { error: 'not_found', message: 'The deployment does not exist.' };
    return { version: deployment.knowledgeIndexVersion };
  }
  if (environment === undefined) return { version: await getPublishedIndexVersion(store) };
  const item = await getEnvironment(store, environment);
  if (!item) return { error: 'not_found', message: 'The environment does not exist.' };
  return { version: servedBy(item)?.knowledgeIndexVersion ?? null };
}

/**
 * @param meaningOptions undefined to search by words only
 * @param search searches this version; undefined if something is no longer stored. `meanings` are undefined if there are none
 * @returns what was found, and in which version, or why there is no version
 * @throws ApiError validation_error if both a deployment and an environment are named
 */
export async function searchVersion<Found>(
  store: ProjectStore,
  tenant: string,
  place: Place & { nowMs: number },
  meaningOptions: Wanted | undefined,
  search: (
    manifest: Manifest,
    index: SearchIndex,
    meanings: Meanings | undefined,
  ) => Promise<Found | undefined>,
): Promise<Unavailable | { error?: never; found: Found; indexVersion: string }> {
  if (place.deploymentId !== undefined && place.environment !== undefined)
    throw invalidField('deploymentId', 'must not be sent together with environment');
  let isGone = false;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const named = await versionOf(store, place);
    if (named.error) return named;
    const { version } = named;
    if (version === null) break;
    const stored = await getManifest(store, version);
    const manifest = stored && !isRetired(stored, place.nowMs) ? stored : undefined;
    isGone = manifest === undefined;
    const [index, meanings] = await Promise.all([
      manifest && loadVersion(store, tenant, manifest),
      manifest &&
        meaningOptions &&
        loadMeanings(store, keyOf(store, tenant, manifest), manifest, meaningOptions),
    ]);
    const found = manifest && index && (await search(manifest, index, meanings));
    if (found) return { found, indexVersion: version };
    // The version has been replaced since the pointer was read.
  }
  const isFrozen = place.deploymentId !== undefined || place.environment !== undefined;
  return { error: isGone && isFrozen ? 'index_retired' : 'not_indexed', message: undefined };
}
