/** Replaces an index version with one that lacks some documents. It is made only from the texts of the old version. */

import type { ExpungeResult } from '../../jobs/results.ts';
import { advance, type JobRun, write, writeParts } from '../../jobs/run.ts';
import { algorithmOf } from '../../search/index/algorithms.ts';
import { buildIndex } from '../../search/index/builder.ts';
import { documentsIn } from '../../search/index/common/index-file.ts';
import type { DocumentReader } from '../../search/pieces/document-reader.ts';
import { checkRemainingTime } from '../../workers/worker.ts';
import { beginBuild } from '../store/builds.ts';
import { documentList, putDocumentList } from '../store/document-lists.ts';
import { type Block, getIndex, putBlock, putIndex } from '../store/parts.ts';
import { packPart, putVectorPart } from '../store/vectors.ts';
import {
  completeBuild,
  getManifest,
  getPublished,
  isLive,
  type Manifest,
  type NewManifest,
  pinIndexVersion,
  replaceVersion,
} from '../store/versions.ts';
import { addBlock, type BuiltDocuments, isIn, readBlocks } from './blocks.ts';
import { versionOf } from './index-version.ts';
import { type Piece, partsOf, piecesOf, planPart, vectorsOfBuild } from './piece-vectors.ts';

/** The documents that stay. */
type KeptDocuments = BuiltDocuments;

/**
 * Replaces the version, if it has any of the documents.
 * @returns how many versions were replaced
 */
export async function removeFromVersion(
  run: JobRun<'knowledge.expunge'>,
  reader: DocumentReader,
  id: string,
  ids: ReadonlySet<string>,
  tally: ExpungeResult,
): Promise<0 | 1> {
  const { store, input } = run;
  const manifest = await getManifest(store, id);
  const bytes = manifest && isLive(manifest) && (await getIndex(store, manifest));
  if (!manifest || !bytes) return 0;
  const indexed = documentsIn(bytes).map((document) => document.id);
  const keptDocuments = await readKept(
    run,
    manifest,
    new Set(indexed.filter((document) => !ids.has(document))),
  );
  if (!indexed.some((document) => ids.has(document))) {
    await cleanBlocks(run, manifest, keptDocuments, ids);
    return 0;
  }
  const documents = [...keptDocuments].map(([document, built]) => ({ id: document, ...built }));
  const version = versionOf(documents, manifest.model, algorithmOf(manifest));
  const before = await getManifest(store, version);
  // The version may exist already: published earlier, or made from another version.
  const isThere = before !== undefined && isLive(before);
  const newManifest = isThere ? undefined : await buildWithout(run, reader, manifest, version, keptDocuments);
  for (;;) {
    const old = await getManifest(store, id);
    if (!old || !isLive(old)) return 0;
    const published = await getPublished(store);
    const writes = replaceVersion(store, old, version, published, input.nowMs());
    if (newManifest)
      writes.push(...completeBuild(store, { ...newManifest, ...(old.held && { held: true }) }, before));
    else if (old.held) writes.push(pinIndexVersion(store, version));
    const changes = { tally: { ...tally, replacedVersions: tally.replacedVersions + 1 } };
    // The write fails if a deployment has begun to hold the old version since it was read.
    if (await advance(run, changes, writes)) return 1;
  }
}

async function readKept(
  { store, input }: JobRun<'knowledge.expunge'>,
  { build, blocks }: Manifest,
  ids: ReadonlySet<string>,
): Promise<KeptDocuments> {
  const kept: KeptDocuments = new Map();
  for await (const { number, block } of readBlocks(store, build, blocks)) {
    addBlock(kept, number, { documents: block.documents.filter(({ id }) => ids.has(id)) });
    checkRemainingTime(input);
  }
  return kept;
}

/** If a document was deleted while the version was built, it is in a block but not in the index. */
async function cleanBlocks(
  run: JobRun<'knowledge.expunge'>,
  { build, blocks }: Manifest,
  kept: KeptDocuments,
  ids: ReadonlySet<string>,
): Promise<void> {
  const { store } = run;
  for await (const { number, block } of readBlocks(store, build, blocks)) {
    if (!block.documents.some(({ id }) => ids.has(id))) continue;
    await write(run, [putBlock(store, build, number, keepOnly(kept, block, number))]);
  }
}

const keepOnly = (kept: KeptDocuments, { documents }: Block, number: number): Block => ({
  documents: documents.filter(({ id }) => isIn(kept.get(id), number)),
});

/** Writes the blocks and the index of the new version. The next run starts again, with the same outcome. */
async function buildWithout(
  run: JobRun<'knowledge.expunge'>,
  reader: DocumentReader,
  manifest: Manifest,
  version: string,
  kept: KeptDocuments,
): Promise<NewManifest> {
  const { store, job, input } = run;
  const { id, build, blocks } = manifest;
  // The search in what deployments hold stays as it is.
  const algorithm = algorithmOf(manifest);
  const target = `${job.id}.${id}`;
  await write(run, beginBuild(store, target, manifest.model));
  const builder = buildIndex({ algorithm });
  const list = documentList();
  const pieces: Piece[] = [];
  for await (const { number, block } of readBlocks(store, build, blocks)) {
    const copy = keepOnly(kept, block, number);
    await write(run, [putBlock(store, target, number, copy)]);
    for (const [at, document] of copy.documents.entries()) {
      list.add(document);
      pieces.push(...piecesOf(document, number, at));
      const { title, chunks } = document;
      builder.add(
        document,
        number,
        chunks.length > 0 ? await reader.terms({ title, chunks }, algorithm) : [],
      );
    }
    checkRemainingTime(input);
  }
  const parts = await putIndex(store, target, builder.serialise());
  await writeParts(run, [...parts, ...putDocumentList(store, target, list.heads())]);
  return {
    id: version,
    ...(manifest.algorithm !== undefined && { algorithm }),
    ...(await copyVectors(run, manifest, target, pieces)),
    build: target,
    documents: kept.size,
    failed: [...kept.values()].filter(({ error }) => error !== null).length,
    chunks: builder.chunkCount(),
    blocks,
    indexParts: parts.length,
  };
}

/** Writes the vectors of the pieces that stay. A version without vectors gets none. */
async function copyVectors(
  run: JobRun<'knowledge.expunge'>,
  { model, build }: Manifest,
  target: string,
  pieces: readonly Piece[],
): Promise<Pick<NewManifest, 'model' | 'vectorParts'>> {
  if (model === undefined) return {};
  const vectors = await vectorsOfBuild(run.store, build);
  const parts = partsOf(pieces);
  for (const [number, partPieces] of parts) {
    const bytes = packPart(planPart(partPieces, vectors).pieces);
    await write(run, [putVectorPart(run.store, target, number, bytes)]);
    checkRemainingTime(run.input);
  }
  return { model, vectorParts: parts.length };
}
