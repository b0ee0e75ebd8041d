/** Whether a font of a PDF may have soft hyphens: the library leaves them out of the text. */

import { inflated } from './inflate.ts';

/** The map of a font from its glyphs to characters begins so ("ToUnicode Mapping File Tutorial"). */
const mapStart = '/CIDInit';
const softHyphen = /<00AD>|<00ad>/;
const maxMap = 1024 ** 2;
const maxStreams = 50_000;

/** @param file whose maps are packed in the usual way, or not packed. Maps that are packed in another way are not found */
export function mayHaveSoftHyphens(file: Buffer): boolean {
  let at = 0;
  for (let streams = 0; streams < maxStreams; streams += 1) {
    const start = file.indexOf('stream', at);
    if (start === -1) return false;
    at = start + 'stream'.length;
    // `endstream` has the word, too.
    if (file[start - 1] === 0x64) continue;
    while (file[at] === 0x0d || file[at] === 0x0a) at += 1;
    const packed = isPacked(file, at);
    const beginning = packed ? unpack(file.subarray(at, at + 128)) : file.toString('latin1', at, at + 64);
    if (!beginning.trimStart().startsWith(mapStart)) continue;
    const end = file.indexOf('endstream', at);
    const map = file.subarray(at, end === -1 ? at + maxMap : Math.min(end, at + maxMap));
    if (softHyphen.test(packed ? unpack(map) : map.toString('latin1'))) return true;
  }
  return false;
}

/** RFC 1950, section 2.2. */
const isPacked = (file: Buffer, at: number): boolean =>
  file[at] === 0x78 ||
  (file[at] === 0x48 && file[at + 1] === 0x89) ||
  (file[at] === 0x68 && file[at + 1] === 0x81);

const unpack = (bytes: Buffer): string => inflated(bytes, { maxOutputLength: maxMap, chunkSize: 1024 });
