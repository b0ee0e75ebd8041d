/** Reads the list of the files in a ZIP archive, without unpacking them (APPNOTE 6.3.10, section 4.3). */

import { NotExtractable } from '../types.ts';

export type ZipEntry = {
  name: string;
  /** The size that the archive states, which may be a lie. */
  unpackedBytes: number;
};

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const endLength = 22;
const entryLength = 46;
const maxCommentLength = 0xffff;

/** @throws NotExtractable if the archive is broken */
export function zipEntries(file: Buffer): ZipEntry[] {
  const end = findEnd(file);
  const count = file.readUInt16LE(end + 10);
  const entries: ZipEntry[] = [];
  let at = file.readUInt32LE(end + 16);
  for (let number = 0; number < count; number += 1) {
    if (at + entryLength > file.length || file.readUInt32LE(at) !== entrySignature) throw broken();
    const nameLength = file.readUInt16LE(at + 28);
    const start = at + entryLength;
    entries.push({
      name: file.toString('utf8', start, start + nameLength),
      unpackedBytes: file.readUInt32LE(at + 24),
    });
    at = start + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return entries;
}

function findEnd(file: Buffer): number {
  const first = Math.max(0, file.length - endLength - maxCommentLength);
  for (let at = file.length - endLength; at >= first; at -= 1) {
    if (file.readUInt32LE(at) === endSignature) return at;
  }
  throw broken();
}

const broken = () => new NotExtractable('unreadable_file', 'The file is a broken ZIP archive.');
