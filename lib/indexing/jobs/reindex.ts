/**
 * Builds the search index of a project's documents and publishes it, in turns. A run can be killed between any two lines, and the
 * next one continues: every write is either a part of a build that nobody reads yet, or one transaction.
 *
 *   claim → blocks (texts of documents, with checkpoints) → index → vectors → publish (one pointer) → mark documents →
 *   retire → end
 *
 * If many vectors are missing, the run ends before it publishes. Steps compute the vectors (encode-step.ts), and the last one
 * starts the run that publishes.
 */

import { timestamp } from '../../base/time.ts';
import type { ProjectStore } from '../../documents/store/documents.ts';
import { isEncoding, isOpen, jobAt } from '../../jobs/job.ts';
import type { ReindexResult } from '../../jobs/results.ts';
import { advance, JobFailure, type JobRun, runJob, write } from '../../jobs/run.ts';
import { getJob } from '../../jobs/store.ts';
import { getDeletedProject, getProject, searchFieldsOf } from '../../projects/store.ts';
import { currentAlgorithm } from '../../search/index/algorithms.ts';
import { type DocumentReader, openDocumentReader } from '../../search/pieces/document-reader.ts';
import { EncoderMissing, encoderSource } from '../../search/semantic/encoder.ts';
import { checkTurn } from '../../workers/turn.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import { beginBuild, getPrepared } from '../store/builds.ts';
import {
  completeBuild,
  getManifest,
  getPublished,
  isLive,
  type NewManifest,
  publishVersion,
  requireLiveVersion,
} from '../store/versions.ts';
import { markDocuments, removeOpenBuilds, retirePrevious } from './after-publication.ts';
import { isIn, jobState, maxFindings, readBuiltDocuments, writeBlocks } from './blocks.ts';
import { type ListedDocument, listDocuments, tooLarge, versionOf } from './index-version.ts';
import { type EncodingRun, partsOf, writeVectors } from './piece-vectors.ts';
import { writeIndex } from './write-index.ts';

/** How often a build reads documents that change meanwhile, and each of them at most. */
const maxRounds = 5;

/** Tests replace these. */
export type Options = Pick<EncodingRun, 'encoder' | 'maxAtOnce'> & { openReader: () => DocumentReader };

const defaults = (): Options => ({
  openReader: openDocumentReader,
  encoder: encoderSource(),
  maxAtOnce: 1024,
});

type Run = EncodingRun & { reader: DocumentReader };
type JobState = ReturnType<typeof jobState>;

export async function reindex(
  store: ProjectStore,
  jobId: string,
  input: WorkerInput,
  options: Partial<Options> = {},
): Promise<void> {
  if (await isWaiting(store, jobId, input)) return;
  await runJob(store, jobId, input, ['knowledge.reindex'], (run) =>
    build(run, { ...defaults(), ...options }),
  );
}

async function build(
  claimed: JobRun<'knowledge.reindex'>,
  { openReader, ...others }: Options,
): Promise<void> {
  const { job, input } = claimed;
  // Another run may have ended in between, and left steps.
  if (isEncoding(job)) return;
  const run = { ...claimed, reader: openReader(), ...others };
  try {
    if (job.result === null) {
      // The pointer has room for one previous version. If a job ended before it retired that version, do it now.
      await retirePrevious(run);
      if (!(await buildAndPublish(run))) return;
    }
    if (job.result === null || job.expired === '') await markDocuments(run);
    await retirePrevious(run);
    await removeOpenBuilds(run);
    await advance(run, { status: 'succeeded', finishedAt: timestamp(input.nowMs()), attempt: '' });
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
  const { store, job, encoder, reader } = run;
  const prepared = job.encoding === 0 ? await getPrepared(store, job.id) : undefined;
  if (prepared) {
    await publish(run, prepared);
    return true;
  }
  const searchFields = await readSearchFields(run);
  let documents = await listDocuments(store, searchFields);
  const error = tooLarge(documents);
  if (error) throw new JobFailure(error);
  if (await reusePublished(run, documents, encoder.model, searchFields)) return true;
  const model = await usableModel(run);
  if (model === undefined && (await reusePublished(run, documents, model, searchFields))) return true;

  let blocks = job.blocks;
  if (blocks === 0) await write(run, beginBuild(store, job.id, model));
  const built = await readBuiltDocuments(store, job.id, blocks);
  // A document that changes meanwhile is read again. One that never stops changing stays `pending`.
  for (let round = 0; round < maxRounds; round += 1) {
    const missing = documents.filter(({ id, fingerprint }) => {
      const before = built.get(id);
      return before?.fingerprint !== fingerprint && (before?.reads ?? 0) < maxRounds;
    });
    if (missing.length === 0) break;
    blocks = await writeBlocks(run, missing, built, blocks, documents.length);
    documents = await listDocuments(store, searchFields);
  }
  const documentIds = new Set(documents.map(({ id }) => id));
  for (const id of built.keys()) if (!documentIds.has(id)) built.delete(id);
  // What follows is one piece, up to the publication or to the steps.
  if (blocks > job.blocks) checkTurn(run.input);
  const { pieces, ...index } = await writeIndex(run, reader, {
    id: job.id,
    blocks,
    // If a document was read twice, the last block counts.
    has: ({ id }, block) => isIn(built.get(id), block),
    algorithm: currentAlgorithm,
  });
  const manifest = {
    id: versionOf(
      [...built].map(([id, document]) => ({ id, ...document })),
      model,
      currentAlgorithm,
      searchFields,
    ),
    algorithm: currentAlgorithm,
    build: job.id,
    documents: built.size,
    failed: [...built.values()].filter(({ error }) => error !== null).length,
    blocks,
    ...index,
    ...(model !== undefined && { model, vectorParts: partsOf(pieces).length }),
    ...(searchFields.length > 0 && { searchFields }),
  };
  const state = jobState(built, manifest.documents);
  const isComplete = await writeVectors(run, manifest, pieces, state);
  if (isComplete) await publish(run, manifest, state);
  return isComplete;
}

/**
 * @returns the model of the new version; undefined if no library runs it on this machine. Then the version has words only, and is
 *   another version than with the model: a later job on a machine with the library adds the meanings
 */
async function usableModel({ store, job, input, encoder }: Run): Promise<string | undefined> {
  try {
    return (await encoder.load()).model;
  } catch (fault) {
    if (!(fault instanceof EncoderMissing)) throw fault;
    const about = { worker: 'knowledge-indexer', tenant: store.key(job.id).tenant, item: job.id };
    input.log({ level: 'warn', message: 'index without meanings', ...about, fault });
    return undefined;
  }
}

/** @returns the fields that the project names now, also while it is deleted and can be restored */
async function readSearchFields({ store, input }: Run): Promise<readonly string[]> {
  const { projectId } = store;
  const project = await getProject(store, projectId);
  return searchFieldsOf(project ?? (await getDeletedProject(store, projectId, input.nowMs())));
}

/** @returns whether the published version already contains the documents as they are. It is then the job's result */
async function reusePublished(
  run: Run,
  listedDocuments: readonly ListedDocument[],
  model: string | undefined,
  searchFields: readonly string[],
): Promise<boolean> {
  const published = await getPublished(run.store);
  const version = versionOf(
    listedDocuments.map(({ id, fingerprint }) => ({ id, fingerprint })),
    model,
    currentAlgorithm,
    searchFields,
  );
  if (published?.version !== version) return false;
  const manifest = await getManifest(run.store, version);
  if (!manifest || !isLive(manifest)) return false;
  const { documents, chunks, failed } = manifest;
  const result = { indexVersion: version, changed: false, documents, chunks, mode: modeOf(manifest) };
  const failures = listedDocuments.flatMap(({ id, error }) => (error ? [{ documentId: id, ...error }] : []));
  const progress = { total: documents, done: documents, failed };
  await advance(run, {
    result,
    progress,
    failures: failures.slice(0, maxFindings),
    expired: '',
    attempts: 0,
  });
  return true;
}

const modeOf = ({ model }: Pick<NewManifest, 'model'>): NonNullable<ReindexResult['mode']> =>
  model === undefined ? 'lexical' : 'hybrid';

/** Moves the pointer: readers find the old version or this one, never a mixture. */
async function publish(run: Run, manifest: NewManifest, state: Partial<JobState> = {}): Promise<void> {
  const { store } = run;
  const { id: version, documents, chunks } = manifest;
  const mode = modeOf(manifest);
  for (;;) {
    const published = await getPublished(store);
    const before = await getManifest(store, version);
    const changed = published?.version !== version;
    const writes = [
      // The version of an earlier deployment may be released meanwhile.
      ...(before && isLive(before)
        ? [requireLiveVersion(store, version)]
        : completeBuild(store, manifest, before)),
      ...(changed ? [publishVersion(store, version, published)] : []),
    ];
    const result = { indexVersion: version, changed, documents, chunks, mode };
    if (await advance(run, { result, ...state, expired: '', attempts: 0 }, writes)) return;
  }
}
