/** A document in a request: with its content, or with a file that was uploaded for it. */

import { invalidField } from '../../../base/errors.ts';
import type { Quotas } from '../../../base/stage-limits.ts';
import { isFileOf, type SentDocument, type SentFile } from '../../../documents/documents.ts';
import { mimeType as contentType } from '../../../documents/schema/document.ts';
import type { ProjectStore, StoredDocument, Write } from '../../../documents/store/documents.ts';
import { getUpload, requireUsable, type StoredUpload, takeUpload } from '../uploads/store.ts';

type Body = Omit<SentDocument, 'content' | 'mimeType'> & {
  content?: string | undefined;
  mimeType?: string | undefined;
  uploadId?: string | undefined;
};

type Context = {
  upload: StoredUpload | undefined;
  /** The document that the request replaces. It was read after the upload: if it has taken the upload, this shows. */
  existing?: Pick<StoredDocument, 'uploadId' | 'fileMimeType'> | undefined;
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
  { content, mimeType, uploadId, ...fields }: Body,
  { upload, existing, quotas, nowMs }: Context,
): { sent: SentDocument | SentFile; take: (document: { id: string }) => Write<never>[] } {
  if (content !== undefined) {
    const type = contentType.parse(mimeType ?? 'text/plain');
    return { sent: { ...fields, content, mimeType: type }, take: () => [] };
  }
  if (uploadId === undefined) throw invalidField('content', 'must be sent, or uploadId');
  const sent = { ...fields, uploadId, quotas, ...(mimeType !== undefined && { mimeType }) };
  // The request is repeated.
  if (existing && isFileOf(existing, sent)) return { sent, take: () => [] };
  const usableFile = requireUsable(upload, 'knowledge', nowMs);
  return { sent, take: ({ id }) => [takeUpload(store, usableFile, { documentId: id })] };
}
