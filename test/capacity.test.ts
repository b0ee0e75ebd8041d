/**
 * The budgets: what each endpoint asks of DynamoDB. The figures are those of docs/storage.md, row by row.
 */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { meter } from '../bench/meter.ts';
import { endpoints } from '../functions/index.ts';
import { openApi } from './support/api.ts';
import { sampleOf } from './support/samples.ts';

const document = readFileSync(resolve(import.meta.dirname, '../docs/storage.md'), 'utf8');

/** `| projects.create | with key | 2 | 2 | 2 |` */
const rows = [
  ...document.matchAll(/^\| `([\w.-]+)` \|\s*(\w*)\s*\| (\d+) \| ([\d.]+) \| ([\d.]+) \|$/gm),
].map(([, id = '', variant = '', ...figures]) => ({ id, variant, figures: figures.map(Number) }));

async function openMetered() {
  let metered = meter({} as never);
  const api = await openApi(({ client }) => {
    metered = meter(client);
    return { client: metered.client };
  });
  // The first use of a key in an hour is noted, which is no part of what an endpoint costs.
  await api.call('GET', '/api-keys/me');
  return { ...api, reset: () => metered.reset(), usage: () => metered.usage() };
}

test('the table has every endpoint', () => {
  expect([...new Set(rows.map(({ id }) => id))].sort()).toEqual(endpoints.map(({ id }) => id).sort());
});

describe.each(rows)('$id $variant', ({ id, variant, figures }) => {
  test(`costs ${figures.join(', ')}`, async () => {
    const endpoint = endpoints.find((candidate) => candidate.id === id);
    if (!endpoint) throw new Error(`there is no ${id}`);
    const api = await openMetered();
    await api.createProject();
    const { path, body } = await sampleOf(id, api);
    const options = { ...(body && { body }), ...(variant !== '' && { idempotencyKey: 'key' }) };
    if (variant === 'replayed') await api.call(endpoint.method, path, options);
    api.reset();
    const answer = await api.call(endpoint.method, path, options);
    expect(answer.status, answer.text).toBeLessThan(300);
    const { roundTrips, readUnits, writeUnits } = api.usage();
    expect([roundTrips, readUnits, writeUnits]).toEqual(figures);
  });
});

test('a list costs what it returns, not what is stored', async () => {
  const api = await openMetered();
  const { client, tableNames } = api.runtime;
  const cost = async () => {
    api.reset();
    const { data } = await api.call('GET', '/projects');
    expect(data.items).toHaveLength(25);
    return api.usage();
  };
  const fill = async (from: number, to: number) => {
    for (let start = from; start < to; start += 25) {
      const requests = Array.from({ length: 25 }, (_, index) => ({
        PutRequest: {
          Item: {
            tenant: `${api.organisationId}#live`,
            id: `proj_${String(start + index).padStart(26, '0')}`,
            name: 'p',
            description: null,
            metadata: {},
            status: 'active',
            createdAt: '2026-01-01T00:00:00.000Z',
            updatedAt: '2026-01-01T00:00:00.000Z',
            createdBy: 'key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
          },
        },
      }));
      await client.send(
        new BatchWriteCommand({ RequestItems: { [tableNames.projects as string]: requests } }),
      );
    }
  };
  await fill(0, 100);
  const few = await cost();
  await fill(100, 2000);
  expect(await cost()).toEqual(few);
});

test('deleted projects cost a list nothing', async () => {
  const api = await openMetered();
  const ids = await Promise.all(
    Array.from({ length: 30 }, () => api.createProject({ description: 'x'.repeat(1000) })),
  );
  await Promise.all(ids.map((id) => api.call('DELETE', `/projects/${id}`)));
  api.reset();
  await api.call('GET', '/projects');
  expect(api.usage().roundTrips).toBe(2);
  expect(api.usage().readUnits).toBeLessThanOrEqual(2);
});
