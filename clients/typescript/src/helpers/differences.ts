/** Compares a document of the caller with the stored document. */

import type { KnowledgeDocument } from '../generated/types.ts';
import type { SyncDocument } from './sync-document.ts';

/** The fields that a synchronisation compares. */
export type SyncField = 'title' | 'content' | 'mimeType' | 'tags' | 'metadata';

/**
 * @param isSameContent whether the content or the file is the same as in the stored document
 * @returns the fields that sending the document would change
 */
export function differences(
  stored: KnowledgeDocument,
  { title, mimeType, tags, metadata }: Omit<SyncDocument, 'externalId'>,
  isSameContent: boolean,
): SyncField[] {
  const isSame: Record<SyncField, boolean> = {
    title: stored.title === title,
    content: isSameContent,
    mimeType: mimeType === undefined || stored.mimeType === mimeType,
    tags: tags === undefined || canonical([...stored.tags].sort()) === canonical([...tags].sort()),
    metadata: metadata === undefined || canonical(stored.metadata) === canonical(metadata),
  };
  return (Object.keys(isSame) as SyncField[]).filter((field) => !isSame[field]);
}

/** The order of an object's fields does not matter. */
const canonical = (value: object) =>
  JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));

/** @returns undefined in pages without TLS, which cannot hash */
export async function sha256(content: string | Uint8Array<ArrayBuffer>): Promise<string | undefined> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const hash = await globalThis.crypto.subtle?.digest('SHA-256', bytes);
  return hash && Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
