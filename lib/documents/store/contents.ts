/**
 * What is stored with a document: its content, or the request to extract the content from a file. The contents are apart from the
 * documents, so that a list does not read them. A document has a content if and only if `storedContent` is not undefined.
 */

import { projectCollection, type Stored } from '../../dynamodb/collection.ts';
import { load } from '../../dynamodb/load.ts';
import type { ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import type { DayUsesText } from '../../limits/store/day-uses.ts';
import type { Uses } from '../../limits/store/quotas.ts';
import type { DocumentContent, KnowledgeDocument } from '../schema/document.ts';
import { type NewExtraction, putExtraction, removeExtraction } from './extractions.ts';
import { cutText, type FurtherParts, getTextParts, packText, unpackText } from './text-parts.ts';

/** `gzip` is the first part. A text of one part has no `more`. */
type StoredContent = Stored<
  Omit<DocumentContent, 'content'> & { id: string; gzip: Uint8Array; more?: FurtherParts }
>;

/** A content to store. If it has more than one part, its further parts were written before with `textId`. */
export type NewContent = DocumentContent & { textId?: string };

export const contentsPlace = 'content';
export const contents = projectCollection<StoredContent>('knowledge', () => [contentsPlace]);

export const contentInPath = load({
  from: [contents],
  read: (get, { document_id }: { document_id: string }) => get(contents, document_id),
  find: (stored) => stored && { ...stored, content: unpackText(stored.gzip) },
});

/** The content of a document as the indexer reads it. */
export type ReadContent = Pick<StoredContent, 'id' | 'mimeType' | 'contentSha256'> & {
  /** @returns the whole text; null if it is damaged, or not stored any more */
  read(): Promise<string | null>;
};

/**
 * Reads contents for the indexer.
 * @param ids at most 100
 * @returns the contents of the documents that exist, in no order. The hash shows whether a content belongs to the
 *   document that was read before
 */
export async function getContents(store: ProjectStore, ids: readonly string[]): Promise<ReadContent[]> {
  const items = await contents.at(store).getMany(ids);
  return items.map((stored) => {
    const { id, mimeType, contentSha256 } = stored;
    return { id, mimeType, contentSha256, read: () => readWhole(store, stored) };
  });
}

export function putContent(
  store: ProjectStore,
  id: string,
  { content, textId, ...fields }: NewContent,
  kind: 'absent' | 'present',
): Write<never> {
  const [first = '', ...further] = cutText(content);
  if (further.length > 0 && textId === undefined) throw new Error('the further parts have no textId');
  const more = textId !== undefined && further.length > 0 && { textId, count: further.length };
  return contents
    .at(store)
    .put({ id, ...fields, gzip: packText(first), ...(more && { more }) }, { condition: { kind } });
}

export const removeContent = (store: ProjectStore, id: string): Write<never> =>
  contents.at(store).remove(id, { condition: { kind: 'present' } });

/** A damaged content must not prevent the others from being read. */
async function readWhole(store: ProjectStore, { id, gzip, more }: StoredContent): Promise<string | null> {
  try {
    const rest = more ? await getTextParts(store, id, more) : '';
    return rest === undefined ? null : unpackText(gzip) + rest;
  } catch {
    return null;
  }
}

export type Attached = { content: NewContent } | { extraction: NewExtraction };

/** The description of a content, without its text. */
type ContentInfo = Omit<DocumentContent, 'content'>;

/** What a document has besides what callers see. */
export type Hidden = {
  /** The amounts that were stored of it on the day of its last content. */
  dayUses: DayUsesText;
  /** The upload of its last file, until a content is sent. A request that is repeated has the same one. */
  uploadId?: string;
  /** The content that a file replaces. It stays stored, and in the index, until the file has been read. */
  replaced?: ContentInfo;
  /** What the index has of its metadata (`fieldsMark`). Missing if that is nothing. */
  indexedFields?: string;
};

/** A document as it is stored, without the stamps. */
type StoredBefore = KnowledgeDocument & Hidden;

/** @returns the content that is stored of a document: its own, or the one that its file replaces */
export const storedContent = ({
  mimeType,
  bytes,
  contentSha256,
  replaced,
}: Pick<StoredBefore, keyof ContentInfo | 'replaced'>): ContentInfo | undefined =>
  bytes === null || contentSha256 === null ? replaced : { mimeType, bytes, contentSha256 };

/** @returns what a document remembers of the file that was sent */
export function fileOf(
  attached: Attached,
  before: StoredBefore | undefined,
): Pick<Hidden, 'uploadId' | 'replaced'> {
  if ('content' in attached) return {};
  const replaced = before && storedContent(before);
  return { uploadId: attached.extraction.uploadId, ...(replaced && { replaced }) };
}

/** A document has a content, or a request to extract it, or both while a file replaces a content, or neither after a failure. */
export function putAttached(
  store: ProjectStore,
  id: string,
  attached: Attached,
  before: StoredBefore | undefined,
): Write<never>[] {
  if ('extraction' in attached) return [putExtraction(store, id, attached.extraction)];
  const put = putContent(store, id, attached.content, before && storedContent(before) ? 'present' : 'absent');
  return before?.extraction === 'pending' ? [put, removeExtraction(store, id)] : [put];
}

/** Whether the content or the file is new. A content that the document has already is not stored again. */
export const isNewAttached = (
  attached: Attached,
  before: Pick<KnowledgeDocument, 'contentSha256' | 'mimeType'> | undefined,
): boolean => 'extraction' in attached || isNewContent(attached.content, before);

const isNewContent = (
  { contentSha256, mimeType }: DocumentContent,
  before: Pick<KnowledgeDocument, 'contentSha256' | 'mimeType'> | undefined,
): boolean => contentSha256 !== before?.contentSha256 || mimeType !== before.mimeType;

/**
 * @returns what storing the content counts towards quotas: nothing, if the document has it already. A file counts when its text is
 *   stored
 */
export const usesOf = (
  attached: Attached | undefined,
  before: Pick<KnowledgeDocument, 'contentSha256' | 'mimeType'> | undefined,
): Uses =>
  attached && 'content' in attached && isNewContent(attached.content, before)
    ? { documents: 1, bytes: attached.content.bytes }
    : {};
