/**
 * The contents of documents, apart from the documents, so that a list does not read them. A document has a content if and only
 * if `storedContent` (documents.ts) is not undefined.
 */

import { projectCollection, type Stored } from '../../dynamodb/collection.ts';
import { load } from '../../dynamodb/load.ts';
import type { ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import type { DocumentContent } from '../schema/document.ts';
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
