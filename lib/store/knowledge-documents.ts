/**
 * Knowledge documents, below their project: what lists show in one partition, the contents in another, so that a list does
 * not read them, and in a third a pointer for each externalId, which makes it unique.
 */

import { hash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { idRangeOf } from '../ids.ts';
import type { DocumentContent, KnowledgeDocument } from '../models/knowledge-document.ts';
import type { Page, Store, Within } from './store.ts';
import type { Item, Write } from './write.ts';

const documentsOf = (projectId: string): Within => [projectId];
const contentsOf = (projectId: string): Within => [projectId, 'content'];
const pointersOf = (projectId: string): Within => [projectId, 'external'];
const { first: from, last: to } = idRangeOf('knowledgeDocument');

/** A sort key has at most 1024 bytes; 255 characters of text may have 1020, and nobody should have to count. */
const pointerId = (externalId: string) => hash('sha256', externalId, 'base64url');

export type StoredDocument = KnowledgeDocument & { changedIn: string };
type Pointer = { id: string; documentId: string };

export const getDocument = (
  store: Store,
  projectId: string,
  id: string,
): Promise<StoredDocument | undefined> =>
  store.get('knowledge', id, documentsOf(projectId)) as Promise<StoredDocument | undefined>;

/** @returns the content of a document, exactly as it was sent */
export async function getContent(
  store: Store,
  projectId: string,
  id: string,
): Promise<DocumentContent | undefined> {
  const item = await store.get('knowledge', id, contentsOf(projectId));
  return item && contentOf(item);
}

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
): Promise<({ id: string } & DocumentContent)[]> {
  return (await store.getMany('knowledge', ids, contentsOf(projectId))).map(contentOf);
}

/** @returns the document of that externalId, as the two reads find it: one that goes in between is not found */
export async function findByExternalId(
  store: Store,
  projectId: string,
  externalId: string,
): Promise<StoredDocument | undefined> {
  const pointer = (await store.get('knowledge', pointerId(externalId), pointersOf(projectId))) as
    | Pointer
    | undefined;
  const document = pointer && (await getDocument(store, projectId, pointer.documentId));
  return document?.externalId === externalId ? document : undefined;
}

/**
 * @param externalIds at most 100
 * @returns those documents that exist, by externalId
 */
export async function findManyByExternalId(
  store: Store,
  projectId: string,
  externalIds: readonly string[],
): Promise<Map<string | null, StoredDocument>> {
  const pointers = await store.getMany('knowledge', externalIds.map(pointerId), pointersOf(projectId));
  const ids = pointers.map((pointer) => pointer.documentId as string);
  // One whose externalId is being changed may be found by both of them.
  const documents = await store.getMany('knowledge', [...new Set(ids)], documentsOf(projectId));
  return new Map((documents as (Item & StoredDocument)[]).map((document) => [document.externalId, document]));
}

export type DocumentList = {
  status: KnowledgeDocument['status'] | undefined;
  tag: string | undefined;
  externalId: string | undefined;
  /** Epoch milliseconds, not included. */
  updatedAfterMs: number | undefined;
  after: string | undefined;
  limit: number;
};

/** @returns a page of documents, newest first */
export async function listDocuments(
  store: Store,
  projectId: string,
  list: DocumentList,
): Promise<Page<StoredDocument>> {
  const { status, tag, externalId, updatedAfterMs, after, limit } = list;
  const keep = (document: StoredDocument) =>
    (status === undefined || document.status === status) &&
    (tag === undefined || document.tags.includes(tag)) &&
    (updatedAfterMs === undefined || Date.parse(document.updatedAt) > updatedAfterMs);
  if (externalId !== undefined) {
    const document = await findByExternalId(store, projectId, externalId);
    return { items: document && keep(document) ? [document] : [], next: null };
  }
  const query = { within: documentsOf(projectId), from, to, after, limit };
  return (await store.page('knowledge', {
    ...query,
    keep: (item) => keep(item as Item & StoredDocument),
  })) as Page<Item & StoredDocument>;
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
  ...(document.externalId === null ? [] : [putPointer(store, projectId, document.externalId, document.id)]),
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
  if (after.externalId === before.externalId) return writes;
  if (before.externalId !== null) writes.push(removePointer(store, projectId, before.externalId));
  if (after.externalId !== null) writes.push(putPointer(store, projectId, after.externalId, before.id));
  return writes;
}

/** Removes a document with all that belongs to it, unless somebody else has changed it since it was read. */
export const removeDocument = (store: Store, projectId: string, document: StoredDocument): Write<never>[] => [
  store.remove('knowledge', document.id, unchanged(projectId, document)),
  store.remove('knowledge', document.id, {
    within: contentsOf(projectId),
    condition: { kind: 'present' },
  }),
  ...(document.externalId === null ? [] : [removePointer(store, projectId, document.externalId)]),
];

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
  ({ id, content: gunzipSync(gzip as Uint8Array).toString(), mimeType, bytes, contentSha256 }) as {
    id: string;
  } & DocumentContent;

const putPointer = (store: Store, projectId: string, externalId: string, documentId: string): Write<never> =>
  store.put(
    'knowledge',
    { id: pointerId(externalId), documentId },
    { within: pointersOf(projectId), condition: { kind: 'absent' } },
  );

const removePointer = (store: Store, projectId: string, externalId: string): Write<never> =>
  store.remove('knowledge', pointerId(externalId), {
    within: pointersOf(projectId),
    condition: { kind: 'present' },
  });
