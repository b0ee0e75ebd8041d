/** Writes the texts of documents as the blocks of a build, and reads them again. */

import { secondMs } from '../../base/time.ts';
import { getContents, type ReadContent } from '../../documents/store/contents.ts';
import type { ProjectStore } from '../../documents/store/documents.ts';
import { maxFieldLength } from '../../documents/store/search-fields.ts';
import { advance, JobFailure, type JobRun, write } from '../../jobs/run.ts';
import type { Job } from '../../jobs/schema.ts';
import type { ExtractionNote } from '../../readers/blocks.ts';
import type { Section } from '../../readers/sections.ts';
import type { DocumentReader } from '../../search/pieces/document-reader.ts';
import { maxContext } from '../../search/pieces/passage.ts';
import { type Finding, failure, type Reading } from '../../search/pieces/read-document.ts';
import { checkTurn } from '../../workers/turn.ts';
import { type Block, getBlocks, type PreparedDocument, putBlock } from '../store/parts.ts';
import type { ListedDocument } from './index-version.ts';

/** The largest number of failures and warnings that a job shows. */
export const maxFindings = 100;
/** Stopping a document takes seconds. Documents that exceed their budget are rare, unless somebody intends it. */
const maxStopped = 10;
const blocksPerCheckpoint = 20;
/** So many blocks, or so much time: a turn has begun with what the turns before it have read. */
const minReadingMs = 5 * secondMs;
const documentsPerBlock = 10;
const bytesPerBlock = 200 * 1024;
/** Headings repeat, so a block may have more than the content. An item has at most 400 KB, which even random text does not reach. */
const bytesPerSlice = 256 * 1024;
const blocksPerRead = 40;

/** What a build contains of a document, and in which blocks. A failed document has an error. */
export type BuiltDocument = {
  fingerprint: string;
  block: number;
  blocks: number;
  /** How often the build has read it. */
  reads: number;
  error: Finding | null;
  warning: Finding | null;
  notes: readonly ExtractionNote[];
};
export type BuiltDocuments = Map<string, BuiltDocument>;

const tooManyStopped = {
  code: 'too_many_failures',
  message:
    `Reading took too much time or memory for ${maxStopped} documents, which \`failures\` lists. Change ` +
    'or delete them.',
};

/** @returns what the first `count` blocks of a build contain */
export async function readBuiltDocuments(
  store: ProjectStore,
  build: string,
  count: number,
): Promise<BuiltDocuments> {
  const built: BuiltDocuments = new Map();
  for await (const { number, block } of readBlocks(store, build, count)) addBlock(built, number, block);
  return built;
}

/** @returns the first `count` blocks of a build, without those before `first`, in their order. @throws Error if one is missing */
export async function* readBlocks(store: ProjectStore, build: string, count: number, first = 0) {
  for (let from = first; from < count; from += blocksPerRead) {
    const numbers = Array.from({ length: Math.min(blocksPerRead, count - from) }, (_, index) => from + index);
    const blocks = await getBlocks(store, build, numbers);
    if (blocks.length < numbers.length) throw new Error('a block of the build is missing');
    yield* blocks.sort((a, b) => a.number - b.number);
  }
}

/** Adds what a block contains. The blocks must come in their order. If a document was read twice, the last time counts. */
export function addBlock(built: BuiltDocuments, number: number, { documents }: Block): void {
  for (const { id, fingerprint, error, warning = null, notes = [], continues } of documents) {
    const before = built.get(id);
    const reads = (before?.reads ?? 0) + 1;
    if (continues && before) before.blocks += 1;
    else built.set(id, { fingerprint, block: number, blocks: 1, reads, error, warning, notes });
  }
}

/** @returns whether what this block has of the document counts */
export const isIn = (
  document: Pick<BuiltDocument, 'block' | 'blocks'> | undefined,
  number: number,
): boolean => document !== undefined && number >= document.block && number < document.block + document.blocks;

/**
 * Writes the texts of documents as blocks, with a checkpoint in the job after some of them, and adds them to `built`. A turn ends at
 * a checkpoint.
 * @param first the number of the first block
 * @param total the number of documents that the job shows
 * @returns the number of the next block
 * @throws JobFailure if reading too many documents took too long
 */
export async function writeBlocks(
  run: JobRun<'knowledge.reindex'> & { reader: DocumentReader },
  documents: readonly ListedDocument[],
  built: BuiltDocuments,
  first: number,
  total: number,
): Promise<number> {
  const { store, job, input, reader } = run;
  let number = first;
  let { stopped } = job;
  const begunMs = input.elapsedMs();
  const isDue = () => input.turn.isOver() && input.elapsedMs() - begunMs >= minReadingMs;
  for (const group of groupsOf(documents)) {
    const firstOfGroup = number;
    for (const block of blocksOf(await readGroup(store, reader, group, isDue))) {
      await write(run, [putBlock(store, job.id, number, block)]);
      addBlock(built, number, block);
      number += 1;
    }
    // After a stopped document, the next run must not spend the same time on it.
    const hasStopped = job.stopped + reader.stopCount() > stopped;
    stopped = job.stopped + reader.stopCount();
    if (stopped >= maxStopped) throw new JobFailure(tooManyStopped, jobState(built, total));
    const isFull = Math.floor(number / blocksPerCheckpoint) > Math.floor(firstOfGroup / blocksPerCheckpoint);
    if (!isFull && !hasStopped && !isDue()) continue;
    await advance(run, { blocks: number, stopped, attempts: 0, ...jobState(built, total) });
    checkTurn(input);
  }
  await advance(run, { blocks: number, stopped, attempts: 0, ...jobState(built, total) });
  return number;
}

/** @returns groups of documents, each small enough for one block */
function* groupsOf(documents: readonly ListedDocument[]): Generator<ListedDocument[]> {
  let group: ListedDocument[] = [];
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

/** @param isDue whether to read no more of the group @returns the documents that were read */
async function readGroup(
  store: ProjectStore,
  reader: DocumentReader,
  group: readonly ListedDocument[],
  isDue: () => boolean,
): Promise<PreparedDocument[]> {
  const contents = await getContents(
    store,
    group.map(({ id }) => id),
  );
  const byId = new Map(contents.map((content) => [content.id, content]));
  const documents: PreparedDocument[] = [];
  for (const document of group) {
    const { id, title, tags, url, fields, fingerprint, content, contentSha256 } = document;
    // One document may take seconds.
    if (documents.length > 0 && isDue()) break;
    let readContent = byId.get(id);
    let text = readContent && (await readContent.read());
    if (text === null) {
      // The content may have been replaced between the reads of its parts.
      [readContent] = await getContents(store, [id]);
      text = readContent && (await readContent.read());
    }
    // The document has changed since it was listed. The next round reads it.
    if (readContent && readContent.contentSha256 !== contentSha256) continue;
    const reading = await readText(reader, title, readContent, text);
    const prepared = { id, title, tags, url, fields, fingerprint, content, ...reading };
    documents.push({ ...prepared, warning: reading.error === null ? fieldsWarning(document) : null });
  }
  return documents;
}

/** @returns the documents of a group as blocks: one, or several for a long document, which is alone in its group */
export function* blocksOf(documents: readonly PreparedDocument[]): Generator<Block> {
  const [first] = documents;
  if (!first || documents.length > 1) return yield { documents };
  const slices = slicesOf(first.chunks);
  for (const [index, chunks] of slices.entries()) {
    const before = slices[index - 1]?.slice(-maxContext);
    const after = slices[index + 1]?.slice(0, maxContext);
    const continued = before && ({ continues: true, before } as const);
    yield { documents: [{ ...first, chunks, ...continued, ...(after && { after }) }] };
  }
}

/** @returns the chunks in slices, each small enough for a block; one empty slice without chunks */
function slicesOf(chunks: readonly Section[]): Section[][] {
  let slice: Section[] = [];
  let bytes = 0;
  const slices = [slice];
  for (const chunk of chunks) {
    bytes += Buffer.byteLength(chunk.heading) + Buffer.byteLength(chunk.text);
    if (slice.length > 0 && bytes > bytesPerSlice) {
      slice = [];
      slices.push(slice);
      bytes = Buffer.byteLength(chunk.heading) + Buffer.byteLength(chunk.text);
    }
    slice.push(chunk);
  }
  return slices;
}

function fieldsWarning({ tooLong }: ListedDocument): Finding | null {
  if (tooLong.length === 0) return null;
  const message =
    `A search cannot filter the document by ${tooLong.join(', ')}, because the value in its metadata has more than ` +
    `${maxFieldLength} characters.`;
  return { code: 'field_too_long', message };
}

/** A document that cannot be read does not affect the others. */
async function readText(
  reader: DocumentReader,
  title: string,
  readContent: ReadContent | undefined,
  content: string | null | undefined,
): Promise<Reading> {
  // If the document was deleted since it was listed, the index leaves it out.
  if (!readContent) return failure('unreadable', 'The content of the document is not stored.');
  if (typeof content !== 'string') return failure('unreadable', 'The stored content is damaged.');
  return reader.read({ title, content, mimeType: readContent.mimeType });
}

type JobState = Pick<Job, 'progress' | 'failures' | 'warnings'>;

export function jobState(built: ReadonlyMap<string, BuiltDocument>, total: number): JobState {
  const all = (kind: 'error' | 'warning') =>
    [...built].flatMap(([documentId, { [kind]: finding }]) => (finding ? [{ documentId, ...finding }] : []));
  const failures = all('error');
  return {
    progress: { total: Math.max(total, built.size), done: built.size, failed: failures.length },
    failures: failures.slice(0, maxFindings),
    warnings: all('warning').slice(0, maxFindings),
  };
}
