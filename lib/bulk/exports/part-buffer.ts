/** Collects lines, compressed. */

import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import type { Line } from './records.ts';

export type PartContent = {
  bytes: Uint8Array;
  /** The lowest and the highest id, and all of them. */
  ids: { first: string; last: string; all: ReadonlySet<string> };
  records: number;
  position: string;
  /** When the first of the records expires; infinite if no record expires. */
  expiresAtMs: number;
};

/**
 * @param maxBytes the size of the text. The line that reaches this size is the last line
 * @param between is called after each line, and may throw to stop
 * @returns the next lines as one gzip file, and whether these were the last lines; undefined if there are no lines
 */
export async function collect(
  lines: AsyncGenerator<Line>,
  maxBytes: number,
  between: () => void,
): Promise<(PartContent & { isLast: boolean }) | undefined> {
  const gzip = createGzip();
  const chunks: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => void chunks.push(chunk));
  const all = new Set<string>();
  let [bytes, records, position, isLast] = [0, 0, '', false];
  let expiresAtMs = Number.POSITIVE_INFINITY;
  while (bytes < maxBytes) {
    const { done, value: line } = await lines.next();
    if (done) {
      isLast = true;
      break;
    }
    if (!gzip.write(`${line.text}\n`)) await once(gzip, 'drain');
    bytes += Buffer.byteLength(line.text) + 1;
    all.add(line.id);
    if (line.isFirst) records += 1;
    position = line.position;
    expiresAtMs = Math.min(expiresAtMs, line.expiresAtMs ?? Number.POSITIVE_INFINITY);
    between();
  }
  gzip.end();
  await once(gzip, 'end');
  if (all.size === 0) return undefined;
  let [first = '', last = ''] = all;
  last ||= first;
  for (const id of all) {
    if (id < first) first = id;
    if (id > last) last = id;
  }
  return { bytes: Buffer.concat(chunks), ids: { first, last, all }, records, position, expiresAtMs, isLast };
}
