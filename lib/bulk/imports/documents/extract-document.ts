/**
 * Extracts the text of a document's file. A run can be killed between any two lines, and the next run begins again:
 *
 *   count the start → read the file → extract in a child process → the parts of the text → one transaction: the first part, the
 *   document, the quotas, and the end of the extraction
 *
 * Every write fails if the extraction has ended, or was replaced by another file. What its end leaves, its upload and perhaps
 * parts of a text, is removed when the worker sees the end (`removeLeft`).
 */

import { createHash } from 'node:crypto';
import { ApiError } from '../../../base/errors.ts';
import { timestamp } from '../../../base/time.ts';
import { describeContent, failedExtraction, readNow } from '../../../documents/documents.ts';
import type { KnowledgeDocument } from '../../../documents/schema/document.ts';
import { contents, contentsPlace, type NewContent } from '../../../documents/store/contents.ts';
import { endExtraction, getDocument, usesOf } from '../../../documents/store/documents.ts';
import {
  countStart,
  extractions,
  getExtraction,
  isExtraction,
  requireExtraction,
  type StoredExtraction,
} from '../../../documents/store/extractions.ts';
import { putTextParts, removeTextParts } from '../../../documents/store/text-parts.ts';
import { extractInProcess } from '../../../extraction/bounded-process.ts';
import type { FileHint } from '../../../extraction/file-type.ts';
import { countUses } from '../../../limits/store/quotas.ts';
import type { ExtractionNote } from '../../../readers/blocks.ts';
import { type ExtractedText, type ExtractionError, NotExtractable } from '../../../readers/types.ts';
import type { Change } from '../../../workers/change.ts';
import type { Outside, WorkerInput, Write } from '../../../workers/worker.ts';
import { commitEach, commitPatiently } from '../../../workers/writes.ts';
import { removeUpload } from '../uploads/remove.ts';
import { fileOf, isUploadId, maxUploadBytes, type ProjectStore } from '../uploads/store.ts';

const maxStarts = 2;

type Extract = (file: Uint8Array, hint: FileHint) => Promise<ExtractedText>;

/** A text with the hash of its file, or why there is none. With the hash, the same reader would fail again for the same file. */
type Outcome =
  | { content: NewContent; fileSha256: string; notes: readonly ExtractionNote[] }
  | { error: ExtractionError; fileSha256?: string };

/**
 * @param id the id of the document
 * @throws Suspended
 */
export async function extractDocument(
  store: ProjectStore,
  id: string,
  input: WorkerInput,
  extract: Extract = extractInProcess,
): Promise<void> {
  const extraction = await getExtraction(store, id);
  if (!extraction) return;
  const { files } = await input.outside();
  if (extraction.starts >= maxStarts) return finish(store, extraction, { error: endedTwice }, input);
  const refusal = await commitPatiently(input, [countStart(store, extraction, extraction.starts + 1)]);
  const claimedExtraction = await getExtraction(store, id);
  // Another run has it, or the document is gone or has another file, which has a notice of its own.
  if (refusal || claimedExtraction?.uploadId !== extraction.uploadId) return;
  try {
    const outcome = await outcomeOf(store, claimedExtraction, files, extract);
    if ('content' in outcome && !(await putParts(store, claimedExtraction, outcome.content, input))) return;
    await finish(store, claimedExtraction, outcome, input);
  } catch (error) {
    // The file is not the reason, so this start does not count.
    await commitPatiently(input, [countStart(store, claimedExtraction, extraction.starts)]);
    throw error;
  }
}

const endedTwice: ExtractionError = {
  code: 'document_too_complex',
  message: 'Reading the file has ended the process that reads it, twice.',
};

const fileMissing: ExtractionError = {
  code: 'file_missing',
  message:
    'The file is not stored. PUT it to the link of its upload before you send the upload with a document.',
};

async function outcomeOf(
  store: ProjectStore,
  { uploadId, mimeType: contentType }: StoredExtraction,
  files: Outside['files'],
  extract: Extract,
): Promise<Outcome> {
  const file = await files.read(fileOf(store, uploadId), 0, maxUploadBytes.knowledge);
  if (!file) return { error: fileMissing };
  const fileSha256 = createHash('sha256').update(file.bytes).digest('hex');
  try {
    const { text, mimeType, notes } = await extract(file.bytes, { contentType, isRefused: true });
    return { content: { ...describeContent(text, mimeType), textId: uploadId }, fileSha256, notes };
  } catch (error) {
    if (!(error instanceof NotExtractable)) throw error;
    return { error: { code: error.code, message: error.message }, fileSha256 };
  }
}

/** @returns whether all are stored; false if the extraction has ended in the meantime */
async function putParts(
  store: ProjectStore,
  extraction: StoredExtraction,
  { content }: NewContent,
  input: WorkerInput,
): Promise<boolean> {
  const { id, uploadId } = extraction;
  for (const part of putTextParts(store, id, uploadId, content)) {
    if (await commitPatiently(input, [part, requireExtraction(store, extraction)])) return false;
  }
  return true;
}

async function finish(
  store: ProjectStore,
  extraction: StoredExtraction,
  outcome: Outcome,
  input: WorkerInput,
): Promise<void> {
  const document = await getDocument(store, extraction.id);
  if (document?.extraction !== 'pending') return;
  const nowMs = input.nowMs();
  const content = 'content' in outcome ? outcome.content : undefined;
  const after = { ...document, ...fieldsOf(outcome), updatedAt: timestamp(nowMs) };
  let counts: Write[];
  try {
    counts = countUses(store, extraction.quotas, usesOf(content && { content }, document), nowMs);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return finish(store, extraction, { error: quotaError(error) }, input);
  }
  const writes = [...endExtraction(store, document, after, extraction, content), ...counts];
  const refusal = await commitPatiently(input, writes);
  if (!refusal) return;
  const quota = refusal.failed.find(({ onConditionFailed }) => onConditionFailed === 'quota_exceeded');
  if (quota?.error) return finish(store, extraction, { error: quotaError(quota.error) }, input);
  const currentExtraction = await getExtraction(store, extraction.id);
  // Somebody has changed only the document, for example its title.
  if (currentExtraction?.changedIn === extraction.changedIn) return finish(store, extraction, outcome, input);
}

const quotaError = ({ publicMessage }: ApiError): ExtractionError => ({
  code: 'quota_exceeded',
  message: publicMessage ?? 'A quota is used up.',
});

function fieldsOf(outcome: Outcome): Partial<KnowledgeDocument> {
  const { fileSha256 = null } = outcome;
  if ('error' in outcome) {
    const read = fileSha256 === null ? {} : readNow([]);
    return { ...failedExtraction(outcome.error), fileSha256, ...read };
  }
  const { mimeType, bytes, contentSha256 } = outcome.content;
  return { extraction: 'done', fileSha256, ...readNow(outcome.notes), mimeType, bytes, contentSha256 };
}

/** The id of a text that a change leaves. An extraction has the id of its upload, as the text has that follows from it. */
export type Left = { textId?: string };

/**
 * @param change of the table `knowledge`
 * @returns what is new, or is left, for a notice; undefined if neither
 */
export function newOrLeft({ kind, partition, before, after }: Change): Left | undefined {
  if (isExtraction(partition)) {
    const old = before && extractions.read(before).uploadId;
    const isSame = old === (after && extractions.read(after).uploadId);
    return isSame ? undefined : { ...(old !== undefined && { textId: old }) };
  }
  if (partition[1] !== contentsPlace || kind === 'INSERT') return undefined;
  const textId = before && contents.read(before).more?.textId;
  const isSame = textId === (after && contents.read(after).more?.textId);
  return isSame || textId === undefined ? undefined : { textId };
}

/** Removes the text unless the document has it, and the upload if the text comes from a file. */
export async function removeLeft(
  store: ProjectStore,
  documentId: string,
  textId: string,
  input: Pick<WorkerInput, 'commit' | 'sleep' | 'files'>,
): Promise<void> {
  const extraction = await getExtraction(store, documentId);
  if (extraction?.uploadId === textId) return;
  const content = await contents.at(store).get(documentId);
  if (content?.more?.textId !== textId) {
    for await (const writes of removeTextParts(store, documentId, textId)) await commitEach(input, writes);
  }
  if (isUploadId(textId)) await removeUpload(store, textId, input);
}
