/** What becomes of knowledge documents: the decisions that creating, changing and synchronising them share. */

import { hash } from 'node:crypto';
import { canonicalJson } from '../canonical-json.ts';
import type { IdKind } from '../ids.ts';
import { timestamp } from '../time.ts';
import type { DocumentContent, KnowledgeDocument, UpsertedDocument } from './schema/document.ts';
import {
  changeDocument,
  createDocument,
  type Store,
  type StoredDocument,
  type Write,
} from './store/documents.ts';

/** A whole document as it is sent. */
export type SentDocument = Pick<
  KnowledgeDocument,
  'title' | 'source' | 'externalId' | 'mimeType' | 'tags' | 'metadata'
> & {
  content: string;
};

/** Who makes it, when, and where its id comes from. */
export type Making = { caller: { id: string }; nowMs: number; newId: (kind: IdKind) => string };

export type Upsert = {
  outcome: 'created' | 'updated' | 'unchanged';
  document: KnowledgeDocument;
  writes: readonly Write<never>[];
};

/** @returns the content with what is shown of it: its size in UTF-8 and its SHA-256 */
export const describeContent = (content: string, mimeType: DocumentContent['mimeType']): DocumentContent => ({
  content,
  mimeType,
  bytes: Buffer.byteLength(content),
  contentSha256: hash('sha256', content, 'hex'),
});

const notIndexed = { status: 'pending', indexVersion: null, error: null } as const;

/** @returns the document that is to be created, and its content */
export function newDocument(sent: SentDocument, { caller, nowMs, newId }: Making) {
  const { title, source, externalId, tags, metadata } = sent;
  const content = describeContent(sent.content, sent.mimeType);
  const { mimeType, bytes, contentSha256 } = content;
  const createdAt = timestamp(nowMs);
  const document: KnowledgeDocument = {
    id: newId('knowledgeDocument'),
    title,
    source,
    externalId,
    mimeType,
    bytes,
    contentSha256,
    tags,
    metadata,
    ...notIndexed,
    createdAt,
    updatedAt: createdAt,
    createdBy: caller.id,
  };
  return { document, content };
}

/** @returns the document with those fields; to be indexed anew where the index would hold something else of it */
export function withChanges(
  document: StoredDocument,
  changes: Partial<KnowledgeDocument>,
  nowMs: number,
): StoredDocument {
  const after = { ...document, ...changes, updatedAt: timestamp(nowMs) };
  return indexedPart(after) === indexedPart(document) ? after : { ...after, ...notIndexed };
}

/** Creates the document, or makes the one that is there what was sent; writes nothing where it is that already. */
export function upsertDocument(
  store: Store,
  projectId: string,
  existing: StoredDocument | undefined,
  sent: SentDocument,
  making: Making,
): Upsert {
  if (!existing) {
    const { document, content } = newDocument(sent, making);
    return { outcome: 'created', document, writes: createDocument(store, projectId, document, content) };
  }
  const { title, tags, metadata } = sent;
  const content = describeContent(sent.content, sent.mimeType);
  const { content: _, ...described } = content;
  const wanted = { title, tags, metadata, ...described };
  if (sentPart({ ...existing, ...wanted }) === sentPart(existing)) {
    return { outcome: 'unchanged', document: existing, writes: [] };
  }
  const document = withChanges(existing, wanted, making.nowMs);
  return {
    outcome: 'updated',
    document,
    writes: changeDocument(store, projectId, existing, document, content),
  };
}

/**
 * The entity tag of a document. It stands for what callers change: a document that has been indexed meanwhile still has
 * the tag that its caller knows.
 */
export function documentTag(document: KnowledgeDocument): string {
  const { source, externalId, updatedAt } = document;
  return `"${hash('sha256', sentPart(document) + canonicalJson([source, externalId, updatedAt])).slice(0, 32)}"`;
}

const tagDescription = 'The version of the stored document, for `If-Match`. Indexing does not change it.';

/** The response header of a document. */
export const documentHeader = { ETag: { description: tagDescription, value: documentTag } };

/** The response header of a document that was put. */
export const upsertHeader = {
  ETag: { description: tagDescription, value: ({ document }: UpsertedDocument) => documentTag(document) },
};

/** What the index holds of a document. The order of tags has no meaning. */
const indexedPart = ({ title, mimeType, contentSha256, tags }: KnowledgeDocument) =>
  canonicalJson([title, mimeType, contentSha256, tags.toSorted()]);

/** What a caller says of a document. */
const sentPart = (document: KnowledgeDocument) => indexedPart(document) + canonicalJson(document.metadata);
