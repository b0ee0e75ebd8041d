/** Collects lines, compressed. */

import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import type { Gap, Line } from './records.ts';

export type PartContent = {
  bytes: Uint8Array;
  /** The lowest and the highest id, and all of them. */
  ids: { first: string; last: string; all: ReadonlySet<string> };
  records: number;
  /** When the first of the records expires; infinite if no record expires. */
  expiresAtMs: number;
};

export type Collected = {
  /** Undefined if there are no lines up to the position. */
  part: PartContent | undefined;
  position: string;
  /** Whether there is nothing after it. */
  isLast: boolean;
};

/**
 * @param maxBytes the size of the text. The line that reaches this size is the last line
 * @param isOver whether the part ends, although it is smaller
 * @returns the next lines as one gzip file
 */
export async function collect(
  lines: AsyncGenerator<Line | Gap>,
  maxBytes: number,
  isOver: () => boolean,
): Promise<Collected> {
  const gzip = createGzip();
  const chunks: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => void chunks.push(chunk));
  const all = new Set<string>();
  let [bytes, records, position, isLast] = [0, 0, '', false];
  let expiresAtMs = Number.POSITIVE_INFINITY;
  while (bytes < maxBytes && !(position !== '' && isOver())) {
    const { done, value: line } = await lines.next();
    if (done) {
      isLast = true;
      break;
    }
    position = line.position;
    if (!('text' in line)) continue;
    if (!gzip.write(`${line.text}\n`)) await once(gzip, 'drain');
    bytes += Buffer.byteLength(line.text) + 1;
    all.add(line.id);
    if (line.isFirst) records += 1;
    expiresAtMs = Math.min(expiresAtMs, line.expiresAtMs ?? Number.POSITIVE_INFINITY);
  }
  gzip.end();
  await once(gzip, 'end');
  if (all.size === 0) return { part: undefined, position, isLast };
  let [first = '', last = ''] = all;
  last ||= first;
  for (const id of all) {
    if (id < first) first = id;
    if (id > last) last = id;
  }
  const part = { bytes: Buffer.concat(chunks), ids: { first, last, all }, records, expiresAtMs };
  return { part, position, isLast };
}
