/**
 * Knowledge documents, below their project: what lists show in one partition, the contents in another, so that a list does
 * not read them, and in a third a pointer for each externalId of each source, which makes it unique.
 */

import { hash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Page, type Store, toPage, type Within } from '../../dynamodb/store.ts';
import type { Item, Write } from '../../dynamodb/write.ts';
import { idRangeOf } from '../../ids.ts';
import { type DocumentContent, type KnowledgeDocument, maxContentBytes } from '../schema/document.ts';

export type { Store, Write };

const documentsOf = (projectId: string): Within => [projectId];
const contentsOf = (projectId: string): Within => [projectId, 'content'];
const pointersOf = (projectId: string): Within => [projectId, 'external'];
const deletedOf = (projectId: string): Within => [projectId, 'deleted'];
const { first: from, last: to } = idRangeOf('knowledgeDocument');

/** A sort key has at most 1024 bytes; 255 characters of text may have 1020, and nobody should have to count. */
const digest = (text: string) => hash('sha256', text, 'base64url');

/** What a caller knows a document by: externalIds are unique within one source, or among those without a source. */
export type ExternalName = { source: string | null; externalId: string };

/** Those of one externalId stand next to one another, so that they are found without the source. */
const pointerId = ({ source, externalId }: ExternalName) =>
  source === null ? digest(externalId) : `${digest(externalId)}.${digest(source)}`;

const nameOf = ({ source, externalId }: KnowledgeDocument): ExternalName | null =>
  externalId === null ? null : { source, externalId };

const isNamed = (document: KnowledgeDocument, { source, externalId }: ExternalName) =>
  document.source === source && document.externalId === externalId;

/** Names as keys of a Map. */
export const nameKey = ({ source, externalId }: { source: string | null; externalId: string | null }) =>
  JSON.stringify([source, externalId]);

/** Documents of before there were sources have none. */
const documentOf = (item: Item | undefined) =>
  item && ({ ...item, source: item.source ?? null } as unknown as StoredDocument);

export type StoredDocument = KnowledgeDocument & { changedIn: string };
type Pointer = { id: string; documentId: string };

export const getDocument = async (
  store: Store,
  projectId: string,
  id: string,
): Promise<StoredDocument | undefined> =>
  documentOf(await store.get('knowledge', id, documentsOf(projectId)));

/** @returns those that exist, in no order */
const getDocuments = async (store: Store, projectId: string, ids: readonly string[]) =>
  (await store.getMany('knowledge', ids, documentsOf(projectId))).flatMap((item) => documentOf(item) ?? []);

/** @returns the content of a document, exactly as it was sent */
export async function getContent(
  store: Store,
  projectId: string,
  id: string,
): Promise<DocumentContent | undefined> {
  const item = await store.get('knowledge', id, contentsOf(projectId));
  return item && contentOf(item);
}

/** A content as the indexer reads it: null where what is stored of it cannot be read. */
export type StoredContent = Omit<DocumentContent, 'content'> & { id: string; content: string | null };

/**
 * For the indexer.
 * @param ids at most 100
 * @returns the contents of those documents that exist, with their ids, in no order. The hash tells whether a content is
 *   still the one of a document that was read before
 */
export async function getContents(
  store: Store,
  projectId: string,
  ids: readonly string[],
): Promise<StoredContent[]> {
  return (await store.getMany('knowledge', ids, contentsOf(projectId))).map((item) => {
    try {
      return contentOf(item);
    } catch {
      // One that is damaged must not keep all others from being read.
      const { id, mimeType, bytes, contentSha256 } = item as Item & StoredContent;
      return { id, content: null, mimeType, bytes, contentSha256 };
    }
  });
}

/** @returns the document of that name, as the two reads find it: one that goes in between is not found */
export async function findByName(
  store: Store,
  projectId: string,
  name: ExternalName,
): Promise<StoredDocument | undefined> {
  const pointer = (await store.get('knowledge', pointerId(name), pointersOf(projectId))) as
    | Pointer
    | undefined;
  const document = pointer && (await getDocument(store, projectId, pointer.documentId));
  return document && isNamed(document, name) ? document : undefined;
}

/**
 * @param names at most 100
 * @returns those documents that exist, by `nameKey`
 */
export async function findManyByName(
  store: Store,
  projectId: string,
  names: readonly ExternalName[],
): Promise<Map<string, StoredDocument>> {
  const pointers = await store.getMany('knowledge', names.map(pointerId), pointersOf(projectId));
  const ids = pointers.map((pointer) => pointer.documentId as string);
  // One whose externalId is being changed may be found by both of them.
  const documents = await getDocuments(store, projectId, [...new Set(ids)]);
  return new Map(documents.map((document) => [nameKey(document), document]));
}

/** A list by externalId reads the pointers of at most so many sources. */
const maxSources = 1000;

/** @returns the documents of that externalId, whatever their source, newest first */
async function pageByExternalId(
  store: Store,
  projectId: string,
  externalId: string,
  {
    keep,
    after,
    limit,
  }: { keep: (document: StoredDocument) => boolean } & Pick<DocumentList, 'after' | 'limit'>,
): Promise<Page<StoredDocument>> {
  const from = pointerId({ source: null, externalId });
  const query = { within: pointersOf(projectId), from, to: `${from}.~`, after: undefined, limit: maxSources };
  const { items: pointers } = await store.page('knowledge', query);
  const ids = pointers.map(({ documentId }) => documentId as string).sort();
  const left = ids.reverse().filter((id) => after === undefined || id < after);
  const documents = await getDocuments(store, projectId, left.slice(0, limit));
  const items = documents.filter((document) => document.externalId === externalId && keep(document));
  items.sort((a, b) => (a.id > b.id ? -1 : 1));
  return toPage(items, limit, left.length > limit ? (left[limit - 1] ?? null) : null);
}

export type DocumentList = {
  status: KnowledgeDocument['status'] | undefined;
  tag: string | undefined;
  source: string | undefined;
  externalId: string | undefined;
  /** Epoch milliseconds, included. */
  updatedFromMs: number | undefined;
  after: string | undefined;
  limit: number;
};

/** @returns a page of documents, newest first */
export async function listDocuments(
  store: Store,
  projectId: string,
  list: DocumentList,
): Promise<Page<StoredDocument>> {
  const { status, tag, source, externalId, updatedFromMs, after, limit } = list;
  const keep = (document: StoredDocument) =>
    (status === undefined || document.status === status) &&
    (tag === undefined || document.tags.includes(tag)) &&
    (source === undefined || document.source === source) &&
    (updatedFromMs === undefined || Date.parse(document.updatedAt) >= updatedFromMs);
  if (externalId !== undefined) {
    return pageByExternalId(store, projectId, externalId, { keep, after, limit });
  }
  const query = { within: documentsOf(projectId), from, to, after, limit };
  const page = await store.page('knowledge', {
    ...query,
    keep: (item) => keep(item as Item & StoredDocument),
  });
  return { ...page, items: page.items.flatMap((item) => documentOf(item) ?? []) };
}

/**
 * For the indexer.
 * @param after the id behind which to go on
 * @param limit at most 1000; a page may hold fewer
 * @returns documents, oldest first by id
 */
export const pageDocuments = (
  store: Store,
  projectId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Page<StoredDocument>> =>
  store.page('knowledge', {
    within: documentsOf(projectId),
    from,
    to,
    after,
    limit,
    order: 'oldest',
  }) as Promise<Page<Item & StoredDocument>>;

export type Unindexed = {
  pending: number;
  failed: number /** Whether all documents were counted. */;
  isComplete: boolean;
};

/** A count reads at most so many pages, of at most 1 MB each. An index has at most 20 000 documents. */
const maxCountPages = 20;

/** @returns how many documents the index does not include as they are */
export async function countUnindexed(store: Store, projectId: string): Promise<Unindexed> {
  const count = { pending: 0, failed: 0 };
  let after: string | undefined;
  for (let page = 0; page < maxCountPages; page += 1) {
    const { items, next } = await pageDocuments(store, projectId, { after, limit: 1000 });
    for (const { status } of items) if (status !== 'indexed') count[status] += 1;
    if (next === null) return { ...count, isComplete: true };
    after = next;
  }
  return { ...count, isComplete: false };
}

/** Creates a document; loses the race where its externalId has come to stand for another one. */
export const createDocument = (
  store: Store,
  projectId: string,
  document: KnowledgeDocument,
  content: DocumentContent,
): Write<never>[] => [
  store.put('knowledge', document, { within: documentsOf(projectId), condition: { kind: 'absent' } }),
  putContent(store, projectId, document.id, content, 'absent'),
  ...putPointer(store, projectId, document),
];

/**
 * Puts the changed document in the place of what was read, unless somebody else has changed it since.
 * @param content where it was sent; written where it is another one than before
 */
export function changeDocument(
  store: Store,
  projectId: string,
  before: StoredDocument,
  after: KnowledgeDocument,
  content: DocumentContent | undefined,
): Write<never>[] {
  const writes = [store.put('knowledge', after, unchanged(projectId, before))];
  const { contentSha256, mimeType } = before;
  if (content && (content.contentSha256 !== contentSha256 || content.mimeType !== mimeType)) {
    writes.push(putContent(store, projectId, before.id, content, 'present'));
  }
  if (nameKey(after) === nameKey(before)) return writes;
  return [...writes, ...removePointer(store, projectId, before), ...putPointer(store, projectId, after)];
}

/** Removes a document with all that belongs to it, and notes that it was there, unless somebody else has changed it since it was read. */
export const removeDocument = (store: Store, projectId: string, document: StoredDocument): Write<never>[] => [
  store.remove('knowledge', document.id, unchanged(projectId, document)),
  store.remove('knowledge', document.id, {
    within: contentsOf(projectId),
    condition: { kind: 'present' },
  }),
  ...removePointer(store, projectId, document),
  store.put('knowledge', { id: document.id }, { within: deletedOf(projectId), condition: { kind: 'any' } }),
];

/** @returns whether there was such a document: an index version may still hold its text */
export const wasDeleted = async (store: Store, projectId: string, id: string): Promise<boolean> =>
  (await store.get('knowledge', id, deletedOf(projectId))) !== undefined;

/**
 * For the indexer: notes what has become of a document, unless somebody else has changed or deleted it since it was
 * read. A change that was decided before the mark is decided again, on top of it.
 */
export const markDocument = (
  store: Store,
  projectId: string,
  document: Pick<StoredDocument, 'id' | 'changedIn'>,
  { status, indexVersion, error }: Pick<KnowledgeDocument, 'status' | 'indexVersion' | 'error'>,
): Write<never> =>
  store.update('knowledge', document.id, { status, indexVersion, error }, unchanged(projectId, document));

const unchanged = (projectId: string, { changedIn }: Pick<StoredDocument, 'changedIn'>) => ({
  within: documentsOf(projectId),
  condition: { kind: 'unchanged', changedIn } as const,
});

/** Compressed: a unit of DynamoDB is a kilobyte, and text is mostly air. */
const putContent = (
  store: Store,
  projectId: string,
  id: string,
  { content, ...described }: DocumentContent,
  kind: 'absent' | 'present',
): Write<never> =>
  store.put(
    'knowledge',
    { id, ...described, gzip: gzipSync(content) },
    { within: contentsOf(projectId), condition: { kind } },
  );

const contentOf = ({ id, mimeType, bytes, contentSha256, gzip }: Item) =>
  ({
    id,
    content: gunzipSync(gzip as Uint8Array, { maxOutputLength: maxContentBytes }).toString(),
    mimeType,
    bytes,
    contentSha256,
  }) as {
    id: string;
  } & DocumentContent;

function putPointer(store: Store, projectId: string, document: KnowledgeDocument): Write<never>[] {
  const name = nameOf(document);
  if (!name) return [];
  const pointer = { id: pointerId(name), documentId: document.id };
  return [store.put('knowledge', pointer, { within: pointersOf(projectId), condition: { kind: 'absent' } })];
}

function removePointer(store: Store, projectId: string, document: KnowledgeDocument): Write<never>[] {
  const name = nameOf(document);
  if (!name) return [];
  return [
    store.remove('knowledge', pointerId(name), {
      within: pointersOf(projectId),
      condition: { kind: 'present' },
    }),
  ];
}
