/** Growth: a page of 25 projects, of 100 and of 100 000. */

import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Bench } from './service.ts';
import { median, ms, progress, table } from './statistics.ts';

const sizes = [100, 100_000];
const inParallel = 8;

export async function growth(bench: Bench): Promise<string> {
  const { secret: key, organisationId } = await (await import('../lib/bootstrap.ts')).bootstrapOrganisation(
    bench.runtime,
    'Growth',
    'live',
  );
  await bench.send('GET', '/projects', { key });
  const rows = [];
  let stored = 0;
  for (const size of sizes) {
    await fill(bench, `${organisationId}#live`, stored, size);
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

const idOf = (index: number) => `proj_01${String(index).padStart(24, '0')}`;

async function fill(bench: Bench, tenant: string, from: number, to: number): Promise<void> {
  const { client, tableNames } = bench.runtime;
  const batch = (start: number) =>
    Array.from({ length: Math.min(25, to - start) }, (_, index) => ({
      PutRequest: {
        Item: {
          tenant,
          id: idOf(start + index),
          name: `Project ${start + index}`,
          description: null,
          metadata: {},
          status: 'active',
          createdAt: '2026-01-01T00:00:00.000Z',
          updatedAt: '2026-01-01T00:00:00.000Z',
          createdBy: 'key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
        },
      },
    }));
  for (let start = from; start < to; start += 25 * inParallel) {
    progress(`growth: ${start.toLocaleString('en')} of ${to.toLocaleString('en')} projects`);
    const starts = Array.from({ length: inParallel }, (_, index) => start + 25 * index);
    await Promise.all(
      starts
        .filter((at) => at < to)
        .map((at) =>
          client.send(
            new BatchWriteCommand({ RequestItems: { [tableNames.projects as string]: batch(at) } }),
          ),
        ),
    );
  }
}

/** @returns the path of a page half way down */
async function middle(bench: Bench, key: string, size: number): Promise<string> {
  let cursor = '';
  for (let page = 0; page < Math.min(size / 200, 20); page += 1) {
    const { data } = await bench.send('GET', `/projects?limit=100${cursor && `&cursor=${cursor}`}`, { key });
    if (data.nextCursor === null) break;
    cursor = data.nextCursor as string;
  }
  return cursor === '' ? '/projects?limit=25' : `/projects?limit=25&cursor=${cursor}`;
}
