/** Files in a folder, and their links, which the dev server answers. On AWS, these are S3 and its presigned URLs. */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener } from 'node:http';
import { dirname, join } from 'node:path';
import type { Files } from '../../lib/base/files.ts';
import { secondMs } from '../../lib/base/time.ts';

/** The path of all links. */
const linkPath = '/files/';

/** The allowed form of a key: no parts of only dots, which would leave the folder. */
const keyPattern = /^[\w-]+(\/[\w-]+)*$/;

export type FolderOptions = {
  folder: string;
  /** The origin of the server that answers links, such as `http://127.0.0.1:3000`. */
  origin: string;
  /** Signs the links. */
  secret: string;
  nowMs: () => number;
};

type Signed = { method: 'GET' | 'PUT'; key: string; expires: string; bytes: string };

const signatureOf = (secret: string, { method, key, expires, bytes }: Signed): string =>
  createHmac('sha256', secret).update([method, key, expires, bytes].join('\n')).digest('base64url');

export function folderFiles({ folder, origin, secret, nowMs }: FolderOptions): Files {
  const sign = (method: Signed['method'], key: string, seconds: number, bytes = ''): string => {
    const expires = String(nowMs() + seconds * secondMs);
    const signature = signatureOf(secret, { method, key, expires, bytes });
    return `${origin}${linkPath}${key}?${new URLSearchParams({ expires, bytes, signature })}`;
  };
  return {
    async put(key, bytes, signal) {
      const file = join(folder, key);
      await mkdir(dirname(file), { recursive: true });
      // Under another name until it is whole.
      await writeFile(`${file}.part`, bytes, { mode: 0o600, ...(signal && { signal }) });
      await rename(`${file}.part`, file);
    },
    remove: (key) => rm(join(folder, key), { force: true }),
    async read(key, from, length) {
      const file = await open(join(folder, key)).catch(() => undefined);
      if (!file) return undefined;
      try {
        const { size, mtimeMs, ino } = await file.stat();
        if (from >= size) return undefined;
        const buffer = Buffer.alloc(Math.min(length, size - from));
        const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
        return { bytes: buffer.subarray(0, bytesRead), size, version: [size, mtimeMs, ino].join() };
      } finally {
        await file.close();
      }
    },
    link: async (key, seconds) => sign('GET', key, seconds),
    uploadLink: async (key, seconds, bytes) => sign('PUT', key, seconds, String(bytes)),
  };
}

/** @returns a listener that answers links, and passes every other request on */
export const answeringLinks =
  ({ folder, secret, nowMs }: Omit<FolderOptions, 'origin'>, others: RequestListener): RequestListener =>
  async (request, response) => {
    // Any other target may be no URL, such as `//`.
    if (!request.url?.startsWith(linkPath)) return others(request, response);
    const url = new URL(request.url, 'http://localhost');
    const key = url.pathname.slice(linkPath.length);
    const [expires = '', bytes = '', signature = ''] = ['expires', 'bytes', 'signature'].map(
      (name) => url.searchParams.get(name) ?? '',
    );
    const end = (status: number) => void response.writeHead(status).end();
    const { method } = request;
    if (method !== 'GET' && method !== 'PUT') return end(403);
    const wanted = Buffer.from(signatureOf(secret, { method, key, expires, bytes }));
    const sent = Buffer.from(signature);
    const isSigned = wanted.length === sent.length && timingSafeEqual(wanted, sent);
    if (!isSigned || !keyPattern.test(key)) return end(403);
    if (Number(expires) <= nowMs()) return end(403);
    if (method === 'PUT') {
      if (request.headers['content-length'] !== bytes) return end(403);
      return void receive(request, join(folder, key)).then(
        () => end(200),
        () => response.destroy(),
      );
    }
    const file = join(folder, key);
    const size = await stat(file).then(
      (found) => found.size,
      () => undefined,
    );
    if (size === undefined) return end(404);
    response.writeHead(200, { 'Content-Type': 'application/gzip', 'Content-Length': size });
    createReadStream(file)
      .on('error', () => response.destroy())
      .pipe(response);
  };

/** Stores the body of the request, under another name until it is complete. */
async function receive(request: IncomingMessage, file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.part`, request, { mode: 0o600 });
  await rename(`${file}.part`, file);
}
