/** Uploads a file whose text the service extracts: compares it, sends it, makes it a document, and waits for its text. */

import type { Signal } from '@preact/signals';
import { upload } from '../../../../../clients/typescript/src/core/upload.ts';
import { documentFrom } from '../../../../../clients/typescript/src/helpers/document-files.ts';
import type { KnowledgeDocument } from '../../../../../clients/typescript/src/index.ts';
import { platform } from '../../../session/session.ts';
import { failureText, untilExtracted } from '../extraction.ts';
import { bytesOf, type SelectedFile } from './selection.ts';

export type FileState = 'waiting' | 'sending' | 'extracting' | 'created' | 'updated' | 'unchanged' | 'failed';

export type UploadFile = SelectedFile & {
  /** The state is a signal, so that only the row of the file is drawn again. */
  state: Signal<FileState>;
  problem: Signal<string | undefined>;
  /** The share that was sent, from 0 to 1, of a file whose text the service extracts. */
  share: Signal<number>;
  /** The id of the document of such a file, until its text is there. */
  documentId: string | undefined;
  isNew: boolean;
};

/** The fields that all files of an upload share. */
export type Target = {
  source: string;
  /** Without tags, the documents keep their tags. */
  tags: readonly string[];
};

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

type Link = { id: string; url: string };

/** So many attempts may follow the first attempt. */
const maxRetries = 2;
const timeoutMs = 60_000;

/**
 * Sends a file to a link of the service. The link is a credential, so it is not recorded, and the request has no other credential.
 * Only an `XMLHttpRequest` says how much was sent.
 *
 * @param create requests a link
 * @param onProgress gets the share that was sent, from 0 to 1
 * @returns the id of the upload that has the file
 */
const putFile = (
  create: () => Promise<Link>,
  file: File,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<string> =>
  // The slice has no type, so the request has no `Content-Type` header that the bucket would have to allow.
  upload(create, file.slice(), {
    fetch: (url, init) => send(url, init, onProgress),
    timeoutMs,
    maxRetries,
    signal,
  });

function send(url: string, { signal, body }: RequestInit, onProgress: (share: number) => void) {
  return new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => resolve(new Response(null, { status: request.status }));
    request.onerror = () => reject(new TypeError('Failed to fetch'));
    request.onabort = () => reject(signal?.reason);
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body instanceof Blob ? body : null);
  });
}
