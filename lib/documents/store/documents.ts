/** Knowledge documents, in their project's partition, without their contents. */

import { idRangeOf } from '../../base/ids.ts';
import { projectCollection, type Stored, unchanged } from '../../dynamodb/collection.ts';
import { load } from '../../dynamodb/load.ts';
import { type Page, type ProjectStore, toPage } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { addOnDay } from '../../limits/store/day-uses.ts';
import type { KnowledgeDocument } from '../schema/document.ts';
import {
  type Attached,
  fileOf,
  type Hidden,
  isNewAttached,
  type NewContent,
  putAttached,
  putContent,
  removeContent,
  storedContent,
  usesOf,
} from './contents.ts';
import {
  type ExternalName,
  findDocumentId,
  findDocumentIds,
  listDocumentIds,
  nameKey,
  putPointer,
  removePointer,
} from './external-names.ts';
import { type NewExtraction, removeExtraction, type StoredExtraction } from './extractions.ts';
import { readerOf } from './reader-of.ts';
import { shownDocument } from './search-fields.ts';

export { type Attached, type NewExtraction, type ProjectStore, storedContent, usesOf, type Write };

export type StoredDocument = Stored<KnowledgeDocument & Hidden>;

export const documents = projectCollection<StoredDocument>('knowledge');
/** Deleted documents: index versions may still contain their text. */
export const deletedDocuments = projectCollection<Stored<{ id: string }>>('knowledge', () => ['deleted']);

const { first: from, last: to } = idRangeOf('knowledgeDocument');

export const knowledgeDocumentInPath = load({
  from: [documents],
  read: (get, { document_id }: { document_id: string }) => get(documents, document_id),
});

export const getDocument = (store: ProjectStore, id: string): Promise<StoredDocument | undefined> =>
  documents.at(store).get(id);

/** @returns the document with that name; undefined if it loses the name between the two reads */
export async function findByName(
  store: ProjectStore,
  name: ExternalName,
): Promise<StoredDocument | undefined> {
  const id = await findDocumentId(store, name);
  const document = id === undefined ? undefined : await getDocument(store, id);
  return document && nameKey(document) === nameKey(name) ? document : undefined;
}

/**
 * @param names at most 100
 * @returns those documents that exist, by `nameKey`
 */
export async function findManyByName(
  store: ProjectStore,
  names: readonly ExternalName[],
): Promise<Map<string, StoredDocument>> {
  const storedDocuments = await documents.at(store).getMany(await findDocumentIds(store, names));
  return new Map(storedDocuments.map((document) => [nameKey(document), document]));
}

export type DocumentList = {
  /** Of the project. */
  searchFields: readonly string[];
  status: KnowledgeDocument['status'] | undefined;
  ignored: boolean | undefined;
  tag: string | undefined;
  source: string | undefined;
  externalId: string | undefined;
  /** Only documents that have this note. */
  extractionNote?: string | undefined;
  /** Only documents that earlier readers have read. */
  extractedBefore?: number | undefined;
  /** Epoch milliseconds, inclusive. */
  updatedFromMs: number | undefined;
  after: string | undefined;
  limit: number;
};

const hasNote = ({ extractionNotes = [] }: StoredDocument, code: string): boolean =>
  extractionNotes.some((note) => note.code === code);

/** @returns documents as callers see them */
export async function listDocuments(store: ProjectStore, list: DocumentList): Promise<Page<StoredDocument>> {
  const { searchFields, status, ignored, tag, source, externalId, updatedFromMs, after, limit } = list;
  const { extractionNote, extractedBefore } = list;
  const filter = (document: StoredDocument) =>
    (status === undefined || shownDocument(document, searchFields).status === status) &&
    (ignored === undefined || document.ignored === ignored) &&
    (tag === undefined || document.tags.includes(tag)) &&
    (source === undefined || document.source === source) &&
    (extractionNote === undefined || hasNote(document, extractionNote)) &&
    (extractedBefore === undefined || (readerOf(document) ?? extractedBefore) < extractedBefore) &&
    (updatedFromMs === undefined || Date.parse(document.updatedAt) >= updatedFromMs);
  const { items, next } =
    externalId === undefined
      ? await documents.at(store).page({ from, to, after, limit, filter })
      : await pageByExternalId(store, externalId, { filter, after, limit });
  return { items: items.map((document) => shownDocument(document, searchFields)), next };
}

async function pageByExternalId(
  store: ProjectStore,
  externalId: string,
  {
    filter,
    after,
    limit,
  }: { filter: (document: StoredDocument) => boolean } & Pick<DocumentList, 'after' | 'limit'>,
): Promise<Page<StoredDocument>> {
  const ids = await listDocumentIds(store, externalId);
  const laterIds = ids.filter((id) => after === undefined || id < after);
  const storedDocuments = await documents.at(store).getMany(laterIds.slice(0, limit));
  const items = storedDocuments.filter((document) => document.externalId === externalId && filter(document));
  items.sort((a, b) => (a.id > b.id ? -1 : 1));
  return toPage(items, limit, laterIds.length > limit ? (laterIds[limit - 1] ?? null) : null);
}

/**
 * Reads documents for the indexer.
 * @param limit at most 1000; a page may have fewer
 * @returns documents, oldest first
 */
export const pageDocuments = (
  store: ProjectStore,
  page: { after: string | undefined; limit: number },
): Promise<Page<StoredDocument>> => documents.at(store).page({ from, to, order: 'oldest', ...page });

/** Fails if another document has its externalId. */
export const createDocument = (
  store: ProjectStore,
  document: KnowledgeDocument,
  attached: Attached,
): Write<never>[] => [
  documents.at(store).put({
    ...document,
    dayUses: addOnDay(undefined, usesOf(attached, undefined), document.createdAt),
    ...fileOf(attached, undefined),
  }),
  ...putAttached(store, document.id, attached, undefined),
  ...putPointer(store, document),
];

/**
 * Replaces the document, unless it has changed since it was read.
 * @param attached what the request has sent; a content is written only if it differs
 */
export function changeDocument(
  store: ProjectStore,
  before: StoredDocument,
  after: KnowledgeDocument & Hidden,
  attached: Attached | undefined,
): Write<never>[] {
  const isNew = attached !== undefined && isNewAttached(attached, before);
  const dayUses = isNew
    ? addOnDay(before.dayUses, usesOf(attached, before), after.updatedAt)
    : before.dayUses;
  const { uploadId, replaced } = attached ? fileOf(attached, before) : before;
  const { uploadId: _, replaced: __, ...rest } = after;
  const document = {
    ...rest,
    dayUses,
    ...(uploadId !== undefined && { uploadId }),
    ...(replaced && { replaced }),
  };
  const writes = [documents.at(store).put(document, { condition: unchanged(before) })];
  if (isNew) writes.push(...putAttached(store, before.id, attached, before));
  if (nameKey(after) === nameKey(before)) return writes;
  return [...writes, ...removePointer(store, before), ...putPointer(store, after)];
}

/**
 * Ends the extraction of a document, and with it the content that the file replaces. Fails if the document or its extraction has
 * changed since they were read.
 * @param content undefined if the file has no text
 */
export function endExtraction(
  store: ProjectStore,
  before: StoredDocument,
  { replaced, ...after }: KnowledgeDocument & Hidden,
  extraction: StoredExtraction,
  content: NewContent | undefined,
): Write<never>[] {
  const uses = usesOf(content && { content }, before);
  const dayUses = addOnDay(before.dayUses, uses, after.updatedAt);
  return [
    documents.at(store).put({ ...after, dayUses }, { condition: unchanged(before) }),
    ...(content ? [putContent(store, before.id, content, replaced ? 'present' : 'absent')] : []),
    ...(replaced && !content ? [removeContent(store, before.id)] : []),
    removeExtraction(store, before.id, extraction),
  ];
}

/** Removes a document with its content, and records that it existed. Fails if it has changed since it was read. */
export const removeDocument = (store: ProjectStore, document: StoredDocument): Write<never>[] => [
  documents.at(store).remove(document.id, { condition: unchanged(document) }),
  ...(storedContent(document) ? [removeContent(store, document.id)] : []),
  ...(document.extraction === 'pending' ? [removeExtraction(store, document.id)] : []),
  ...removePointer(store, document),
  deletedDocuments.at(store).put({ id: document.id }, { condition: { kind: 'any' } }),
];

export const wasDeleted = async (store: ProjectStore, id: string): Promise<boolean> =>
  (await deletedDocuments.at(store).get(id)) !== undefined;

/**
 * Stores the outcome of an indexing, unless the document has changed since it was read. A concurrent request that
 * read the document before this write is retried, and keeps the outcome.
 */
export const markDocument = (
  store: ProjectStore,
  document: Pick<StoredDocument, 'id' | 'changedIn'>,
  mark: Pick<KnowledgeDocument, 'status' | 'indexVersion' | 'error' | 'extractionNotes'> &
    Pick<Hidden, 'indexedFields'>,
): Write<never> => documents.at(store).update(document.id, mark, { condition: unchanged(document) });
