/** Searches one version of an index. */

import { indexOf } from './index/loaded-indexes.ts';
import { loadIndex, type SearchIndex } from './index/search-index.ts';
import { snippetOf } from './index/snippet.ts';
import type { Store } from './store/documents.ts';
import { getExpunged } from './store/expunged.ts';
import { getBlocks, getIndex, type Manifest } from './store/indexes.ts';

/** So often is searched anew where documents among the hits are expunged. */
const maxRounds = 10;

type Asked = { q: string; tag?: string | undefined; limit: number };

/**
 * @returns what is found, without what is expunged: a version may hold such documents until a job has replaced it.
 *   Undefined if a text is not stored any more, because the version was replaced meanwhile
 */
export async function findPieces(
  store: Store,
  projectId: string,
  manifest: Manifest,
  index: SearchIndex,
  asked: Asked,
) {
  const { q, tag, limit } = asked;
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

/** @returns the index with its size in bytes, from this process's memory where it is there; undefined where it is not stored any more */
export const loadVersion = (store: Store, tenant: string, projectId: string, manifest: Manifest) =>
  // Two builds of the same version can have a text in different blocks.
  indexOf(`${tenant}#${projectId}#${manifest.id}#${manifest.build}`, async () => {
    const bytes = await getIndex(store, projectId, manifest);
    return bytes && { index: loadIndex(bytes), size: bytes.length };
  });
