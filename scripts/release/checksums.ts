/** SHA256SUMS, as `sha256sum --check` reads it. */

import { createHash } from 'node:crypto';

/** @param files the bytes of each file by its name */
export const checksums = (files: Readonly<Record<string, Uint8Array>>): string =>
  Object.entries(files)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`)
    .join('');
