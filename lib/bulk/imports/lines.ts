/** The lines of an uploaded file, in bounded memory: read range by range. */

import type { Files } from '../../base/files.ts';

export type FileLimits = {
  /** The size of one read. */
  rangeBytes: number;
  /** The limit of the text of the file, without compression. */
  maxTextBytes: number;
  /** The size of a part of a compressed file, unpacked. */
  unpackedBytes: number;
  maxLineBytes: number;
  /** Blank lines count, too. */
  maxLines: number;
};

const megabyte = 1024 * 1024;
export const fileLimits: FileLimits = {
  rangeBytes: 4 * megabyte,
  maxTextBytes: 1024 * megabyte,
  unpackedBytes: 16 * megabyte,
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
  /** Where the line begins, and where the next one begins. */
  offset: number;
  next: number;
};

const firstLine: Start = { number: 1, offset: 0 };

export type OpenFile = { version: string; lines: AsyncGenerator<FileLine> };

/**
 * @param version the version of an earlier read; undefined for any
 * @param start a line, which may be the end of the file
 * @throws FileProblem also while the lines are read
 */
export async function openFile(
  files: Pick<Files, 'read'>,
  key: string,
  version: string | undefined,
  limits: FileLimits,
  start = firstLine,
): Promise<OpenFile> {
  const { bytes, ...file } = await openBytes(files, key, version, limits, start.offset);
  return { ...file, lines: split(bytes, start, limits) };
}

/** @throws FileProblem also while the bytes are read */
export async function openBytes(
  files: Pick<Files, 'read'>,
  key: string,
  version: string | undefined,
  { rangeBytes }: FileLimits,
  start = 0,
): Promise<{ version: string; bytes: AsyncGenerator<Uint8Array> }> {
  // The byte before a line is read with it: at the end of the file, there is no other.
  let position = Math.max(0, start - 1);
  const read = (from: number) => files.read(key, from, rangeBytes);
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
      yield part.bytes.subarray(Math.max(0, start - position));
      position += part.bytes.length;
      if (position >= part.size || part.bytes.length === 0) return;
      part = await read(position);
      if (!part) throw changed();
    }
  }
  return { version: expectedVersion, bytes: ranges() };
}

/** @throws FileProblem if there is more text than a file may have */
export function requireTextBytes(bytes: number, { maxTextBytes }: FileLimits): void {
  if (bytes <= maxTextBytes) return;
  throw new FileProblem(
    'file_too_large',
    `The file has more than ${maxTextBytes} bytes without compression.`,
  );
}

const newline = 10;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

async function* split(
  chunks: AsyncGenerator<Uint8Array>,
  start: Start,
  limits: FileLimits,
): AsyncGenerator<FileLine> {
  const { maxLineBytes, maxLines } = limits;
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
    const line = { number, bytes: isTooLong ? undefined : bytes, offset, next };
    number += 1;
    offset = next;
    parts = [];
    length = 0;
    return isTooLong || bytes.some((byte) => byte > 32) ? line : undefined;
  };
  const tooMany = () => new FileProblem('file_too_large', `The file has more than ${maxLines} lines.`);
  for await (const chunk of chunks) {
    total += chunk.length;
    requireTextBytes(total, limits);
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
