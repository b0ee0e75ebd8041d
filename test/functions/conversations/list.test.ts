import { hash } from 'node:crypto';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inBatches, split } from '../../../lib/base/batches.ts';
import { minuteMs } from '../../../lib/base/time.ts';
import { type Json, openApi, type TestApi } from '../../../samples/api.ts';
import { responds } from '../../support/responses.ts';

const idsOf = (data: Json) => (data.items as { id: string }[]).map(({ id }) => id);
const avatar = (letter: string) => `avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4${letter}`;
const deployment = (letter: string) => `dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4${letter}`;
const hour = (n: number) => new Date(Date.parse('2026-03-01T00:00:00Z') + n * 3_600_000).toISOString();

async function openProject(settings: Json = {}) {
  const api = await openApi();
  const project = await api.createProject({ settings });
  const list = `/projects/${project}/conversations`;
  /** @returns the id of a new conversation */
  const make = async (body: Json) =>
    (await api.createConversation(body, project)).split('/').at(-1) as string;
  return { api, project, list, make };
}

/** @returns the ids of all pages */
async function pages(api: TestApi, list: string, query: string): Promise<string[][]> {
  const found: string[][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, text, data } = await api.call('GET', `${list}?${query}${cursor && `&cursor=${cursor}`}`);
    expect(status, text).toBe(200);
    found.push(idsOf(data));
    cursor = data.nextCursor as string | null;
  }
  return found;
}

describe('conversations.list', () => {
  responds(200, 'sorted by start, including imported conversations', async () => {
    const { api, list, make } = await openProject();
    const [second, first, third] = [
      await make({ startedAt: hour(2) }),
      await make({ startedAt: hour(1) }),
      await make({ startedAt: hour(3) }),
    ];
    const now = await make({});
    const later = await make({});
    expect(await pages(api, list, 'order=oldest')).toEqual([[first, second, third, now, later]]);
    expect(await pages(api, list, 'order=oldest&limit=2')).toEqual([[first, second], [third, now], [later]]);
    const response = await api.call('GET', list);
    expect(idsOf(response.data)).toEqual([later, now, third, second, first]);
    expect(response.data.nextCursor).toBeNull();
    const { data } = await api.call('GET', `${list}/${third}`);
    expect((response.data.items as Json[])[2]).toEqual(data);
    return response;
  });

  test('an externalId leads to its conversation, if the other filters match it', async () => {
    const { api, list, make } = await openProject();
    const id = await make({ externalId: 'call/1', channel: 'web', startedAt: hour(2) });
    await make({ externalId: 'call/2', channel: 'web' });
    const found = (query: string) => pages(api, list, `externalId=call%2F1${query}`);
    expect(await found('')).toEqual([[id]]);
    expect(await found(`&channel=web&status=active&startedFrom=${hour(2)}`)).toEqual([[id]]);
    for (const other of [
      'channel=phone',
      'status=ended',
      `startedFrom=${hour(3)}`,
      `startedBefore=${hour(2)}`,
    ]) {
      expect(await found(`&${other}`), other).toEqual([[]]);
    }
    expect(await pages(api, list, 'externalId=call')).toEqual([[]]);
  });

  test('a full last page ends the list, in both orders and with a filter', async () => {
    const { api, list, make } = await openProject();
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) ids.push(await make({ startedAt: hour(n), channel: 'web' }));
    const newest = ids.toReversed();
    for (const filter of ['', '&channel=web']) {
      expect(await pages(api, list, `limit=2${filter}`)).toEqual([newest.slice(0, 2), newest.slice(2)]);
      expect(await pages(api, list, `limit=2&order=oldest${filter}`)).toEqual([
        ids.slice(0, 2),
        ids.slice(2),
      ]);
      expect(await pages(api, list, `limit=100${filter}`)).toEqual([newest]);
    }
  });

  test('filters by start: startedFrom is inclusive, startedBefore and startedAfter are exclusive', {
    tags: ['long'],
  }, async () => {
    const { api, list, make } = await openProject();
    const ids = [];
    for (let n = 0; n < 3; n += 1) ids.push(await make({ startedAt: hour(n), tags: ['t'] }));
    for (const tag of ['', '&tag=t']) {
      expect(await pages(api, list, `startedAfter=${hour(1)}${tag}`)).toEqual([[ids[2]]]);
      expect(await pages(api, list, `startedFrom=${hour(1)}${tag}`)).toEqual([[ids[2], ids[1]]]);
      expect(await pages(api, list, `startedFrom=1950-01-01T00:00:00Z&startedBefore=${hour(1)}`)).toEqual([
        [ids[0]],
      ]);
      expect(await pages(api, list, `startedBefore=${hour(1)}${tag}`)).toEqual([[ids[0]]]);
      // Consecutive days: each conversation is in one of them.
      const days = [`startedFrom=${hour(0)}&startedBefore=${hour(1)}`, `startedFrom=${hour(1)}`];
      for (const [index, shown] of [[ids[0]], [ids[2], ids[1]]].entries()) {
        expect(await pages(api, list, `${days[index]}${tag}`)).toEqual([shown]);
      }
      const between = `startedAfter=${hour(0)}&startedBefore=${hour(2)}`;
      expect(await pages(api, list, between + tag)).toEqual([[ids[1]]]);
      expect(await pages(api, list, `startedAfter=${hour(2)}&startedBefore=${hour(0)}${tag}`)).toEqual([[]]);
      expect(await pages(api, list, `startedAfter=9999-12-31T23:59:59Z${tag}`)).toEqual([[]]);
      expect(await pages(api, list, `startedBefore=1950-01-01T00:00:00Z${tag}`)).toEqual([[]]);
    }
  });

  test('any combination of filters returns what a plain scan returns, with any page size', {
    tags: ['long'],
  }, async () => {
    const { api, list } = await openProject();
    const value = <Value>(...values: Value[]) => fc.constantFrom(...values);
    const made = fc.record({
      avatarId: value(avatar('A'), avatar('B')),
      externalUserId: value(null, 'u1', 'u2'),
      channel: value(null, 'web', 'phone'),
      deploymentId: value(null, deployment('A'), deployment('B')),
      tags: value([], ['x'], ['y'], ['x', 'y'], ['x#y']),
      ended: fc.boolean(),
    });
    // Sampled once, without shrinking: one set of conversations and many queries.
    const crowd = fc.sample(made, { numRuns: 40, seed: 1 });
    const all: Json[] = [];
    for (const [n, { ended, ...body }] of crowd.entries()) {
      // Some start in the same millisecond.
      const startedAt = hour(n >> 1);
      const { data } = await api.call('POST', list, { body: { ...body, startedAt } });
      if (ended) await api.call('POST', `${list}/${data.id}/end`, { body: { reason: 'completed' } });
      all.push({ ...body, startedAt, id: data.id, status: ended ? 'ended' : 'active' });
    }
    all.sort((a, b) => ((a.id as string) < (b.id as string) ? -1 : 1));
    const optional = { requiredKeys: [] };
    const query = fc.record(
      {
        avatarId: value(avatar('A'), avatar('B')),
        externalUserId: value('u1', 'u2'),
        channel: value('web', 'phone', 'fax'),
        deploymentId: value(deployment('A'), deployment('B')),
        tag: value('x', 'y', 'x#y'),
        status: value('active', 'ended'),
        startedFrom: fc.nat(20).map(hour),
        startedAfter: fc.nat(20).map(hour),
        startedBefore: fc.nat(20).map(hour),
        order: value('newest', 'oldest'),
      },
      optional,
    );
    await fc.assert(
      fc.asyncProperty(query, fc.integer({ min: 1, max: 30 }), async (filters, limit) => {
        const { tag, startedFrom, startedAfter, startedBefore, order, ...equal } = filters;
        fc.pre(startedFrom === undefined || startedAfter === undefined);
        const wanted = all
          .filter((one) => Object.entries(equal).every(([name, is]) => one[name] === is))
          .filter(({ tags }) => tag === undefined || (tags as string[]).includes(tag))
          .filter(({ startedAt }) => startedFrom === undefined || (startedAt as string) >= startedFrom)
          .filter(({ startedAt }) => startedAfter === undefined || (startedAt as string) > startedAfter)
          .filter(({ startedAt }) => startedBefore === undefined || (startedAt as string) < startedBefore)
          .map(({ id }) => id);
        if (order !== 'oldest') wanted.reverse();
        const search = new URLSearchParams({ ...filters, limit: String(limit) });
        const found = await pages(api, list, search.toString());
        expect(found.flat()).toEqual(wanted);
        for (const page of found.slice(0, -1)) expect(page).toHaveLength(limit);
      }),
      { numRuns: 150 },
    );
  });

  test('the status filter agrees with GET, even right after a timeout', async () => {
    const { api, list, make } = await openProject({ conversationTimeoutMinutes: 5 });
    const old = await make({ channel: 'web' });
    api.advance(3 * minuteMs);
    const recent = await make({ channel: 'web' });
    api.advance(2 * minuteMs);
    for (const filter of ['', '&channel=web']) {
      expect(await pages(api, list, `status=ended${filter}`)).toEqual([[old]]);
      expect(await pages(api, list, `status=active${filter}`)).toEqual([[recent]]);
    }
    const { data } = await api.call('GET', list);
    for (const item of data.items as Json[]) {
      expect(item).toEqual((await api.call('GET', `${list}/${item.id}`)).data);
    }
  });

  test('a cursor works only with its filters, order and project', async () => {
    const { api, list, make } = await openProject();
    for (let n = 0; n < 3; n += 1) await make({ channel: 'web' });
    const { data } = await api.call('GET', `${list}?limit=1`);
    const cursor = data.nextCursor as string;
    const other = `/projects/${await api.createProject()}/conversations`;
    const refused = [
      await api.call('GET', `${list}?order=oldest&cursor=${cursor}`),
      await api.call('GET', `${list}?channel=web&cursor=${cursor}`),
      await api.call('GET', `${list}?status=active&cursor=${cursor}`),
      await api.call('GET', `${other}?cursor=${cursor}`),
    ];
    for (const { error } of refused) expect(error.details?.map(({ path }) => path)).toEqual(['cursor']);
    for (const query of ['', 'limit=2&', 'order=newest&']) {
      expect((await api.call('GET', `${list}?${query}cursor=${cursor}`)).status).toBe(200);
    }
  });

  test('with a sparse filter, a page reads a limited number of items and the cursor continues', {
    tags: ['long'],
  }, async () => {
    const { api, project, list, make } = await openProject();
    const known = await make({ startedAt: '2020-01-01T00:00:00Z', channel: 'web' });
    await api.call('POST', `${list}/${known}/end`, { body: { reason: 'completed' } });
    await copyMany(api, project, (await api.call('GET', `${list}/${known}`)).data, 1200);
    for (const filter of ['', '&channel=web']) {
      const found = await pages(api, list, `status=active&order=oldest${filter}`);
      expect(found.map((ids) => ids.length)).toEqual([0, 0]);
      expect((await pages(api, list, `limit=100${filter}`)).map((ids) => ids.length)).toEqual([
        ...Array.from({ length: 12 }, () => 100),
        1,
      ]);
      // A page costs what it returns. An empty page costs at most its limit.
      await api.call('GET', `${list}?limit=25${filter}`);
      expect(api.requestLines().at(-1)?.readUnits).toBeLessThan(35);
      await api.call('GET', `${list}?limit=25&status=active${filter}`);
      expect(api.requestLines().at(-1)?.readUnits).toBeLessThan(1100);
    }
  });

  test.each([
    'order=random',
    'tag=',
    'channel=',
    'avatarId=x',
    'deploymentId=x',
    'status=timeout',
    'startedAfter=yesterday',
    'startedAfter=2026-01-01T00:00:00Z&startedFrom=2026-01-01T00:00:00Z',
    'startedFrom=2026-01-01',
    'createdAfter=2026-01-01T00:00:00Z',
  ])('400 validation_error: ?%s', async (query) => {
    const { api, list } = await openProject();
    const { error } = await api.call('GET', `${list}?${query}`);
    expect(error.details?.map(({ path }) => path)).toEqual([query.split('=')[0]]);
  });
});

/** Stores copies of a conversation and of its index entry for the channel, directly in the tables. */
async function copyMany({ runtime, organisationId }: TestApi, project: string, shown: Json, count: number) {
  const table = runtime.tableNames.conversations as string;
  const tenant = `${organisationId}#live#${project}`;
  const entryTenant = `${tenant}#by#channel#${hash('sha256', 'web', 'base64url')}`;
  const items = Array.from({ length: count }, (_, n) => {
    const id = `conv_01${String(n).padStart(24, '0')}`;
    return [
      { ...shown, id, tenant, timesOutAt: shown.startedAt },
      { id, tenant: entryTenant, channel: 'web' },
    ];
  }).flat();
  const requests = items.map((Item) => ({ PutRequest: { Item } }));
  await inBatches(split(requests, 25), 8, (batch) =>
    runtime.client.send(new BatchWriteCommand({ RequestItems: { [table]: batch } })),
  );
}
