/** The contents of documents, apart from the documents, so that a list does not read them. */

import { gunzipSync, gzipSync } from 'node:zlib';
import { projectCollection, type Stored } from '../../dynamodb/collection.ts';
import { load } from '../../dynamodb/load.ts';
import type { ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { type DocumentContent, maxContentBytes } from '../schema/document.ts';

/** Compressed, because DynamoDB bills one write unit per kilobyte. */
type StoredContent = Stored<Omit<DocumentContent, 'content'> & { id: string; gzip: Uint8Array }>;

export const contents = projectCollection<StoredContent>('knowledge', () => ['content']);

export const contentInPath = load({
  from: [contents],
  read: (get, { document_id }: { document_id: string }) => get(contents, document_id),
  find: (stored) => stored && { ...stored, content: unpack(stored) },
});

/** The content of a document as the indexer reads it: null if it is damaged. */
export type ReadContent = Pick<StoredContent, 'id' | 'mimeType' | 'contentSha256'> & {
  content: string | null;
};

/**
 * For the indexer.
 * @param ids at most 100
 * @returns the contents of the documents that exist, in no order. The hash shows whether a content belongs to the
 *   document that was read before
 */
export async function getContents(store: ProjectStore, ids: readonly string[]): Promise<ReadContent[]> {
  const found = await contents.at(store).getMany(ids);
  return found.map((stored) => {
    const { id, mimeType, contentSha256 } = stored;
    return { id, mimeType, contentSha256, content: unpackIfWhole(stored) };
  });
}

export const putContent = (
  store: ProjectStore,
  id: string,
  { content, ...described }: DocumentContent,
  kind: 'absent' | 'present',
): Write<never> =>
  contents.at(store).put({ id, ...described, gzip: gzipSync(content) }, { condition: { kind } });

export const removeContent = (store: ProjectStore, id: string): Write<never> =>
  contents.at(store).remove(id, { condition: { kind: 'present' } });

const unpack = ({ gzip }: StoredContent): string =>
  gunzipSync(gzip, { maxOutputLength: maxContentBytes }).toString();

/** A damaged content must not prevent the others from being read. */
function unpackIfWhole(stored: StoredContent): string | null {
  try {
    return unpack(stored);
  } catch {
    return null;
  }
}
