/** What is stored of a version of an index. */

import { openSession } from '../../lib/dynamodb/session.ts';
import { bindStore } from '../../lib/dynamodb/store.ts';
import { getBlocks, getIndex } from '../../lib/indexing/store/parts.ts';
import { getLane, joinParts, laneReads } from '../../lib/indexing/store/vectors.ts';
import { getManifest } from '../../lib/indexing/store/versions.ts';
import { loadIndex } from '../../lib/search/index/algorithms.ts';
import { loadFile } from '../../lib/search/index/common/index-file.ts';
import { pieceText } from '../../lib/search/pieces/chunk.ts';
import { pieceVectors } from '../../lib/search/semantic/vectors.ts';
import { meaningOf } from './encoders.ts';
import type { Knowledge } from './knowledge.ts';

/** @returns what is stored of a version, and what its pieces mean */
export async function versionIn(api: Knowledge, id: string) {
  const { client, tableNames } = api.runtime;
  const session = openSession(client, tableNames, { knowledgeIndexes: ['GetItem', 'BatchGetItem'] });
  const store = bindStore(session, `${api.organisationId}#live`).inProject(api.projectId);
  const manifest = await getManifest(store, id);
  const bytes = manifest && (await getIndex(store, manifest));
  if (!manifest || !bytes) throw new Error('there is no such version');
  const lanes = await Promise.all(
    laneReads(manifest.vectorParts ?? 0).map((numbers) => getLane(store, manifest.build, numbers)),
  );
  const parts = lanes.flatMap((lane) => [...lane]).sort(([a], [b]) => a - b);
  const { documents, places } = loadFile(bytes);
  const texts: string[] = [];
  const documentIds = places.map(([document]) => documents[document]?.id ?? '');
  const numbers = [...new Set(places.map(([, number]) => number))];
  const found = await getBlocks(store, manifest.build, numbers);
  const blocks = new Map(found.map(({ number, block }) => [number, block]));
  for (const [document, number, chunk] of places) {
    const prepared = blocks.get(number)?.documents.find((one) => one.id === documents[document]?.id);
    const section = prepared?.chunks[chunk];
    if (!prepared || !section) throw new Error('a piece has no text');
    texts.push(pieceText({ title: prepared.title, ...section }));
  }
  const meant = pieceVectors(texts.map(meaningOf));
  return {
    manifest,
    vectors: joinParts(parts.map(([, part]) => part)),
    meant,
    index: loadIndex(bytes),
    texts,
    documentIds,
  };
}
