/** The decisions that creating, changing and synchronising documents share. */

import { hash } from 'node:crypto';
import type { IdKind } from '../base/ids.ts';
import { canonicalJson } from '../base/json.ts';
import { timestamp } from '../base/time.ts';
import type { Uses } from '../limits/store/quotas.ts';
import type { ExtractionNote } from '../readers/blocks.ts';
import { type ExtractionError, readerVersion } from '../readers/types.ts';
import type { DocumentContent, KnowledgeDocument, UpsertedDocument } from './schema/document.ts';
import { storedNotes } from './schema/extraction-note.ts';
import {
  type Attached,
  changeDocument,
  createDocument,
  type NewExtraction,
  type ProjectStore,
  type StoredDocument,
  usesOf,
  type Write,
} from './store/documents.ts';

/** A complete document in a request. */
export type SentDocument = Pick<
  KnowledgeDocument,
  'title' | 'source' | 'externalId' | 'mimeType' | 'tags' | 'metadata'
> & {
  content: string;
  /** The id of the further parts of a long content (see store/text-parts.ts), which were written before. */
  textId?: string;
  /** The address of the page that it comes from. */
  url?: string;
  /** What its reader left out or changed. Only of a page. */
  notes?: readonly ExtractionNote[];
};

/** A complete document whose content is in an uploaded file. `mimeType` is what the caller says about the file. */
export type SentFile = Omit<SentDocument, 'content' | 'mimeType'> &
  Pick<NewExtraction, 'uploadId' | 'quotas' | 'mimeType'>;

/** The part of a handler's input that these functions use. */
export type Context = { caller: { principal: string }; nowMs: number; newId: (kind: IdKind) => string };

export type Upsert = {
  outcome: 'created' | 'updated' | 'unchanged';
  document: KnowledgeDocument;
  writes: readonly Write<never>[];
  /** What the request counts towards quotas. */
  uses: Uses;
};

/** Whether the document has the file, or its text. The same upload with another type is another file. */
export const isFileOf = (
  { uploadId, fileMimeType = null }: Pick<StoredDocument, 'uploadId' | 'fileMimeType'>,
  sent: Pick<SentFile, 'uploadId' | 'mimeType'>,
): boolean => uploadId === sent.uploadId && fileMimeType === (sent.mimeType ?? null);

/** @returns the content with its size in UTF-8 and its SHA-256 */
export const describeContent = (content: string, mimeType: DocumentContent['mimeType']): DocumentContent => ({
  content,
  mimeType,
  bytes: Buffer.byteLength(content),
  contentSha256: hash('sha256', content, 'hex'),
});

const notIndexed = { status: 'pending', indexVersion: null, error: null } as const;

/** The fields of a document whose content was not sent as a file. */
export const noExtraction = {
  extraction: null,
  extractionError: null,
  fileSha256: null,
  fileMimeType: null,
  extractionNotes: [],
  extractedBy: null,
} satisfies Partial<KnowledgeDocument>;

/** The fields of a document that the current readers have read. */
export const readNow = (notes: readonly ExtractionNote[]) => ({
  extractionNotes: storedNotes(notes),
  extractedBy: readerVersion,
});

/** The fields of a document whose file has no text. */
export const failedExtraction = (error: ExtractionError) =>
  ({ extraction: 'failed', extractionError: error, status: 'failed', error }) as const;

/** The fields of a document whose file has not been read yet. */
const notExtracted = {
  ...noExtraction,
  extraction: 'pending',
  mimeType: 'text/plain',
  bytes: null,
  contentSha256: null,
} as const;

/** @returns what follows from the content or file of a document, and what is stored with it */
function attach(request: SentDocument | SentFile, nowMs: number) {
  if ('uploadId' in request) {
    const { uploadId, quotas, mimeType } = request;
    const type = mimeType !== undefined && { mimeType };
    const extraction: NewExtraction = { uploadId, quotas, ...type, requestedAt: timestamp(nowMs), starts: 0 };
    return { fields: { ...notExtracted, fileMimeType: mimeType ?? null }, attached: { extraction } };
  }
  const content = describeContent(request.content, request.mimeType);
  const { content: _, ...contentFields } = content;
  const { textId, notes } = request;
  const attached = { content: { ...content, ...(textId !== undefined && { textId }) } };
  return { fields: { ...noExtraction, ...contentFields, ...(notes && readNow(notes)) }, attached };
}

export function newDocument(
  request: SentDocument | SentFile,
  { caller, nowMs, newId }: Context,
): { document: KnowledgeDocument; attached: Attached } {
  const { title, source, externalId, url, tags, metadata } = request;
  const { fields, attached } = attach(request, nowMs);
  const createdAt = timestamp(nowMs);
  const document: KnowledgeDocument = {
    id: newId('knowledgeDocument'),
    title,
    source,
    externalId,
    ...(url !== undefined && { url }),
    ...fields,
    tags,
    metadata,
    ...notIndexed,
    ignored: false,
    createdAt,
    updatedAt: createdAt,
    createdBy: caller.principal,
  };
  return { document, attached };
}

/**
 * @returns the changed document. It is pending again if what the index contains of it has changed, or if it is no longer ignored:
 *   the index may lack it
 */
export function withChanges(
  document: StoredDocument,
  changes: Partial<KnowledgeDocument>,
  nowMs: number,
): StoredDocument {
  const after = { ...document, ...changes, updatedAt: timestamp(nowMs) };
  // The index has nothing of a document without a text.
  const isSame = after.contentSha256 === null && document.contentSha256 === null;
  const isBack = document.ignored && !after.ignored;
  const isStillIndexed = isSame
    ? after.extraction === document.extraction
    : indexedPart(after) === indexedPart(document) && after.url === document.url && !isBack;
  return isStillIndexed ? after : { ...after, ...notIndexed };
}

/** Creates the document, or replaces the existing one. Writes nothing if they are equal. A file that it has already is not read again. */
export function upsertDocument(
  store: ProjectStore,
  existing: StoredDocument | undefined,
  request: SentDocument | SentFile,
  context: Context,
): Upsert {
  if (!existing) {
    const { document, attached } = newDocument(request, context);
    const writes = createDocument(store, document, attached);
    return { outcome: 'created', document, writes, uses: usesOf(attached, undefined) };
  }
  const { title, tags, metadata } = request;
  const isSameFile = 'uploadId' in request && isFileOf(existing, request);
  const { fields, attached } = isSameFile
    ? { fields: {}, attached: undefined }
    : attach(request, context.nowMs);
  const changes = { title, tags, metadata, ...fields };
  const isNewFile = attached !== undefined && 'extraction' in attached;
  if (!isNewFile && sentPart({ ...existing, ...changes }) === sentPart(existing)) {
    // Another reader may give the same text of a page, with other notes.
    const document = { ...existing, ...(request.notes && readNow(request.notes)) };
    const isSame = readPart(document) === readPart(existing);
    const writes = isSame ? [] : changeDocument(store, existing, document, undefined);
    return { outcome: 'unchanged', document, writes, uses: {} };
  }
  const document = withChanges(existing, changes, context.nowMs);
  return {
    outcome: 'updated',
    document,
    writes: changeDocument(store, existing, document, attached),
    uses: usesOf(attached, existing),
  };
}

/** The ETag of a document. It covers what callers change, so indexing does not change it. */
export function documentTag(document: KnowledgeDocument): string {
  const { source, externalId, updatedAt, ignored } = document;
  // A document that is not ignored keeps the tag that it had before `ignored` existed.
  const identity = canonicalJson([source, externalId, updatedAt, ...(ignored ? [true] : [])]);
  return `"${hash('sha256', sentPart(document) + identity).slice(0, 32)}"`;
}

const tagDescription = 'The version of the stored document, for `If-Match`. Indexing does not change it.';

export const documentHeader = { ETag: { description: tagDescription, value: documentTag } };

export const upsertHeader = {
  ETag: { description: tagDescription, value: ({ document }: UpsertedDocument) => documentTag(document) },
};

/** What the index contains of a document. The order of tags has no meaning. */
const indexedPart = ({ title, mimeType, contentSha256, tags }: KnowledgeDocument) =>
  canonicalJson([title, mimeType, contentSha256, tags.toSorted()]);

/** What a reader says besides the text. */
const readPart = ({ extractionNotes = [], extractedBy = null }: KnowledgeDocument) =>
  canonicalJson([extractionNotes, extractedBy]);

/** What callers send of a document. */
const sentPart = (document: KnowledgeDocument) => indexedPart(document) + canonicalJson(document.metadata);
