/** A document in a request: with its content, or with a file that was uploaded for it. */

import { invalidField } from '../../base/errors.ts';
import type { Quotas } from '../../base/stage-limits.ts';
import type { SentDocument, SentFile } from '../../knowledge/documents.ts';
import type { ProjectStore, StoredDocument, Write } from '../../knowledge/store/documents.ts';
import { takeUpload, usableUpload } from '../uploads/store.ts';

type Body = Omit<SentDocument, 'content' | 'mimeType'> & {
  content?: string | undefined;
  mimeType?: SentDocument['mimeType'] | undefined;
  uploadId?: string | undefined;
};

type Context = {
  /** Of who sends it. */
  quotas: Quotas;
  nowMs: number;
  /** The document that it replaces. */
  existing?: Pick<StoredDocument, 'uploadId'> | undefined;
};

/**
 * @returns the document, and the writes that give its file to the stored document
 * @throws ApiError validation_error if the upload cannot be used
 */
export async function readSent(
  store: ProjectStore,
  { content, mimeType = 'text/plain', uploadId, ...described }: Body,
  { quotas, nowMs, existing }: Context,
): Promise<{ sent: SentDocument | SentFile; take: (document: { id: string }) => Write<never>[] }> {
  if (content !== undefined) return { sent: { ...described, content, mimeType }, take: () => [] };
  if (uploadId === undefined) throw invalidField('content', 'must be sent, or uploadId');
  const sent = { ...described, uploadId, quotas };
  // The request is repeated: the document has the file, or its text.
  if (uploadId === existing?.uploadId) return { sent, take: () => [] };
  const upload = await usableUpload(store, uploadId, 'knowledge', nowMs);
  return {
    sent,
    take: ({ id }) => [takeUpload(store, upload, { documentId: id })],
  };
}
