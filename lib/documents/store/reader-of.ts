import type { KnowledgeDocument } from '../schema/document.ts';

export type Read = Pick<KnowledgeDocument, 'extractedBy' | 'fileSha256' | 'url'>;

/** The version of the readers before documents stored it. */
const firstVersion = 1;

/** @returns the version of the readers that have read the file or the page of a document; null if none was read */
export function readerOf({ extractedBy, fileSha256, url }: Read): number | null {
  if (extractedBy !== undefined) return extractedBy;
  return fileSha256 !== null || url !== undefined ? firstVersion : null;
}
