/**
 * Sends a file to a link of the service. The link is a credential, so it is not recorded, and the request has no other credential.
 * Only an `XMLHttpRequest` says how much was sent.
 */

import { upload } from '../../../clients/typescript/src/core/upload.ts';

type Link = { id: string; url: string };

/** So many attempts may follow the first attempt. */
const maxRetries = 2;
const timeoutMs = 60_000;

/**
 * @param create requests a link
 * @param onProgress gets the share that was sent, from 0 to 1
 * @returns the id of the upload that has the file
 */
export const putFile = (
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
