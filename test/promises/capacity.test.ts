/** The costs in docs/storage.md, except the table that `npm run generate` measures. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { fillProjects } from '../../bench/fill.ts';
import { openMetered } from '../../measures/units.ts';
import { root } from '../../scripts/shared/root.ts';
import { noise } from '../support/knowledge.ts';

test('both secrets of a rotated key cost what one costs', async () => {
  const api = await openMetered();
  const { id, secret } = await api.createKey();
  const cost = async (key: unknown) => {
    api.reset();
    expect((await api.call('GET', '/api-keys/me', { key: String(key) })).status).toBe(200);
    return api.usage();
  };
  // Its first use is noted.
  await cost(secret);
  const before = await cost(secret);
  const { data } = await api.call('POST', `/api-keys/${id}/rotate`, { body: {} });
  expect([await cost(secret), await cost(data.secret)]).toEqual([before, before]);
});

test('a list costs what it returns, not what is stored', { tags: ['long'] }, async () => {
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

test('a document by its externalId costs what storage.md says, whatever its size', async () => {
  const api = await openMetered();
  const path = `/projects/${await api.createProject()}/knowledge/documents`;
  const put = async (body: object) => {
    api.reset();
    const response = await api.call('PUT', `${path}/by-external-id/a`, { body: { title: 't', ...body } });
    expect(response.status, response.text).toBeLessThan(300);
    const { roundTrips, readUnits, writeUnits } = api.usage();
    return [roundTrips, readUnits, writeUnits];
  };
  await put({ content: 'c' });
  expect(await put({ content: 'c' })).toEqual([3, 5, 0]);
  expect(await put({ content: 'c', tags: ['a'] })).toEqual([4, 5, 1]);
  expect(await put({ content: 'x' })).toEqual([4, 5, 4]);
  const content = noise(200 * 1024);
  const [, , units] = await put({ content });
  // 200 KB of base 64 are 150 KB of chance.
  expect(units).toBeGreaterThan(2 * 150);
  expect(units).toBeLessThan(2 * 156);
  expect(await put({ content, tags: ['b'] })).toEqual([4, 5, 1]);
  expect(await put({ content, tags: ['b'] })).toEqual([3, 5, 0]);
  api.reset();
  await api.call('GET', path);
  expect(api.usage().readUnits).toBe(4);
});

test('deleted projects add nothing to the cost of a list', async () => {
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

test('an avatar costs what storage.md says by the length of its prompt', async () => {
  const api = await openMetered();
  const path = `/projects/${await api.createProject()}/avatars`;
  const unitsOf = async (prompt: string) => {
    api.reset();
    const created = await api.call('POST', path, { body: { name: 'a', persona: { prompt } } });
    expect(created.status, created.text).toBe(201);
    const { writeUnits } = api.usage();
    api.reset();
    await api.call('GET', `${path}/${created.data.id}`);
    return { writeUnits, readUnits: api.usage().readUnits };
  };
  const [short, long] = [await unitsOf('p'), await unitsOf('p'.repeat(32_000))];
  const read = 1 + long.readUnits - short.readUnits;
  expect(readFileSync(resolve(root, 'docs/storage.md'), 'utf8').replace(/\s+/g, ' ')).toContain(
    `Reading an avatar with a prompt of 32,000 characters costs ${read} units. Writing this avatar, with its version, costs ${long.writeUnits} units.`,
  );
});
