/**
 * Builds the search index of a project's documents and publishes it. A run can be killed between any two lines, and the
 * next one continues: every write is either a part of a build that nobody reads yet, or one transaction.
 *
 *   claim → blocks (texts of documents, with checkpoints) → index → publish (one pointer) → mark documents → retire → end
 */

import { timestamp } from '../../base/time.ts';
import { advance, claim, endAfter, JobFailure, type JobRun, write, writeParts } from '../../jobs/run.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import { type DocumentReader, openDocumentReader } from '../document-reader.ts';
import { buildIndex, indexLimits } from '../index/builder.ts';
import { currentAlgorithm } from '../index/names.ts';
import { beginBuild } from '../store/builds.ts';
import type { ProjectStore } from '../store/documents.ts';
import { putDocumentList, putIndex } from '../store/parts.ts';
import {
  completeBuild,
  getManifest,
  getPublished,
  isLive,
  type NewManifest,
  publishVersion,
} from '../store/versions.ts';
import { type BuiltDocuments, readBlocks, readBuiltDocuments, shownState, writeBlocks } from './blocks.ts';
import { documentList } from './document-list.ts';
import { type ListedDocument, listDocuments, tooLarge, versionOf } from './index-version.ts';
import { markDocuments } from './mark-documents.ts';
import { removeOpenBuilds, retirePrevious } from './retire.ts';

const maxRounds = 5;

const tooManyTerms = {
  code: 'too_much_text',
  message: `An index can have at most ${indexLimits.chunks} pieces and ${indexLimits.terms} different words.`,
};

type Run = JobRun<'knowledge.reindex'> & { reader: DocumentReader };

/** @param openReader tests pass another one */
export async function reindex(
  store: ProjectStore,
  jobId: string,
  input: WorkerInput,
  openReader: () => DocumentReader = openDocumentReader,
): Promise<void> {
  const job = await claim(store, jobId, input, 'knowledge.reindex');
  if (!job) return;
  const run = { store, job, input, reader: openReader() };
  try {
    if (job.result === null) await buildAndPublish(run);
    await markDocuments(run);
    await retirePrevious(run);
    await removeOpenBuilds(run);
    await advance(run, { status: 'succeeded', finishedAt: timestamp(input.nowMs()), attempt: '' });
  } catch (error) {
    await endAfter(run, error);
  } finally {
    await run.reader.close();
  }
}

async function buildAndPublish(run: Run): Promise<void> {
  const { store, job } = run;
  let listed = await listDocuments(store);
  const error = tooLarge(listed);
  if (error) throw new JobFailure(error);
  if (await reusePublished(run, listed)) return;

  let blocks = job.blocks;
  if (blocks === 0) await write(run, beginBuild(store, job.id));
  const built = await readBuiltDocuments(store, job.id, blocks);
  // A document that changes meanwhile is read again. One that never stops changing stays `pending`.
  for (let round = 0; round < maxRounds; round += 1) {
    const missing = listed.filter(({ id, fingerprint }) => built.get(id)?.fingerprint !== fingerprint);
    if (missing.length === 0) break;
    blocks = await writeBlocks(run, missing, built, blocks, listed.length);
    listed = await listDocuments(store);
  }
  const existing = new Set(listed.map(({ id }) => id));
  for (const id of built.keys()) if (!existing.has(id)) built.delete(id);
  await publish(run, built, await buildFromBlocks(run, built, blocks));
}

/** @returns whether the published version already contains the documents as they are. It is then the job's result */
async function reusePublished(run: Run, listed: readonly ListedDocument[]): Promise<boolean> {
  const published = await getPublished(run.store);
  const wanted = versionOf(listed.map(({ id, fingerprint }) => ({ id, fingerprint })));
  if (published?.version !== wanted) return false;
  const manifest = await getManifest(run.store, wanted);
  if (!manifest || !isLive(manifest)) return false;
  const { documents, chunks, failed } = manifest;
  const result = { indexVersion: wanted, changed: false, documents, chunks };
  await advance(run, { result, progress: { total: documents, done: documents, failed } });
  return true;
}

/** Writes the index of the documents in the blocks. */
async function buildFromBlocks(run: Run, built: BuiltDocuments, blocks: number): Promise<NewManifest> {
  const { store, job, reader } = run;
  const builder = buildIndex();
  const list = documentList();
  for await (const { number, block } of readBlocks(store, job.id, blocks)) {
    for (const document of block.documents) {
      // If a document was read twice, the last block counts.
      if (built.get(document.id)?.block !== number) continue;
      list.add(document);
      const { title, chunks } = document;
      builder.add(document, number, chunks.length > 0 ? await reader.terms({ title, chunks }) : []);
      if (builder.isTooLarge()) throw new JobFailure(tooManyTerms);
    }
  }
  const parts = await putIndex(store, job.id, builder.serialise());
  const listParts = putDocumentList(store, job.id, list.heads());
  await writeParts(run, [...parts, ...listParts]);
  return {
    id: versionOf([...built].map(([id, document]) => ({ id, ...document }))),
    algorithm: currentAlgorithm,
    build: job.id,
    documents: built.size,
    failed: [...built.values()].filter(({ error }) => error !== null).length,
    chunks: builder.chunkCount(),
    blocks,
    indexParts: parts.length,
    listParts: listParts.length,
  };
}

/** Moves the pointer: readers find the old version or this one, never a mixture. */
async function publish(run: Run, built: BuiltDocuments, manifest: NewManifest): Promise<void> {
  const { store } = run;
  const { id: version, documents, chunks } = manifest;
  // The pointer has room for one previous version. If a job ended before it retired that version, do it now.
  await retirePrevious(run);
  for (;;) {
    const published = await getPublished(store);
    const before = await getManifest(store, version);
    const changed = published?.version !== version;
    const writes = [
      ...(before && isLive(before) ? [] : completeBuild(store, manifest, before)),
      ...(changed ? [publishVersion(store, version, published)] : []),
    ];
    const result = { indexVersion: version, changed, documents, chunks };
    if (await advance(run, { result, ...shownState(built, documents) }, writes)) return;
  }
}
