/** Uploads a file whose text the service extracts: compares it, sends it, makes it a document, and waits for its text. */

import { documentFrom } from '../../../../../clients/typescript/src/helpers/document-files.ts';
import type { KnowledgeDocument } from '../../../../../clients/typescript/src/index.ts';
import { putFile } from '../../../request/put-file.ts';
import { platform } from '../../../session/session.ts';
import { failureText, untilExtracted } from '../extraction.ts';
import { bytesOf } from './selection.ts';
import type { Target, UploadFile } from './upload-file.ts';

type Outcome = { state: 'created' | 'updated' | 'unchanged' } | { state: 'failed'; problem: string };

/** @throws an error that prevents the whole upload, such as a lost connection */
export async function sendFile(
  project: string,
  { source, tags }: Target,
  uploadFile: UploadFile,
  signal: AbortSignal,
): Promise<Outcome> {
  const { path, file, state, share } = uploadFile;
  // A stopped upload may have sent the file without waiting for its text.
  if (!uploadFile.documentId) {
    state.value = 'sending';
    const result = await bytesOf(file);
    if ('problem' in result) return { state: 'failed', problem: result.problem };
    const { knowledge, uploads } = platform().projects(project);
    const documentQuery = { source, externalId: path, limit: 1 };
    const storedDocument = (await knowledge.documents.list(documentQuery, { signal })).items[0];
    if (storedDocument && (await hasFile(storedDocument, result.bytes, tags))) return { state: 'unchanged' };
    const uploadId = await putFile(
      () => uploads.create({ bytes: file.size, purpose: 'knowledge' }, { signal }),
      file,
      signal,
      (sentShare) => {
        share.value = sentShare;
      },
    );
    // The request would reset the fields that it leaves out.
    const storedFields = storedDocument && { tags: storedDocument.tags, metadata: storedDocument.metadata };
    const { outcome, document } = await knowledge.documents.put(
      path,
      {
        source,
        title: documentFrom(path, '').title,
        uploadId,
        ...storedFields,
        ...(tags.length > 0 && { tags: [...tags] }),
      },
      { signal },
    );
    uploadFile.documentId = document.id;
    uploadFile.isNew = outcome === 'created';
  }
  state.value = 'extracting';
  const { extractionError } = await untilExtracted(project, uploadFile.documentId, signal);
  if (!extractionError) return { state: uploadFile.isNew ? 'created' : 'updated' };
  uploadFile.documentId = undefined;
  return { state: 'failed', problem: failureText(extractionError) };
}

/** @returns whether the document has this file and the tags. A page without TLS cannot hash, so it sends the file */
async function hasFile(
  { extraction, fileSha256, tags }: KnowledgeDocument,
  bytes: ArrayBuffer,
  newTags: readonly string[],
): Promise<boolean> {
  if (extraction !== 'done' || fileSha256 !== (await sha256(bytes))) return false;
  return newTags.length === 0 || JSON.stringify(tags.toSorted()) === JSON.stringify(newTags.toSorted());
}

async function sha256(bytes: ArrayBuffer): Promise<string | undefined> {
  const hash = await globalThis.crypto.subtle?.digest('SHA-256', bytes);
  return hash && Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
