/** A document in a request: with its content, or with a file that was uploaded for it. */

import { invalidField } from '../../../base/errors.ts';
import type { Quotas } from '../../../base/stage-limits.ts';
import type { SentDocument, SentFile } from '../../../documents/documents.ts';
import type { ProjectStore, StoredDocument, Write } from '../../../documents/store/documents.ts';
import { getUpload, requireUsable, type StoredUpload, takeUpload } from '../uploads/store.ts';

type Body = Omit<SentDocument, 'content' | 'mimeType'> & {
  content?: string | undefined;
  mimeType?: SentDocument['mimeType'] | undefined;
  uploadId?: string | undefined;
};

type Context = {
  upload: StoredUpload | undefined;
  /** The document that the request replaces. It was read after the upload: if it has taken the upload, this shows. */
  existing?: Pick<StoredDocument, 'uploadId'> | undefined;
  /** The quotas of the caller. */
  quotas: Quotas;
  nowMs: number;
};

export const uploadOf = async (
  store: ProjectStore,
  { uploadId }: Pick<Body, 'uploadId'>,
): Promise<StoredUpload | undefined> => (uploadId === undefined ? undefined : getUpload(store, uploadId));

/**
 * @returns the document, and the writes that give its file to the stored document
 * @throws ApiError validation_error if the upload cannot be used
 */
export function readSent(
  store: ProjectStore,
  { content, mimeType = 'text/plain', uploadId, ...fields }: Body,
  { upload, existing, quotas, nowMs }: Context,
): { sent: SentDocument | SentFile; take: (document: { id: string }) => Write<never>[] } {
  if (content !== undefined) return { sent: { ...fields, content, mimeType }, take: () => [] };
  if (uploadId === undefined) throw invalidField('content', 'must be sent, or uploadId');
  const sent = { ...fields, uploadId, quotas };
  // The request is repeated: the document has the file, or its text.
  if (uploadId === existing?.uploadId) return { sent, take: () => [] };
  const usableFile = requireUsable(upload, 'knowledge', nowMs);
  return { sent, take: ({ id }) => [takeUpload(store, usableFile, { documentId: id })] };
}
