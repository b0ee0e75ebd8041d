/** Growth: a page of 25 projects out of 100, and out of 100 000. */

import { bootstrapOrganisation } from '../lib/credentials/bootstrap.ts';
import { fillProjects } from './fill.ts';
import type { Bench } from './service.ts';
import { median, ms, progress, table } from './statistics.ts';

const sizes = [100, 100_000];

export async function growth(bench: Bench): Promise<string> {
  const { secret: key, organisationId } = await bootstrapOrganisation(bench.runtime, 'Growth', 'live');
  await bench.send('GET', '/projects', { key });
  const rows = [];
  let stored = 0;
  for (const size of sizes) {
    await fillProjects(bench.runtime, {
      tenant: `${organisationId}#live`,
      from: stored,
      to: size,
      progress: (done) =>
        progress(`growth: ${done.toLocaleString('en')} of ${size.toLocaleString('en')} projects`),
    });
    stored = size;
    for (const [name, path] of [
      ['first page', '/projects?limit=25'],
      ['page in the middle', await middle(bench, key, size)],
      ['by status', '/projects?limit=25&status=active'],
    ] as const) {
      const times: number[] = [];
      let usage = await bench.usageOf(() => bench.send('GET', path, { key }));
      for (let index = 0; index < 30; index += 1) {
        const begun = performance.now();
        usage = await bench.usageOf(() => bench.send('GET', path, { key }));
        times.push(performance.now() - begun);
      }
      rows.push([size.toLocaleString('en'), name, usage.roundTrips, usage.readUnits, ms(median(times))]);
    }
  }
  return table(['projects', '25 of them', 'round trips', 'read units', 'time'], rows);
}

/** @returns the path of a later page */
async function middle(bench: Bench, key: string, size: number): Promise<string> {
  let cursor = '';
  for (let page = 0; page < Math.min(size / 200, 20); page += 1) {
    const { data } = await bench.send('GET', `/projects?limit=100${cursor && `&cursor=${cursor}`}`, { key });
    if (data.nextCursor === null) break;
    cursor = data.nextCursor as string;
  }
  return cursor === '' ? '/projects?limit=25' : `/projects?limit=25&cursor=${cursor}`;
}
