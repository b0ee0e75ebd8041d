/** Opens the file of an export. */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { usageError } from '../errors.ts';
import type { Session } from '../session.ts';
import { isCompressed, peek } from './upload-file.ts';

/**
 * Opens the export, and decompresses it if it is compressed with gzip.
 * @param source the name of a file, or `-` for standard input
 * @param onRead gets the number of bytes of the file that were read
 */
export async function openExport(
  { shell: { stdin }, signal }: Session,
  source: string,
  onRead: (bytes: number) => void,
): Promise<AsyncIterable<Uint8Array>> {
  const [compressed, input] =
    source === '-' ? await peek(stdin) : [await isCompressed(source), createReadStream(source)];
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const chunk of input as AsyncIterable<Uint8Array>) {
      signal.throwIfAborted();
      bytes += chunk.length;
      onRead(bytes);
      yield chunk;
    }
  };
  return compressed ? unzipped(counted()) : counted();
}

async function* unzipped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const output = createGunzip();
  // The reader of the output gets the error.
  pipeline(chunks, output).catch(() => {});
  try {
    yield* output as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      throw usageError(`The file cannot be decompressed: ${error.message}.`);
    throw error;
  }
}

/** @returns the size of a file; undefined for standard input */
export const sizeOf = async (source: string): Promise<number | undefined> =>
  source === '-' ? undefined : (await stat(source).catch(() => undefined))?.size;
