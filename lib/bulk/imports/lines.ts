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

/** The number of a line, and the byte of the file at which it begins. */
export type Start = { number: number; offset: number };

/** A line that is not blank. */
export type FileLine = {
  number: number;
  /** Undefined if the line is too long. */
  bytes: Buffer | undefined;
  /** Where the line begins, and where the next one begins. Undefined in a compressed file, which is only read from its start. */
  offset: number | undefined;
  next: number | undefined;
};

const firstLine: Start = { number: 1, offset: 0 };

export type OpenFile = { version: string; lines: AsyncGenerator<FileLine> };

/**
 * @param version the version of an earlier read; undefined for any
 * @param start a line of a plain file, which may be the end of the file
 * @throws FileProblem also while the lines are read
 */
export async function openFile(
  files: Pick<Files, 'read'>,
  key: string,
  version: string | undefined,
  limits: FileLimits,
  start = firstLine,
): Promise<OpenFile> {
  // The byte before a line is read with it: at the end of the file, there is no other.
  let position = Math.max(0, start.offset - 1);
  const read = (from: number) => files.read(key, from, limits.rangeBytes);
  const changed = () => new FileProblem('file_changed', 'The file was uploaded again during the import.');
  const first = await read(position);
  // Another version may be shorter.
  if (!first && position > 0 && (await read(0))) throw changed();
  if (!first) throw new FileProblem('file_missing', 'No file was uploaded, or it is empty.');
  const expectedVersion = version ?? first.version;
  if (first.version !== expectedVersion) throw changed();

  async function* ranges(): AsyncGenerator<Uint8Array> {
    for (let part = first; part; ) {
      if (part.version !== expectedVersion) throw changed();
      yield part.bytes.subarray(Math.max(0, start.offset - position));
      position += part.bytes.length;
      if (position >= part.size || part.bytes.length === 0) return;
      part = await read(position);
      if (!part) throw changed();
    }
  }
  const [firstByte, secondByte] = first.bytes;
  const isPlain = start.offset > 0 || firstByte !== 0x1f || secondByte !== 0x8b;
  const chunks = isPlain ? ranges() : unzip(ranges());
  return { version: expectedVersion, lines: split(chunks, start, isPlain, limits) };
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
  start: Start,
  isPlain: boolean,
  { maxTextBytes, maxLineBytes, maxLines }: FileLimits,
): AsyncGenerator<FileLine> {
  let { number, offset } = start;
  let total = offset;
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array) => {
    length += part.length;
    if (length <= maxLineBytes) parts.push(part);
    else parts = [];
  };
  const take = (next: number): FileLine | undefined => {
    const lineBytes = Buffer.concat(parts);
    const bytes = number === 1 && lineBytes.indexOf(byteOrderMark) === 0 ? lineBytes.subarray(3) : lineBytes;
    const isTooLong = length > maxLineBytes;
    const place = isPlain ? { offset, next } : { offset: undefined, next: undefined };
    const line = { number, bytes: isTooLong ? undefined : bytes, ...place };
    number += 1;
    offset = next;
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
      const line = take(total - chunk.length + from);
      if (line) yield line;
    }
    // The chunk may be large, and its memory is not needed for the rest of a line.
    if (from < chunk.length) add(Buffer.from(chunk.subarray(from)));
  }
  if (number > maxLines && length > 0) throw tooMany();
  const line = take(total);
  if (line) yield line;
}
