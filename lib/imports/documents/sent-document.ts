/** A document in a request: with its content, or with a file that was uploaded for it. */

import { invalidField } from '../../base/errors.ts';
import type { Quotas } from '../../base/stage-limits.ts';
import type { SentDocument, SentFile } from '../../knowledge/documents.ts';
import type { ProjectStore, Write } from '../../knowledge/store/documents.ts';
import { takeUpload, usableUpload } from '../uploads/store.ts';

type Body = Omit<SentDocument, 'content' | 'mimeType'> & {
  content?: string | undefined;
  mimeType?: SentDocument['mimeType'] | undefined;
  uploadId?: string | undefined;
};

/**
 * @param quotas of who sends it
 * @returns the document, and the writes that give its file to the stored document
 * @throws ApiError validation_error if the upload cannot be used
 */
export async function readSent(
  store: ProjectStore,
  { content, mimeType = 'text/plain', uploadId, ...described }: Body,
  quotas: Quotas,
  nowMs: number,
): Promise<{ sent: SentDocument | SentFile; take: (document: { id: string }) => Write<never>[] }> {
  if (content !== undefined) return { sent: { ...described, content, mimeType }, take: () => [] };
  if (uploadId === undefined) throw invalidField('content', 'must be sent, or uploadId');
  const upload = await usableUpload(store, uploadId, 'knowledge', nowMs);
  return {
    sent: { ...described, uploadId, quotas },
    take: ({ id }) => [takeUpload(store, upload, { documentId: id })],
  };
}
