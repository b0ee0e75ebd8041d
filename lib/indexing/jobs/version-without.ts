/** Replaces an index version with one that lacks some documents, in turns. It is made only from the texts of the old version. */

import { split } from '../../base/batches.ts';
import type { ExpungeResult } from '../../jobs/results.ts';
import { advance, type JobRun, partsAtOnce, write } from '../../jobs/run.ts';
import { algorithmOf } from '../../search/index/algorithms.ts';
import { documentsIn } from '../../search/index/common/index-file.ts';
import type { DocumentReader } from '../../search/pieces/document-reader.ts';
import { checkTurn } from '../../workers/turn.ts';
import type { Write } from '../../workers/worker.ts';
import { beginBuild, getCopied, keepCopied } from '../store/builds.ts';
import { type Block, getIndex, putBlock } from '../store/parts.ts';
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
  requireLiveVersion,
} from '../store/versions.ts';
import { addBlock, type BuiltDocuments, isIn, readBlocks } from './blocks.ts';
import { versionOf } from './index-version.ts';
import { type Piece, partsOf, planPart, vectorsOfBuild } from './piece-vectors.ts';
import { writeIndex } from './write-index.ts';

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
  const version = versionOf(documents, manifest.model, algorithmOf(manifest), manifest.searchFields);
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
    else writes.push(old.held ? pinIndexVersion(store, version) : requireLiveVersion(store, version));
    const changes = { tally: { ...tally, replacedVersions: tally.replacedVersions + 1 } };
    // The write fails if a deployment has begun to hold the old version since it was read.
    if (await advance(run, changes, writes)) return 1;
    // The existing version was released meanwhile, so it is built again.
    const existing = isThere ? await getManifest(store, version) : undefined;
    if (isThere && !(existing && isLive(existing))) return removeFromVersion(run, reader, id, ids, tally);
  }
}

async function readKept(
  { store }: JobRun<'knowledge.expunge'>,
  { build, blocks }: Manifest,
  ids: ReadonlySet<string>,
): Promise<KeptDocuments> {
  const kept: KeptDocuments = new Map();
  for await (const { number, block } of readBlocks(store, build, blocks))
    addBlock(kept, number, { documents: block.documents.filter(({ id }) => ids.has(id)) });
  return kept;
}

/**
 * If a document was deleted while the version was built, it is in a block but not in the index. The next turn finds the blocks that
 * are left.
 */
async function cleanBlocks(
  run: JobRun<'knowledge.expunge'>,
  { build, blocks }: Manifest,
  kept: KeptDocuments,
  ids: ReadonlySet<string>,
): Promise<void> {
  const { store } = run;
  for await (const { number, block } of readBlocks(store, build, blocks)) {
    if (!block.documents.some(({ id }) => ids.has(id))) continue;
    await advance(run, { attempts: 0 }, [putBlock(store, build, number, keepOnly(kept, block, number))]);
    checkTurn(run.input);
  }
}

const keepOnly = (kept: KeptDocuments, { documents }: Block, number: number): Block => ({
  documents: documents.filter(({ id }) => isIn(kept.get(id), number)),
});

/** Writes the new version, in turns. If a turn ends after the blocks are copied, the next one makes the index and the vectors. */
async function buildWithout(
  run: JobRun<'knowledge.expunge'>,
  reader: DocumentReader,
  manifest: Manifest,
  version: string,
  kept: KeptDocuments,
): Promise<NewManifest> {
  const { job } = run;
  const { id, blocks } = manifest;
  // The search in what deployments hold stays as it is.
  const algorithm = algorithmOf(manifest);
  const target = `${job.id}.${id}`;
  await copyBlocks(run, manifest, target, kept);
  const { pieces, ...index } = await writeIndex(run, reader, {
    id: target,
    blocks,
    has: () => true,
    algorithm,
  });
  return {
    id: version,
    ...(manifest.algorithm !== undefined && { algorithm }),
    ...(manifest.searchFields && { searchFields: manifest.searchFields }),
    ...(await copyVectors(run, manifest, target, pieces)),
    build: target,
    documents: kept.size,
    failed: [...kept.values()].filter(({ error }) => error !== null).length,
    blocks,
    ...index,
  };
}

/** Copies the documents that stay. */
async function copyBlocks(
  run: JobRun<'knowledge.expunge'>,
  { model, build, blocks }: Manifest,
  target: string,
  kept: KeptDocuments,
): Promise<void> {
  const { store, input } = run;
  const copied = await getCopied(store, target);
  if (copied === undefined) await write(run, beginBuild(store, target, model));
  let copies: Write[] = [];
  for await (const { number, block } of readBlocks(store, build, blocks, copied)) {
    copies.push(putBlock(store, target, number, keepOnly(kept, block, number)));
    if (copies.length < partsAtOnce && number + 1 < blocks) continue;
    await advance(run, { attempts: 0 }, [...copies, keepCopied(store, target, number + 1)]);
    copies = [];
    checkTurn(input);
  }
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
  for (const some of split(parts, partsAtOnce)) {
    const writes = some.map(([number, partPieces]) =>
      putVectorPart(run.store, target, number, packPart(planPart(partPieces, vectors).pieces)),
    );
    await write(run, writes);
  }
  return { model, vectorParts: parts.length };
}
