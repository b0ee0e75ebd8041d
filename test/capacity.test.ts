/**
 * The budgets: what each endpoint asks of DynamoDB. The figures are those of docs/storage.md, row by row.
 */

import { describe, expect, test } from 'vitest';
import { fillProjects } from '../bench/fill.ts';
import { meter } from '../bench/meter.ts';
import { readUnitRows } from '../bench/units.ts';
import { endpoints } from '../functions/index.ts';
import { openApi } from './support/api.ts';
import { sampleOf } from './support/samples.ts';

const rows = readUnitRows();

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

describe.each(rows)('$id $variant', ({ id, variant, ...figures }) => {
  test(`costs ${Object.values(figures).join(', ')}`, async () => {
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
    expect({ roundTrips, readUnits, writeUnits }).toEqual(figures);
  });
});

test('a list costs what it returns, not what is stored', async () => {
  const api = await openMetered();
  const cost = async () => {
    api.reset();
    const { data } = await api.call('GET', '/projects');
    expect(data.items).toHaveLength(25);
    return api.usage();
  };
  const tenant = `${api.organisationId}#live`;
  await fillProjects(api.runtime, { tenant, from: 0, to: 100 });
  const few = await cost();
  await fillProjects(api.runtime, { tenant, from: 100, to: 2000 });
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
