/** The DynamoDB usage of each endpoint, read from docs/storage.md. test/promises/capacity.test.ts checks that table. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from '../scripts/shared/root.ts';

/** `variant` is the kind of Idempotency-Key: none (empty), `new` or `replayed`. */
export type UnitRow = {
  id: string;
  variant: string;
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
};

/** `| projects.create | new | 2 | 2 | 4 |` */
const row = /^\| `([\w.-]+)` \|\s*(\w*)\s*\| (\d+) \| ([\d.]+) \| ([\d.]+) \|$/gm;

export function readUnitRows(): UnitRow[] {
  const text = readFileSync(resolve(root, 'docs/storage.md'), 'utf8');
  return [...text.matchAll(row)].map(([, id = '', variant = '', ...figures]) => {
    const [roundTrips = 0, readUnits = 0, writeUnits = 0] = figures.map(Number);
    return { id, variant, roundTrips, readUnits, writeUnits };
  });
}
