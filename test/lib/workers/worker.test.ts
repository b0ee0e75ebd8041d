/** Workers on the streams of DynamoDB Local. */

import type { DynamoDBRecord } from 'aws-lambda';
import { afterEach, describe, expect, inject, test } from 'vitest';
import type { Change } from '../../../lib/workers/change.ts';
import { createWorkerHandler, type Worker, type WorkerInput } from '../../../lib/workers/worker.ts';
import { followStreams } from '../../../scripts/local/streams.ts';
import { openApi, type TestApi } from '../../support/api.ts';
import { asLambda } from '../../support/lambda-stream.ts';

const worker = (handle: Worker['handle'], filter: Worker['filter']): Worker => ({
  id: 'test-worker',
  summary: 'A worker of the tests.',
  source: 'projects',
  filter,
  access: { projects: ['GetItem', 'UpdateItem'] },
  memoryMb: 512,
  timeoutSeconds: 60,
  batchSize: 10,
  impact: 'Nothing.',
  handle,
});

const created = { on: ['INSERT'], idPrefix: 'proj_' } as const;
const opened: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ stop }) => stop()));
});

async function follow(api: TestApi, handle: Worker['handle'], filter: Worker['filter'] = created) {
  const followers = await followStreams([worker(handle, filter)], api.runtime, {
    endpoint: inject('dynamodbEndpoint'),
    from: 'LATEST',
    only: (tenant) => tenant.startsWith(api.organisationId),
  });
  opened.push(followers);
  return followers;
}

test('a worker gets every change that it wants, in order, with both images', async () => {
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
    { kind: 'INSERT', tenant, partition: [], id, before: undefined, after: { name: 'one' } },
    { kind: 'MODIFY', tenant, partition: [], id, before: { name: 'one' }, after: { name: 'two' } },
    { kind: 'INSERT', tenant, partition: ['deleted'], id },
  ]);
});

test('a failed change comes again; those before it do not', async () => {
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
  expect(seen.filter((name) => name === 'two')).toHaveLength(3);
  // What is behind the failed change is tried with it, and comes again.
  expect(seen.at(-1)).toBe('three');
  expect(api.faultLines().map(({ message }) => message)).toEqual(['work failed', 'work failed']);
});

test("a worker's writes carry its name, each commit with a new version", async () => {
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

test('an undeclared action is refused', async () => {
  const api = await openApi();
  const { client, tableNames } = api.runtime;
  const handler = createWorkerHandler(
    worker(async (_, { store }) => void (await store.page('projects', range)), created),
    { ...api.runtime, client, tableNames },
  );
  const range = { from: 'proj_', to: 'proj_~', after: undefined, limit: 1 };
  await expect(handler({ Records: [record('proj_1', '1')] }, {})).rejects.toThrow('not declared');
});

describe('a batch', () => {
  const Records = ['proj_1', 'proj_2', 'proj_3', 'proj_4'].map((id, index) => record(id, String(index + 1)));

  /** @returns a handler for which these changes fail, and the ids of what it has been asked for */
  async function failing(...bad: readonly string[]) {
    const { runtime } = await openApi();
    const asked: string[] = [];
    const handler = createWorkerHandler(
      worker(async ({ id }) => {
        asked.push(id);
        if (bad.includes(id)) throw new Error('bad');
      }, created),
      runtime,
    );
    return { handler, asked };
  }

  test('with failures comes again from the first failure, after all changes were tried', async () => {
    const { handler, asked } = await failing('proj_2', 'proj_3');
    expect(await handler({ Records }, {})).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
    expect(asked.toSorted()).toEqual(['proj_1', 'proj_2', 'proj_3', 'proj_4']);
  });

  test('without failures is done', async () => {
    const { handler } = await failing();
    expect(await handler({ Records }, {})).toEqual({ batchItemFailures: [] });
  });

  test('whose first change fails makes the function fail, after all changes were tried', async () => {
    const { handler, asked } = await failing('proj_1');
    await expect(handler({ Records }, {})).rejects.toThrow('bad');
    expect(asked).toHaveLength(4);
  });

  test('leaves only its failing change among the dead letters', async () => {
    for (const bad of ['proj_1', 'proj_2', 'proj_4']) {
      const { handler, asked } = await failing(bad);
      expect(await asLambda(handler, Records)).toEqual([bad]);
      expect(new Set(asked).size).toBe(4);
    }
  });

  test('tries other tenants first where one fails', async () => {
    const { handler, asked } = await failing('proj_1');
    const mixed = [...Records.slice(0, 3), record('proj_9', '9', 'org_2#live')];
    await expect(handler({ Records: mixed }, {})).rejects.toThrow('bad');
    expect(asked).toEqual(['proj_1', 'proj_9', 'proj_2', 'proj_3']);
  });

  test('applies the changes of one item in order: those after a failed one wait', async () => {
    const { handler, asked } = await failing('proj_1');
    const twice = [
      record('proj_0', '0'),
      record('proj_1', '1'),
      record('proj_1', '2'),
      record('proj_2', '3'),
    ];
    expect(await handler({ Records: twice }, {})).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
    expect(asked).toEqual(['proj_0', 'proj_1', 'proj_2']);
  });

  test('that runs out of time comes again from there', async () => {
    const { handler, asked } = await failing();
    let leftMs = 40_000;
    const context = { getRemainingTimeInMillis: () => (leftMs -= 20_000) };
    expect(await handler({ Records }, context)).toEqual({ batchItemFailures: [{ itemIdentifier: '3' }] });
    expect(asked).toEqual(['proj_1', 'proj_2']);
  });
});

function record(id: string, SequenceNumber: string, tenant = 'org_1#live'): DynamoDBRecord {
  return {
    eventName: 'INSERT',
    dynamodb: { Keys: { tenant: { S: tenant }, id: { S: id } }, NewImage: {}, SequenceNumber },
  };
}
