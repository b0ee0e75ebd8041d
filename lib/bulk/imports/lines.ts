/** The lines of an uploaded file, in bounded memory: plain or compressed, read range by range. */

import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Files } from '../../base/files.ts';

export type FileLimits = {
  /** The size of one read. */
  rangeBytes: number;
  /** The limit of the text of the file, without compression. */
  maxTextBytes: number;
  maxLineBytes: number;
  /** Blank lines count, too. */
  maxLines: number;
};

const megabyte = 1024 * 1024;
export const fileLimits: FileLimits = {
  rangeBytes: 4 * megabyte,
  maxTextBytes: 1024 * megabyte,
  maxLineBytes: 8 * megabyte,
  maxLines: 1_000_000,
};

/** Why the file cannot be read. The code is that of the job's error. */
export class FileProblem extends Error {
  readonly code: 'file_missing' | 'file_changed' | 'file_unreadable' | 'file_too_large';
  constructor(code: FileProblem['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** A line that is not blank. `bytes` is undefined if it is too long. */
export type FileLine = { number: number; bytes: Buffer | undefined };

export type OpenFile = { version: string; lines: AsyncGenerator<FileLine> };

/**
 * @param version the version of an earlier read; undefined for any
 * @throws FileProblem also while the lines are read
 */
export async function openFile(
  files: Pick<Files, 'read'>,
  key: string,
  version: string | undefined,
  limits: FileLimits,
): Promise<OpenFile> {
  const first = await files.read(key, 0, limits.rangeBytes);
  if (!first) throw new FileProblem('file_missing', 'No file was uploaded, or it is empty.');
  const expectedVersion = version ?? first.version;
  const changed = () => new FileProblem('file_changed', 'The file was uploaded again during the import.');
  if (first.version !== expectedVersion) throw changed();

  async function* ranges(): AsyncGenerator<Uint8Array> {
    for (let part = first; part; ) {
      if (part.version !== expectedVersion) throw changed();
      yield part.bytes;
      position += part.bytes.length;
      if (position >= part.size || part.bytes.length === 0) return;
      part = await files.read(key, position, limits.rangeBytes);
      if (!part) throw changed();
    }
  }
  let position = 0;
  const [firstByte, secondByte] = first.bytes;
  const isCompressed = firstByte === 0x1f && secondByte === 0x8b;
  return { version: expectedVersion, lines: split(isCompressed ? unzip(ranges()) : ranges(), limits) };
}

async function* unzip(compressed: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  // The stream of the pipeline throws its errors.
  const stream = pipeline(Readable.from(compressed), createGunzip(), () => {});
  try {
    yield* stream;
  } catch (error) {
    if (!`${(error as NodeJS.ErrnoException).code}`.startsWith('Z_')) throw error;
    throw new FileProblem('file_unreadable', 'The file is not valid gzip.');
  }
}

const newline = 10;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

async function* split(
  chunks: AsyncGenerator<Uint8Array>,
  { maxTextBytes, maxLineBytes, maxLines }: FileLimits,
): AsyncGenerator<FileLine> {
  let total = 0;
  let number = 1;
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array) => {
    length += part.length;
    if (length <= maxLineBytes) parts.push(part);
    else parts = [];
  };
  const take = (): FileLine | undefined => {
    const lineBytes = Buffer.concat(parts);
    const bytes = number === 1 && lineBytes.indexOf(byteOrderMark) === 0 ? lineBytes.subarray(3) : lineBytes;
    const isTooLong = length > maxLineBytes;
    const line = { number, bytes: isTooLong ? undefined : bytes };
    number += 1;
    parts = [];
    length = 0;
    return isTooLong || bytes.some((byte) => byte > 32) ? line : undefined;
  };
  const tooMany = () => new FileProblem('file_too_large', `The file has more than ${maxLines} lines.`);
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > maxTextBytes) {
      throw new FileProblem(
        'file_too_large',
        `The file has more than ${maxTextBytes} bytes without compression.`,
      );
    }
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      if (number > maxLines) throw tooMany();
      add(chunk.subarray(from, at));
      from = at + 1;
      const line = take();
      if (line) yield line;
    }
    // The chunk may be large, and its memory is not needed for the rest of a line.
    if (from < chunk.length) add(Buffer.from(chunk.subarray(from)));
  }
  if (number > maxLines && length > 0) throw tooMany();
  const line = take();
  if (line) yield line;
}
