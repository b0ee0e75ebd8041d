/** The way of a file whose text the service extracts: it is compared, sent, made a document, and read. */

import { documentFrom } from '../../../../../clients/typescript/src/helpers/document-files.ts';
import type { KnowledgeDocument } from '../../../../../clients/typescript/src/index.ts';
import { putFile } from '../../../request/put-file.ts';
import { platform } from '../../../session/session.ts';
import { explained, untilExtracted } from '../extraction.ts';
import { bytesOf } from './chosen.ts';
import type { Target, UploadFile } from './upload.ts';

type Ended = { state: 'created' | 'updated' | 'unchanged' } | { state: 'failed'; problem: string };

/** @throws what prevents the whole upload, such as a lost connection */
export async function sendFile(
  project: string,
  { source, tags }: Target,
  sent: UploadFile,
  signal: AbortSignal,
): Promise<Ended> {
  const { path, file, state, share } = sent;
  // A stopped upload has sent it, and did not wait.
  if (!sent.documentId) {
    state.value = 'sending';
    const read = await bytesOf(file);
    if ('problem' in read) return { state: 'failed', problem: read.problem };
    const { knowledge, uploads } = platform().projects(project);
    const named = { source, externalId: path, limit: 1 };
    const known = (await knowledge.documents.list(named, { signal })).items[0];
    if (known && (await hasFile(known, read.bytes, tags))) return { state: 'unchanged' };
    const uploadId = await putFile(
      () => uploads.create({ bytes: file.size, purpose: 'knowledge' }, { signal }),
      file,
      signal,
      (done) => {
        share.value = done;
      },
    );
    // The request replaces what it leaves out.
    const kept = known && { tags: known.tags, metadata: known.metadata };
    const { outcome, document } = await knowledge.documents.put(
      path,
      {
        source,
        title: documentFrom(path, '').title,
        uploadId,
        ...kept,
        ...(tags.length > 0 && { tags: [...tags] }),
      },
      { signal },
    );
    sent.documentId = document.id;
    sent.isNew = outcome === 'created';
  }
  state.value = 'extracting';
  const { extractionError } = await untilExtracted(project, sent.documentId, signal);
  if (!extractionError) return { state: sent.isNew ? 'created' : 'updated' };
  sent.documentId = undefined;
  return { state: 'failed', problem: explained(extractionError) };
}

/** @returns whether the document is of this file, and has the tags; a page without TLS cannot hash, and sends the file */
async function hasFile(
  { extraction, fileSha256, tags }: KnowledgeDocument,
  bytes: ArrayBuffer,
  wanted: readonly string[],
): Promise<boolean> {
  if (extraction !== 'done' || fileSha256 !== (await sha256(bytes))) return false;
  return wanted.length === 0 || JSON.stringify(tags.toSorted()) === JSON.stringify(wanted.toSorted());
}

async function sha256(bytes: ArrayBuffer): Promise<string | undefined> {
  const hash = await globalThis.crypto.subtle?.digest('SHA-256', bytes);
  return hash && Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
