/** The file that is uploaded: compressed, and of a known size. */

import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { FileSource } from '../../../clients/typescript/src/index.ts';
import { fileSource } from '../../../clients/typescript/src/node.ts';
import { CliError, usageError } from '../errors.ts';
import type { Shell } from '../shell.ts';

export type UploadFile = FileSource & { remove: () => Promise<void> };

/**
 * Compresses the file, unless it is compressed already. The compressed file is temporary, and only the user can read it.
 * @param source the name of a file, or `-` for standard input
 * @param onRead gets the number of bytes of the file that were read, again from 0 if it is uploaded again
 * @throws CliError if there is nothing to read
 */
export async function openUpload(
  { stdin }: Pick<Shell, 'stdin'>,
  source: string,
  { signal, onRead }: { signal: AbortSignal; onRead: (bytes: number) => void },
): Promise<UploadFile> {
  if (source !== '-' && (await isCompressed(source)))
    return { ...(await fileSource(source, onRead)), remove: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'platform-import-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const file = join(folder, 'upload.jsonl.gz');
    const [compressed, input] = source === '-' ? await peek(stdin) : [false, createReadStream(source)];
    const steps = compressed ? [] : [createGzip()];
    await pipeline([input, ...steps, createWriteStream(file, { mode: 0o600 })], { signal });
    return { ...(await fileSource(file, onRead)), remove };
  } catch (error) {
    await remove();
    throw signal.aborted ? signal.reason : error;
  }
}

/** Whether the bytes begin as gzip does (https://www.rfc-editor.org/rfc/rfc1952#page-6). */
const hasMark = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** @throws CliError if there is no such file */
export async function isCompressed(file: string): Promise<boolean> {
  const stats = await stat(file).catch((error: Error) => {
    throw usageError(`The file cannot be read: ${error.message}`);
  });
  if (!stats.isFile()) throw usageError(`${file} is not a file.`, 'Use - for standard input.');
  const handle = await open(file).catch((error: Error) => {
    throw new CliError('failed', `The file cannot be read: ${error.message}`);
  });
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return hasMark(buffer);
  } finally {
    await handle.close();
  }
}

/** @returns whether the input is compressed, and the whole input */
export async function peek(input: Readable): Promise<[boolean, Readable]> {
  const chunks = input.iterator() as AsyncIterableIterator<Buffer>;
  let first = Buffer.alloc(0);
  while (first.length < 2) {
    const { done, value } = await chunks.next();
    if (done) break;
    first = Buffer.concat([first, value]);
  }
  const all = async function* () {
    yield first;
    yield* chunks;
  };
  return [hasMark(first), Readable.from(all(), { objectMode: false })];
}
