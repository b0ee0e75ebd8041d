/** Knowledge documents, in their project's partition, without their contents. */

import { idRangeOf } from '../../base/ids.ts';
import { projectCollection, type Stored, unchanged } from '../../dynamodb/collection.ts';
import { load } from '../../dynamodb/load.ts';
import { type Page, type ProjectStore, toPage } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { addOnDay, type DayUsesText } from '../../limits/store/day-uses.ts';
import type { Uses } from '../../limits/store/quotas.ts';
import type { DocumentContent, KnowledgeDocument } from '../schema/document.ts';
import { type NewContent, putContent, removeContent } from './contents.ts';
import {
  type ExternalName,
  findDocumentId,
  findDocumentIds,
  listDocumentIds,
  nameKey,
  putPointer,
  removePointer,
} from './external-names.ts';

export type { ProjectStore, Write };

export type StoredDocument = Stored<
  KnowledgeDocument & {
    /** What has been stored of it on the day of its last content. None if that was before this was stored. */
    dayUses?: DayUsesText;
  }
>;

export const documents = projectCollection<StoredDocument>('knowledge', () => [], withSource);
/** Deleted documents: index versions may still contain their text. */
export const deletedDocuments = projectCollection<Stored<{ id: string }>>('knowledge', () => ['deleted']);

const { first: from, last: to } = idRangeOf('knowledgeDocument');

/** Documents that were stored before there were sources have no source. */
function withSource(document: StoredDocument): StoredDocument {
  return { ...document, source: document.source ?? null };
}

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
  const found = await documents.at(store).getMany(await findDocumentIds(store, names));
  return new Map(found.map((document) => [nameKey(document), document]));
}

export type DocumentList = {
  status: KnowledgeDocument['status'] | undefined;
  tag: string | undefined;
  source: string | undefined;
  externalId: string | undefined;
  /** Epoch milliseconds, inclusive. */
  updatedFromMs: number | undefined;
  after: string | undefined;
  limit: number;
};

/** @returns a page of documents, newest first */
export function listDocuments(store: ProjectStore, list: DocumentList): Promise<Page<StoredDocument>> {
  const { status, tag, source, externalId, updatedFromMs, after, limit } = list;
  const filter = (document: StoredDocument) =>
    (status === undefined || document.status === status) &&
    (tag === undefined || document.tags.includes(tag)) &&
    (source === undefined || document.source === source) &&
    (updatedFromMs === undefined || Date.parse(document.updatedAt) >= updatedFromMs);
  return externalId === undefined
    ? documents.at(store).page({ from, to, after, limit, filter })
    : pageByExternalId(store, externalId, { filter, after, limit });
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
  const left = ids.filter((id) => after === undefined || id < after);
  const found = await documents.at(store).getMany(left.slice(0, limit));
  const items = found.filter((document) => document.externalId === externalId && filter(document));
  items.sort((a, b) => (a.id > b.id ? -1 : 1));
  return toPage(items, limit, left.length > limit ? (left[limit - 1] ?? null) : null);
}

/**
 * For the indexer.
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
  content: NewContent,
): Write<never>[] => [
  documents
    .at(store)
    .put({ ...document, dayUses: addOnDay(undefined, usesOf(content, undefined), document.createdAt) }),
  putContent(store, document.id, content, 'absent'),
  ...putPointer(store, document),
];

/**
 * Replaces the document, unless it has changed since it was read.
 * @param content if it was sent; written only if it differs
 */
export function changeDocument(
  store: ProjectStore,
  before: StoredDocument,
  after: KnowledgeDocument,
  content: NewContent | undefined,
): Write<never>[] {
  const isNew = content !== undefined && isNewContent(content, before);
  const dayUses = isNew ? addOnDay(before.dayUses, usesOf(content, before), after.updatedAt) : before.dayUses;
  const document = { ...after, ...(dayUses && { dayUses }) };
  const writes = [documents.at(store).put(document, { condition: unchanged(before) })];
  if (isNew) writes.push(putContent(store, before.id, content, 'present'));
  if (nameKey(after) === nameKey(before)) return writes;
  return [...writes, ...removePointer(store, before), ...putPointer(store, after)];
}

/** Whether the content is stored again. */
const isNewContent = (
  { contentSha256, mimeType }: DocumentContent,
  before: Pick<KnowledgeDocument, 'contentSha256' | 'mimeType'> | undefined,
): boolean => contentSha256 !== before?.contentSha256 || mimeType !== before.mimeType;

/** @returns what storing the content counts towards quotas: nothing, if the document has it already */
export const usesOf = (
  content: DocumentContent | undefined,
  before: Pick<KnowledgeDocument, 'contentSha256' | 'mimeType'> | undefined,
): Uses => (content && isNewContent(content, before) ? { documents: 1, bytes: content.bytes } : {});

/** Removes a document with its content, and records that it existed. Fails if it has changed since it was read. */
export const removeDocument = (store: ProjectStore, document: StoredDocument): Write<never>[] => [
  documents.at(store).remove(document.id, { condition: unchanged(document) }),
  removeContent(store, document.id),
  ...removePointer(store, document),
  deletedDocuments.at(store).put({ id: document.id }, { condition: { kind: 'any' } }),
];

/** Whether there was such a document. */
export const wasDeleted = async (store: ProjectStore, id: string): Promise<boolean> =>
  (await deletedDocuments.at(store).get(id)) !== undefined;

/**
 * For the indexer: stores the outcome, unless the document has changed since it was read. A concurrent request that
 * read the document before this write is retried, and keeps the outcome.
 */
export const markDocument = (
  store: ProjectStore,
  document: Pick<StoredDocument, 'id' | 'changedIn'>,
  mark: Pick<KnowledgeDocument, 'status' | 'indexVersion' | 'error'>,
): Write<never> => documents.at(store).update(document.id, mark, { condition: unchanged(document) });
