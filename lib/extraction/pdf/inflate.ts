/** Unpacks the streams of a PDF. */

import { constants, inflateSync } from 'node:zlib';

/** @returns the beginning of a stream without an end, too; empty if the stream is packed in another way, or is larger than the limit */
export function inflated(bytes: Buffer, limit: { maxOutputLength: number; chunkSize?: number }): string {
  try {
    return inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, ...limit }).toString('latin1');
  } catch {
    return '';
  }
}
