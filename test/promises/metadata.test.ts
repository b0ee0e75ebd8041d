/** The metadata of every resource, at its limits and above. */

import { describe, expect, test } from 'vitest';
import type { TableName } from '../../lib/dynamodb/tables.ts';
import { type Json, storedOf } from '../../samples/api.ts';
import { deliverNotices, noticesOf } from '../../samples/lambda-queue.ts';
import { avatarBody } from '../../samples/samples.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import eventWriter from '../../workers/event-writer.ts';
import { openProject } from '../support/avatars.ts';
import { eventsOf } from '../support/events.ts';
import { exportNow, linesOf } from '../support/exports.ts';

const pairs = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}`.padEnd(40, 'n'), value]));

/** 16 KB together, with values of 2,000 characters. */
const largest = { ...pairs(7, 'x'.repeat(2000)), [`last${'é'.repeat(36)}`]: 'é'.repeat(1014) };
const earlier = pairs(50, '😀'.repeat(500));

const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';

/** By resource: its table, the list below the project (undefined for projects), and what else a body has. */
const resources: [string, TableName, string | undefined, Json][] = [
  ['projects', 'projects', undefined, { name: 'p' }],
  ['avatars', 'avatars', '/avatars', avatarBody],
  ['documents', 'knowledge', '/knowledge/documents', { title: 't', content: 'c' }],
  ['conversations', 'conversations', '/conversations', { avatarId }],
];

/** Everything is in one part. */
const wholePart = { maxPartBytes: 1e7, maxParts: 100 };

describe.each(resources)('of %s', (_, table, list, body) => {
  const open = async () => {
    const api = await openProject();
    const path = list === undefined ? '/projects' : `/projects/${api.projectId}${list}`;
    return {
      ...api,
      path,
      create: (metadata: Json) => api.call('POST', path, { body: { ...body, metadata } }),
    };
  };

  test('16 KB with long values come back, and so does what earlier versions have accepted', async () => {
    const { call, path, create } = await open();
    expect(Buffer.byteLength(Object.entries(largest).flat().join(''))).toBe(16 * 1024);
    for (const metadata of [largest, earlier]) {
      const { status, text, data } = await create(metadata);
      expect(status, text.slice(0, 500)).toBe(201);
      expect((await call('GET', `${path}/${data.id}`)).data.metadata).toEqual(metadata);
      expect((await call('GET', path)).data.items).toContainEqual(expect.objectContaining({ metadata }));
      const update = { metadata: { ...metadata, more: '' } };
      const changed = await call('PATCH', `${path}/${data.id}`, { body: update });
      expect(changed.status).toBe(400);
      expect((await call('PATCH', `${path}/${data.id}`, { body: { metadata: largest } })).status).toBe(200);
    }
  });

  test('they come back from a PUT by your own id, in its event, and in an export', async () => {
    const { path, ...api } = await open();
    const { call, runtime } = api;
    const exported = ['documents', 'conversations'].find((what) => list?.endsWith(what));
    const values = {
      largest,
      earlier,
      'one byte of UTF-8, and six of JSON': pairs(50, '\u0001'.repeat(500)),
    };
    for (const [externalId, metadata] of Object.entries(values)) {
      const url = `${path}/by-external-id/${encodeURIComponent(externalId)}`;
      const { status, text, data } = await call('PUT', url, { body: { ...body, metadata } });
      expect(status, text.slice(0, 500)).toBe(201);
      const { outcome, ...resources } = data;
      expect([outcome, Object.values(resources)]).toEqual([
        'created',
        [expect.objectContaining({ metadata })],
      ]);
      const unchanged = await call('PUT', url, { body: { ...body, metadata } });
      expect(unchanged.data.outcome).toBe('unchanged');
    }
    const stored = (await storedOf(api, table)).filter((item) => 'metadata' in item);
    await deliverNotices(
      runtime,
      eventWriter,
      noticesOf(
        eventWriter,
        stored.map((item) => changeRecord(undefined, item)),
        table,
      ),
    );
    if (exported !== undefined) {
      const lines = await linesOf(api, await exportNow(api, api.projectId, { what: exported }, wholePart));
      expect(lines.map((line) => line.metadata)).toEqual(expect.arrayContaining(Object.values(values)));
    }
    const events = (await eventsOf({ call })).map(({ data }) => data.metadata);
    expect(events).toEqual(expect.arrayContaining(Object.values(values)));
  });

  test.each([
    ['16 KB and a byte', { ...largest, ['0'.padEnd(40, 'n')]: 'x'.repeat(2000), b: '' }, 'metadata'],
    ['a value of 2,001 characters', { k: 'x'.repeat(2001) }, 'metadata.k'],
    ['51 pairs', pairs(51, ''), 'metadata'],
    ['half of a surrogate pair', { k: '\ud800' }, 'metadata.k'],
  ])('%s are refused', async (__, metadata, path) => {
    const { create } = await open();
    const { status, error } = await create(metadata);
    expect(status).toBe(400);
    expect(error.details?.map((detail) => detail.path)).toEqual([path]);
  });
});
