/** The DynamoDB usage of each endpoint: measured, and read from docs/storage.md, where `npm run generate` writes it. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { endpoints } from '../functions/index.ts';
import { openApi } from '../samples/api.ts';
import { sampleOf } from '../samples/samples.ts';
import { table } from '../scripts/shared/markdown.ts';
import { root } from '../scripts/shared/root.ts';
import { meter } from './meter.ts';

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

/** @returns the API of a new organisation, and what its requests use */
export async function openMetered() {
  let metered: ReturnType<typeof meter> | undefined;
  const api = await openApi(({ client }) => {
    metered = meter(client);
    return { client: metered.client };
  });
  if (!metered) throw new Error('the API has taken no client');
  const { reset, usage } = metered;
  // The first use of a key in an hour is noted, which is no part of what an endpoint costs.
  await api.call('GET', '/api-keys/me');
  return { ...api, reset, usage };
}

/** @returns a row for each endpoint, and three for each that takes an Idempotency-Key. Needs the tables of a test */
export async function measureUnits(): Promise<UnitRow[]> {
  const rows: UnitRow[] = [];
  for (const { id, method, idempotent } of endpoints) {
    for (const variant of idempotent ? ['', 'new', 'replayed'] : ['']) {
      const api = await openMetered();
      await api.createProject();
      const { path, body, key } = await sampleOf(id, api);
      const options = {
        ...(body && { body }),
        ...(key && { key }),
        ...(variant !== '' && { idempotencyKey: 'key' }),
      };
      if (variant === 'replayed') await api.call(method, path, options);
      api.reset();
      const { status, text } = await api.call(method, path, options);
      if (status >= 300) throw new Error(`${method} ${path}: ${text}`);
      const { roundTrips, readUnits, writeUnits } = api.usage();
      rows.push({ id, variant, roundTrips, readUnits, writeUnits });
    }
  }
  return rows;
}

export const unitTable = (rows: readonly UnitRow[]): string =>
  table(
    ['endpoint', 'Idempotency-Key', 'round trips', 'read units', 'write units'],
    rows.map(({ id, variant, ...figures }) => [`\`${id}\``, variant, ...Object.values(figures)]),
  );
