/** Files in a folder, and their links, which the dev server answers: what S3 and its presigned URLs are on AWS. */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { dirname, join } from 'node:path';
import type { Files } from '../../lib/files.ts';
import { secondMs } from '../../lib/time.ts';

/** The path of all links. */
const linkPath = '/files/';

/** What a key may contain: no dots alone, which would leave the folder. */
const keyPattern = /^[\w-]+(\/[\w-]+)*$/;

export type FolderOptions = {
  folder: string;
  /** Of the server that answers links, such as `http://127.0.0.1:3000`. */
  origin: string;
  /** Signs the links. */
  secret: string;
  nowMs: () => number;
};

const signatureOf = (secret: string, key: string, expires: string): string =>
  createHmac('sha256', secret).update(`GET\n${key}\n${expires}`).digest('base64url');

export function folderFiles({ folder, origin, secret, nowMs }: FolderOptions): Files {
  return {
    async put(key, bytes, signal) {
      const file = join(folder, key);
      await mkdir(dirname(file), { recursive: true });
      // Under another name until it is whole.
      await writeFile(`${file}.part`, bytes, { mode: 0o600, ...(signal && { signal }) });
      await rename(`${file}.part`, file);
    },
    remove: (key) => rm(join(folder, key), { force: true }),
    async link(key, seconds) {
      const expires = String(nowMs() + seconds * secondMs);
      const query = new URLSearchParams({ expires, signature: signatureOf(secret, key, expires) });
      return `${origin}${linkPath}${key}?${query}`;
    },
  };
}

/** @returns a listener that answers links, and passes every other request on */
export const answeringLinks =
  ({ folder, secret, nowMs }: Omit<FolderOptions, 'origin'>, others: RequestListener): RequestListener =>
  async (request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    if (!url.pathname.startsWith(linkPath)) return others(request, response);
    const key = url.pathname.slice(linkPath.length);
    const [expires, signature] = ['expires', 'signature'].map((name) => url.searchParams.get(name) ?? '');
    const refuse = (status: number) => void response.writeHead(status).end();
    const wanted = Buffer.from(signatureOf(secret, key, expires ?? ''));
    const sent = Buffer.from(signature ?? '');
    const isSigned = wanted.length === sent.length && timingSafeEqual(wanted, sent);
    if (!isSigned || request.method !== 'GET' || !keyPattern.test(key)) return refuse(403);
    if (Number(expires) <= nowMs()) return refuse(403);
    const file = join(folder, key);
    const size = await stat(file).then(
      (found) => found.size,
      () => undefined,
    );
    if (size === undefined) return refuse(404);
    response.writeHead(200, { 'Content-Type': 'application/gzip', 'Content-Length': size });
    createReadStream(file)
      .on('error', () => response.destroy())
      .pipe(response);
  };
