/**
 * Builds the search index of a project's documents and publishes it. A run can be killed between any two lines, and the
 * next one continues: every write is either a part of a build that nobody reads yet, or one transaction.
 *
 *   claim → blocks (texts of documents, with checkpoints) → index → vectors → publish (one pointer) → mark documents →
 *   retire → end
 *
 * If many vectors are missing, the run ends before it publishes. Steps compute the vectors (encode-step.ts), and the last one
 * starts the run that publishes.
 */

import { timestamp } from '../../base/time.ts';
import { isEncoding, isOpen, jobAt } from '../../jobs/job.ts';
import { advance, claim, endAfter, JobFailure, type JobRun, write, writeParts } from '../../jobs/run.ts';
import { getJob } from '../../jobs/store.ts';
import { checkRemainingTime } from '../../workers/time-limit.ts';
import type { WorkerInput, Write } from '../../workers/worker.ts';
import { type DocumentReader, openDocumentReader } from '../document-reader.ts';
import { type EncoderSource, encoderSource } from '../encoder-source.ts';
import { buildIndex, indexLimits } from '../index/builder.ts';
import { currentAlgorithm } from '../index/names.ts';
import { beginBuild, getPrepared, prepareBuild } from '../store/builds.ts';
import type { ProjectStore } from '../store/documents.ts';
import { putStep } from '../store/encoding-steps.ts';
import { putDocumentList, putIndex } from '../store/parts.ts';
import { packPart, piecesPerPart } from '../store/vector-part.ts';
import { putVectorPart } from '../store/vectors.ts';
import {
  completeBuild,
  getManifest,
  getPublished,
  isLive,
  type NewManifest,
  publishVersion,
} from '../store/versions.ts';
import {
  type BuiltDocuments,
  isIn,
  readBlocks,
  readBuiltDocuments,
  shownState,
  writeBlocks,
} from './blocks.ts';
import { documentList } from './document-list.ts';
import { type ListedDocument, listDocuments, tooLarge, versionOf } from './index-version.ts';
import { markDocuments } from './mark-documents.ts';
import { countMissing, fillPart, knownVectors, type Piece, piecesOf, planParts } from './piece-vectors.ts';
import { removeOpenBuilds, retirePrevious } from './retire.ts';

const maxRounds = 5;

const tooManyTerms = {
  code: 'too_much_text',
  message: `An index can have at most ${indexLimits.chunks} pieces and ${indexLimits.terms} different words.`,
};

/** What tests replace. */
export type Options = {
  openReader: () => DocumentReader;
  encoder: EncoderSource;
  /** So many missing vectors are computed at once, in seconds. More are computed by steps. */
  maxAtOnce: number;
};

const defaults = (): Options => ({
  openReader: openDocumentReader,
  encoder: encoderSource(),
  maxAtOnce: 64,
});

type Run = JobRun<'knowledge.reindex'> & Omit<Options, 'openReader'> & { reader: DocumentReader };

export async function reindex(
  store: ProjectStore,
  jobId: string,
  input: WorkerInput,
  options: Partial<Options> = {},
): Promise<void> {
  if (await isWaiting(store, jobId, input)) return;
  const job = await claim(store, jobId, input, 'knowledge.reindex');
  // Another run may have ended in between, and left steps.
  if (!job || isEncoding(job)) return;
  const { openReader, ...others } = { ...defaults(), ...options };
  const run = { store, job, input, reader: openReader(), ...others };
  try {
    if (job.result === null && !(await buildAndPublish(run))) return;
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

/** Whether the steps of the job go on. After its deadline they do not. */
async function isWaiting(store: ProjectStore, jobId: string, input: WorkerInput): Promise<boolean> {
  const job = await getJob(store, jobId);
  return job !== undefined && isEncoding(job) && isOpen(jobAt(job, input.nowMs(), input.organisation));
}

/** @returns whether a version is published; false if its vectors are computed first, by steps */
async function buildAndPublish(run: Run): Promise<boolean> {
  const { store, job, encoder } = run;
  const prepared = job.encoding === 0 ? await getPrepared(store, job.id) : undefined;
  if (prepared) {
    await publish(run, prepared);
    return true;
  }
  let listed = await listDocuments(store);
  const error = tooLarge(listed);
  if (error) throw new JobFailure(error);
  if (await reusePublished(run, listed)) return true;

  let blocks = job.blocks;
  if (blocks === 0) await write(run, beginBuild(store, job.id, encoder.model));
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
  const { manifest, pieces } = await buildFromBlocks(run, built, blocks);
  const shown = shownState(built, manifest.documents);
  const isComplete = await writeVectors(run, manifest, pieces, shown);
  if (isComplete) await publish(run, manifest, shown);
  return isComplete;
}

/** @returns whether the published version already contains the documents as they are. It is then the job's result */
async function reusePublished(run: Run, listed: readonly ListedDocument[]): Promise<boolean> {
  const published = await getPublished(run.store);
  const wanted = versionOf(
    listed.map(({ id, fingerprint }) => ({ id, fingerprint })),
    run.encoder.model,
  );
  if (published?.version !== wanted) return false;
  const manifest = await getManifest(run.store, wanted);
  if (!manifest || !isLive(manifest)) return false;
  const { documents, chunks, failed } = manifest;
  const result = { indexVersion: wanted, changed: false, documents, chunks };
  await advance(run, { result, progress: { total: documents, done: documents, failed } });
  return true;
}

/** Writes the index of the documents in the blocks. */
async function buildFromBlocks(
  run: Run,
  built: BuiltDocuments,
  blocks: number,
): Promise<{ manifest: NewManifest; pieces: Piece[] }> {
  const { store, job, reader, encoder } = run;
  const { model } = encoder;
  const pieces: Piece[] = [];
  const builder = buildIndex();
  const list = documentList();
  for await (const { number, block } of readBlocks(store, job.id, blocks)) {
    for (const [at, document] of block.documents.entries()) {
      // If a document was read twice, the last block counts.
      if (!isIn(built.get(document.id), number)) continue;
      list.add(document);
      const { title, chunks } = document;
      builder.add(document, number, chunks.length > 0 ? await reader.terms({ title, chunks }) : []);
      if (builder.isTooLarge()) throw new JobFailure(tooManyTerms);
      for (const piece of piecesOf(document, number, at)) pieces.push(piece);
    }
  }
  const parts = await putIndex(store, job.id, builder.serialise());
  const listParts = putDocumentList(store, job.id, list.heads());
  await writeParts(run, [...parts, ...listParts]);
  const manifest = {
    id: versionOf(
      [...built].map(([id, document]) => ({ id, ...document })),
      model,
    ),
    algorithm: currentAlgorithm,
    model,
    build: job.id,
    documents: built.size,
    failed: [...built.values()].filter(({ error }) => error !== null).length,
    chunks: builder.chunkCount(),
    blocks,
    indexParts: parts.length,
    listParts: listParts.length,
    vectorParts: Math.ceil(pieces.length / piecesPerPart),
  };
  return { manifest, pieces };
}

/** Together at most 2 MB. */
const partsAtOnce = 20;

function* inChunks<Value>(values: Iterable<Value>, size: number): Generator<Value[]> {
  let chunk: Value[] = [];
  for (const value of values) {
    chunk.push(value);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

type Shown = ReturnType<typeof shownState>;

/**
 * Writes the vectors of the pieces.
 * @returns whether all are there; false if steps compute the missing ones, and the job waits for them
 */
async function writeVectors(
  run: Run,
  manifest: NewManifest,
  pieces: readonly Piece[],
  shown: Shown,
): Promise<boolean> {
  const { store, job, input, encoder, maxAtOnce } = run;
  const known = await knownVectors(store, manifest.id, encoder.model);
  const missing = countMissing(pieces, known);
  const isSmall = missing <= maxAtOnce;
  const deadlineMs = Date.parse(job.deadlineAt);
  let steps = 0;
  // Some parts at a time: all of them take hundreds of megabytes.
  for (const some of inChunks(planParts(pieces, known), partsAtOnce)) {
    const writes: Write[] = [];
    for (const { number, pieces: own, todo } of some) {
      const isFilled = isSmall && todo.length > 0;
      const filled = isFilled
        ? await fillPart(store, job.id, { pieces: own, todo }, await encoder.load(), input)
        : own;
      writes.push(putVectorPart(store, job.id, number, packPart(filled)));
      if (isSmall || todo.length === 0) continue;
      writes.push(putStep(store, job.id, number, todo, deadlineMs));
      steps += 1;
    }
    await write(run, writes);
    checkRemainingTime(input);
  }
  if (steps === 0) return true;
  const progress = { ...shown.progress, pieces: { total: missing, done: 0 } };
  // From now on, the steps may write.
  const waiting = { ...shown, progress, encoding: steps, attempts: 0, attempt: '' };
  await advance(run, waiting, [prepareBuild(store, manifest)]);
  return false;
}

/** Moves the pointer: readers find the old version or this one, never a mixture. */
async function publish(run: Run, manifest: NewManifest, shown: Partial<Shown> = {}): Promise<void> {
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
    if (await advance(run, { result, ...shown }, writes)) return;
  }
}
