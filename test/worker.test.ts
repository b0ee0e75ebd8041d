/** Workers behind the streams of DynamoDB Local. */

import type { DynamoDBRecord } from 'aws-lambda';
import { afterEach, expect, inject, test } from 'vitest';
import type { Change } from '../lib/change.ts';
import { createWorkerHandler, type Worker, type WorkerInput } from '../lib/worker.ts';
import { followStreams } from '../scripts/local/streams.ts';
import { openApi, type TestApi } from './support/api.ts';

const worker = (handle: Worker['handle'], wakes: Worker['wakes']): Worker => ({
  id: 'test-worker',
  summary: 'A worker of the tests.',
  source: 'projects',
  wakes,
  access: { projects: ['GetItem', 'UpdateItem'] },
  memoryMb: 512,
  timeoutSeconds: 60,
  batchSize: 10,
  loses: 'Nothing.',
  handle,
});

const created = { on: ['INSERT'], idPrefix: 'proj_' } as const;
const opened: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ stop }) => stop()));
});

async function follow(api: TestApi, handle: Worker['handle'], wakes: Worker['wakes'] = created) {
  const followers = await followStreams([worker(handle, wakes)], api.runtime, {
    endpoint: inject('dynamodbEndpoint'),
    from: 'LATEST',
    only: (tenant) => tenant.startsWith(api.organisationId),
  });
  opened.push(followers);
  return followers;
}

test('a worker gets every change that it asks for, in order, with both images', async () => {
  const api = await openApi();
  const changes: Change[] = [];
  const { settled } = await follow(api, async (change) => void changes.push(change), {
    on: ['INSERT', 'MODIFY'],
    idPrefix: 'proj_',
  });
  const id = await api.createProject({ name: 'one' });
  await api.call('PATCH', `/projects/${id}`, { body: { name: 'two' } });
  await api.call('DELETE', `/projects/${id}`);
  await settled();
  const tenant = `${api.organisationId}#live`;
  expect(changes).toMatchObject([
    { kind: 'INSERT', tenant, within: [], id, before: undefined, after: { name: 'one' } },
    { kind: 'MODIFY', tenant, within: [], id, before: { name: 'one' }, after: { name: 'two' } },
    { kind: 'INSERT', tenant, within: ['deleted'], id },
  ]);
});

test('a change that failed comes again, and those before it do not', async () => {
  const api = await openApi();
  const seen: unknown[] = [];
  let failures = 2;
  const { settled } = await follow(api, async ({ after }) => {
    seen.push(after?.name);
    if (after?.name === 'two' && failures-- > 0) throw new Error('not yet');
  });
  for (const name of ['one', 'two', 'three']) await api.createProject({ name });
  await settled();
  expect(seen.filter((name) => name === 'one')).toHaveLength(1);
  expect(seen.slice(1)).toEqual(['two', 'two', 'two', 'three']);
  expect(api.faultLines().map(({ message }) => message)).toEqual(['work failed', 'work failed']);
});

test('a worker writes as itself, each time as another version', async () => {
  const api = await openApi();
  const stamps: unknown[] = [];
  const rename = async (id: string, { store, commit }: WorkerInput, name: string) => {
    await commit([store.update('projects', id, { name }, { condition: { kind: 'present' } })]);
    const project = await store.get('projects', id);
    stamps.push(project?.changedIn);
    expect(project).toMatchObject({ name, changedBy: 'worker:test-worker' });
  };
  const { settled } = await follow(api, async ({ id }, input) => {
    await rename(id, input, 'first');
    await rename(id, input, 'second');
  });
  await api.createProject();
  await settled();
  expect(new Set(stamps).size).toBe(2);
});

test('what is not declared is refused', async () => {
  const api = await openApi();
  const { client, tableNames } = api.runtime;
  const handler = createWorkerHandler(
    worker(async (_, { store }) => void (await store.page('projects', range)), created),
    { ...api.runtime, client, tableNames },
  );
  const range = { from: 'proj_', to: 'proj_~', after: undefined, limit: 1 };
  await expect(handler({ Records: [record('proj_1', '1')] }, {})).rejects.toThrow('not declared');
});

test('a batch of which some failed goes on from there; one of which nothing was done fails', async () => {
  const { runtime } = await openApi();
  const failing = (bad: string) =>
    createWorkerHandler(
      worker(async ({ id }) => {
        if (id === bad) throw new Error('bad');
      }, created),
      runtime,
    );
  const Records = ['proj_1', 'proj_2', 'proj_3'].map((id, index) => record(id, String(index + 1)));
  expect(await failing('proj_0')({ Records }, {})).toEqual({ batchItemFailures: [] });
  expect(await failing('proj_2')({ Records }, {})).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
  await expect(failing('proj_1')({ Records }, {})).rejects.toThrow('bad');
});

const record = (id: string, SequenceNumber: string): DynamoDBRecord => ({
  eventName: 'INSERT',
  dynamodb: { Keys: { tenant: { S: 'org_1#live' }, id: { S: id } }, NewImage: {}, SequenceNumber },
});
