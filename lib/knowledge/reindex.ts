/**
 * Re-indexing: what the worker does for one job. A run may be killed between any two lines, and another one goes on: what
 * is written is either a part of a build that nobody reads yet, or one transaction.
 *
 *   claim → blocks (documents as texts, a checkpoint after some) → index → publish (one pointer) → marks → retire → end
 */

import { hash } from 'node:crypto';
import { isOpen, jobAt } from '../jobs/job.ts';
import type { Job } from '../jobs/schema.ts';
import { getJob, type StoredJob } from '../jobs/store.ts';
import { timestamp } from '../time.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { type DocumentReader, openDocumentReader } from './document-reader.ts';
import { algorithm, buildIndex, indexLimits } from './index/search-index.ts';
import { advance, claim, each, type JobRun, Lost, mustHaveTime, write, writeParts } from './job-run.ts';
import { type Finding, failed, type Reading } from './read-document.ts';
import type { StoredDocument } from './store/documents.ts';
import { getContents, markDocument, pageDocuments, type StoredContent } from './store/documents.ts';
import {
  type Block,
  beginBuild,
  closeBuild,
  completeBuild,
  expireBuild,
  expireParts,
  forgetPrevious,
  getBlocks,
  getManifest,
  getPublished,
  listOpenBuilds,
  type PreparedDocument,
  publishVersion,
  putBlock,
  putIndex,
  retireVersion,
} from './store/indexes.ts';

/** As much as one index holds in the memory of the functions that build it and ask it. */
export const maxDocuments = 20_000;
export const maxMegabytes = 100;
const maxRounds = 5;
const maxShown = 100;
/** Each takes seconds. Documents that want more than their budget are rare, or somebody's intention. */
const maxStopped = 10;
const blocksPerCheckpoint = 20;
const documentsPerBlock = 10;
const bytesPerBlock = 200 * 1024;
const blocksPerRead = 40;

const tooManyStopped = {
  code: 'too_many_failures',
  message:
    `Reading took too much time or memory for ${maxStopped} documents, which \`failures\` lists. Change ` +
    'or delete them.',
};

/** What is known of a document, from the list of documents. */
type Listed = Pick<StoredDocument, 'id' | 'status' | 'error' | 'bytes' | 'contentSha256' | 'changedIn'> & {
  title: string;
  tags: readonly string[];
  fingerprint: string;
};

/** What a build holds of a document: in which block, and why not where it failed. */
type Held = { fingerprint: string; block: number; error: Finding | null; warning: Finding | null };

type Run = JobRun & { reader: DocumentReader };

/** @param openReader another one than usual, for tests */
export async function reindex(
  projectId: string,
  jobId: string,
  input: WorkerInput,
  openReader: () => DocumentReader = openDocumentReader,
): Promise<void> {
  const job = await claim(projectId, jobId, input);
  if (!job) return;
  const run = { projectId, job, input, reader: openReader() };
  try {
    if (job.result === null) await publish(run, job.blocks);
    await mark(run);
    await tidy(run);
    const finishedAt = timestamp(input.nowMs());
    await advance(run, { status: 'succeeded', finishedAt, attempt: '' });
  } catch (error) {
    if (!(error instanceof Lost)) throw error;
  } finally {
    await run.reader.close();
  }
}

/** Makes the index of the documents as they are, and publishes it. */
async function publish(run: Run, blocks: number): Promise<void> {
  const { projectId, job, input } = run;
  const { store } = input;
  let listed = await listDocuments(run);
  const error = tooLarge(listed);
  if (error) return fail(run, error);
  const published = await getPublished(store, projectId);
  const asReadable = listed.map(({ id, fingerprint }) => ({ id, fingerprint }));
  if (published && published.version === versionOf(asReadable)) {
    const manifest = await getManifest(store, projectId, published.version);
    if (manifest && manifest.ttl === undefined) {
      const { documents, chunks, failed } = manifest;
      const result = { indexVersion: published.version, changed: false, documents, chunks };
      const progress = { total: documents, done: documents, failed };
      await advance(run, { result, progress });
      return;
    }
  }

  if (blocks === 0) await write(run, beginBuild(store, projectId, job.id));
  const held = await recover(input, projectId, job.id, blocks);
  let next = blocks;
  // A document that changes while it is indexed is read again; one that never rests stays `pending`.
  for (let round = 0; round < maxRounds; round += 1) {
    const missing = listed.filter(({ id, fingerprint }) => held.get(id)?.fingerprint !== fingerprint);
    if (missing.length === 0) break;
    next = await prepare(run, missing, held, next, listed.length);
    listed = await listDocuments(run);
  }
  await index(run, listed, held, next);
}

const tooManyTerms = {
  code: 'too_much_text',
  message: `An index can have at most ${indexLimits.chunks} pieces and ${indexLimits.terms} different words.`,
};

function tooLarge(listed: readonly Listed[]): Job['error'] {
  if (listed.length > maxDocuments) {
    const message = `An index can have at most ${maxDocuments} documents.`;
    return { code: 'too_many_documents', message };
  }
  const bytes = listed.reduce((sum, document) => sum + document.bytes, 0);
  if (bytes <= maxMegabytes * 1e6) return null;
  return { code: 'too_much_text', message: `An index can have at most ${maxMegabytes} MB of documents.` };
}

async function fail(
  run: Run,
  error: Job['error'],
  others: Parameters<typeof advance>[1] = {},
): Promise<never> {
  const finishedAt = timestamp(run.input.nowMs());
  await advance(run, { ...others, status: 'failed', error, finishedAt, attempt: '' });
  throw new Lost();
}

/** @returns every document there is, oldest first, with the fingerprint of what the index would hold of it */
async function listDocuments({ projectId, input }: Run): Promise<Listed[]> {
  const listed: Listed[] = [];
  for (let after: string | undefined; ; ) {
    const { items, next } = await pageDocuments(input.store, projectId, { after, limit: 1000 });
    for (const { id, status, error, bytes, contentSha256, changedIn, mimeType, title, tags } of items) {
      const fingerprint = digest([contentSha256, mimeType, title, tags]);
      listed.push({ id, status, error, bytes, contentSha256, changedIn, title, tags, fingerprint });
    }
    if (next === null || listed.length > maxDocuments) return listed;
    after = next;
  }
}

/**
 * The same documents, with the same content, under the same algorithm: the same version. A document that could not be
 * read although there may be nothing wrong with it makes another one, so that the next job tries it again.
 */
export const versionOf = (
  documents: readonly { id: string; fingerprint: string; error?: Finding | null }[],
): string =>
  digest([
    algorithm,
    ...documents
      .map(({ id, fingerprint, error }) => `${id}:${fingerprint}${isFinal(error) ? '' : `:${error?.code}`}`)
      .sort(),
  ]);

const isFinal = (error: Finding | null | undefined): boolean => !error || error.code === 'no_text';

const digest = (of: unknown) => hash('sha256', JSON.stringify(of), 'hex').slice(0, 40);

/** @returns what earlier runs have written, by document */
async function recover(
  input: WorkerInput,
  projectId: string,
  build: string,
  blocks: number,
): Promise<Map<string, Held>> {
  const held = new Map<string, Held>();
  for await (const { number, block } of readBlocks(input, projectId, build, blocks)) {
    hold(held, number, block);
  }
  return held;
}

export async function* readBlocks({ store }: WorkerInput, projectId: string, build: string, count: number) {
  for (let from = 0; from < count; from += blocksPerRead) {
    const numbers = Array.from({ length: Math.min(blocksPerRead, count - from) }, (_, index) => from + index);
    const blocks = await getBlocks(store, projectId, build, numbers);
    if (blocks.length < numbers.length) throw new Error('a block of the build is missing');
    yield* blocks.sort((a, b) => a.number - b.number);
  }
}

function hold(held: Map<string, Held>, number: number, { documents }: Block): void {
  for (const { id, fingerprint, error, warning = null } of documents) {
    held.set(id, { fingerprint, block: number, error, warning });
  }
}

/** Writes the texts of these documents as blocks, and notes in `held` what is written. @returns the next block's number */
async function prepare(
  run: Run,
  documents: readonly Listed[],
  held: Map<string, Held>,
  first: number,
  total: number,
): Promise<number> {
  const { projectId, job, input } = run;
  let number = first;
  let stopped = run.reader.stopped();
  for (const group of groupsOf(documents)) {
    const block = await blockOf(run, group);
    await write(run, [putBlock(input.store, projectId, job.id, number, block)]);
    hold(held, number, block);
    number += 1;
    if (run.reader.stopped() >= maxStopped) return fail(run, tooManyStopped, told(held, total));
    // Stopping one took long: nobody has to do so again.
    if (number % blocksPerCheckpoint !== 0 && run.reader.stopped() === stopped) continue;
    stopped = run.reader.stopped();
    await advance(run, { blocks: number, ...told(held, total) });
    mustHaveTime(input);
  }
  await advance(run, { blocks: number, ...told(held, total) });
  return number;
}

/** What a block holds: of bounded size, so that it fits into an item. */
function* groupsOf(documents: readonly Listed[]): Generator<Listed[]> {
  let group: Listed[] = [];
  let bytes = 0;
  for (const document of documents) {
    if (group.length === documentsPerBlock || (group.length > 0 && bytes + document.bytes > bytesPerBlock)) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(document);
    bytes += document.bytes;
  }
  if (group.length > 0) yield group;
}

async function blockOf({ projectId, input, reader }: Run, group: readonly Listed[]): Promise<Block> {
  const ids = group.map(({ id }) => id);
  const contents = new Map(
    (await getContents(input.store, projectId, ids)).map((content) => [content.id, content]),
  );
  const documents: PreparedDocument[] = [];
  for (const { id, title, tags, fingerprint, contentSha256 } of group) {
    const content = contents.get(id);
    // It has changed since it was listed: the next round sees what is there then.
    if (content && content.contentSha256 !== contentSha256) continue;
    documents.push({ id, title, tags, fingerprint, ...(await readingOf(reader, title, content)) });
  }
  return { documents };
}

/** One bad document fails alone. */
async function readingOf(
  reader: DocumentReader,
  title: string,
  stored: StoredContent | undefined,
): Promise<Reading> {
  // One that was deleted since it was listed is none of the index's when that is built.
  if (!stored) return failed('unreadable', 'The content of the document is not stored.');
  const { content, mimeType } = stored;
  if (content === null) return failed('unreadable', 'The stored content is damaged.');
  return reader.read({ title, content, mimeType });
}

/** How far the job is, as it is shown. */
function told(
  held: ReadonlyMap<string, Held>,
  total: number,
): Pick<StoredJob, 'progress' | 'failures' | 'warnings'> {
  const all = (kind: 'error' | 'warning') =>
    [...held].flatMap(([documentId, { [kind]: finding }]) => (finding ? [{ documentId, ...finding }] : []));
  const failures = all('error');
  return {
    progress: { total: Math.max(total, held.size), done: held.size, failed: failures.length },
    failures: failures.slice(0, maxShown),
    warnings: all('warning').slice(0, maxShown),
  };
}

/** Builds the index from the blocks and publishes it: readers find the old version or this one, never a mixture. */
async function index(
  run: Run,
  listed: readonly Listed[],
  held: Map<string, Held>,
  blocks: number,
): Promise<void> {
  const { projectId, job, input } = run;
  const { store } = input;
  const existing = new Set(listed.map(({ id }) => id));
  for (const id of held.keys()) if (!existing.has(id)) held.delete(id);
  const documents = [...held].map(([id, document]) => ({ id, ...document }));
  const version = versionOf(documents);
  const builder = buildIndex();
  for await (const { number, block } of readBlocks(input, projectId, job.id, blocks)) {
    for (const document of block.documents) {
      // A document that was read twice counts as it was read last.
      if (held.get(document.id)?.block !== number) continue;
      const { title, chunks } = document;
      builder.add(document, number, chunks.length > 0 ? await run.reader.terms({ title, chunks }) : []);
      if (builder.isTooLarge()) return fail(run, tooManyTerms);
    }
  }
  const indexParts = await putIndex(store, projectId, job.id, builder.serialise());
  await writeParts(run, indexParts);
  const counts = { documents: documents.length, chunks: builder.chunkCount() };
  // The pointer knows one version before: where a job ended without tidying up, that one goes first.
  await retirePrevious(run);
  for (;;) {
    const published = await getPublished(store, projectId);
    const before = await getManifest(store, projectId, version);
    const changed = published?.version !== version;
    const state = told(held, documents.length);
    const { failed } = state.progress;
    const manifest = { id: version, build: job.id, ...counts, failed, blocks, indexParts: indexParts.length };
    const writes = [
      ...(before && before.ttl === undefined ? [] : completeBuild(store, projectId, manifest, before)),
      ...(changed ? [publishVersion(store, projectId, version, published)] : []),
    ];
    const result = { indexVersion: version, changed, ...counts };
    if (await advance(run, { result, ...state }, writes)) return;
  }
}

/** Tells the documents what has become of them: those that are as the index holds them. */
async function mark(run: Run): Promise<void> {
  const { projectId, input } = run;
  const listed = await listDocuments(run);
  const { store, commit } = input;
  const published = await getPublished(store, projectId);
  const manifest = published && (await getManifest(store, projectId, published.version));
  if (!manifest || isTold(listed, manifest.failed)) return;
  const held = await recover(input, projectId, manifest.build, manifest.blocks);
  const untold = listed.filter(({ id, fingerprint, status }) => {
    const found = held.get(id);
    if (found?.fingerprint !== fingerprint) return false;
    return status === 'pending' || (status === 'failed') !== (found.error !== null);
  });
  await each(input, untold, async (document) => {
    const error = held.get(document.id)?.error ?? null;
    const mark = {
      status: error ? ('failed' as const) : ('indexed' as const),
      indexVersion: manifest.id,
      error,
    };
    // Refused where somebody has changed the document since: then it is pending again, and rightly so.
    await commit([markDocument(store, projectId, document, mark)]);
  });
}

/** Whether every document says already what the index holds of it. To know which one does not takes the whole build. */
const isTold = (listed: readonly Listed[], failed: number): boolean =>
  listed.every(({ status, error }) => status !== 'pending' && isFinal(error)) &&
  listed.filter(({ status }) => status === 'failed').length === failed;

/** Sends on their way what nobody will read: the version before, and builds that came to nothing. */
async function tidy(run: Run): Promise<void> {
  const { projectId, job, input } = run;
  const { store } = input;
  const nowMs = input.nowMs();
  await retirePrevious(run);
  for (const build of await listOpenBuilds(store, projectId)) {
    const other = await getJob(store.inProject(projectId), build);
    const isRunning = other && build !== job.id && isOpen(jobAt(other, nowMs));
    if (isRunning) continue;
    await expire(run, build, nowMs);
    await write(run, [closeBuild(store, projectId, build)]);
  }
}

async function retirePrevious(run: Run): Promise<void> {
  const { projectId, input } = run;
  const { store } = input;
  const nowMs = input.nowMs();
  const published = await getPublished(store, projectId);
  if (!published?.previous) return;
  const manifest = await getManifest(store, projectId, published.previous);
  // Refused if a deployment holds it.
  const isRetired = await write(run, retireVersion(store, projectId, published.previous, published, nowMs));
  if (manifest && isRetired) await expire(run, manifest.build, nowMs);
  await write(run, [forgetPrevious(store, projectId, published)]);
}

async function expire(run: Run, build: string, nowMs: number): Promise<void> {
  const { projectId, input } = run;
  for await (const writes of expireParts(input.store, projectId, build, nowMs)) {
    await writeParts(run, writes);
    mustHaveTime(input);
  }
  await write(run, [expireBuild(input.store, projectId, build, nowMs)]);
}
