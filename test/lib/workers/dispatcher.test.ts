/** The dispatcher: which changes reach which worker, and what happens to those that cannot be sent. */

import { expect, test } from 'vitest';
import type { LogLine } from '../../../lib/base/log.ts';
import type { TableName } from '../../../lib/dynamodb/tables.ts';
import type { Change } from '../../../lib/workers/change.ts';
import { createDispatcher, type Letter, type Sender } from '../../../lib/workers/dispatcher.ts';
import type { Notice } from '../../../lib/workers/notice.ts';
import type { Worker } from '../../../lib/workers/worker.ts';
import type { Json } from '../../../samples/api.ts';
import { changeRecord } from '../../../samples/stream-records.ts';
import { testWorker } from '../../support/test-worker.ts';

const tableNames = { projects: 'dev-projects', jobs: 'dev-jobs' };

function open(workers: readonly Worker[], send?: Sender['send']) {
  const sent: Record<string, Notice[]> = {};
  const letters: Letter[] = [];
  const log: LogLine[] = [];
  const sender: Sender = {
    send:
      send ??
      (async (worker, notices) => {
        sent[worker] = [...(sent[worker] ?? []), ...notices];
        return [];
      }),
    bury: async (buried) => void letters.push(...buried),
  };
  const dispatcher = createDispatcher(workers, { tableNames, log: (line) => void log.push(line) }, sender);
  return { dispatcher, sent, letters, log };
}

const record = (
  before: Json | undefined,
  after: Json | undefined,
  sequence = '1',
  table: TableName = 'projects',
) => ({
  ...changeRecord(before, after, sequence),
  eventSourceARN: `arn:aws:dynamodb:eu-central-1:123456789012:table/dev-${table}/stream/2026-11-21T00:00:00.000`,
});

const item = (id: string, more: Json = {}) => ({
  tenant: 'org_1#live',
  id,
  name: 'a secret name',
  changedBy: 'key_1',
  changedIn: 'evt_1',
  ...more,
});
const unused = async () => {};

test('every worker of the table gets what it wants: keys, stamps and numbers, no texts', async () => {
  const seen: Change[] = [];
  const { dispatcher, sent, letters } = open([
    testWorker(unused, { id: 'all', wants: (change) => seen.push(change) > 0 }),
    testWorker(unused, {
      id: 'some',
      wants: ({ kind, after }) => kind === 'MODIFY' && after?.name === 'new',
    }),
    testWorker(unused, { id: 'jobs', sources: ['jobs'] }),
  ]);
  const response = await dispatcher({
    Records: [
      record(undefined, item('proj_1'), '1'),
      record(item('proj_2'), item('proj_2', { name: 'new' }), '2'),
      record(item('proj_3', { tenant: 'org_1#live#deleted' }), undefined, '3'),
    ],
  });
  expect(response).toEqual({ batchItemFailures: [] });
  expect(seen.map(({ before, after }) => [before?.name, after?.name])).toEqual([
    [undefined, 'a secret name'],
    ['a secret name', 'new'],
    ['a secret name', undefined],
  ]);
  const common = { table: 'projects', tenant: 'org_1#live', partition: [], atMs: expect.any(Number) };
  const stamp = { changedBy: 'key_1', changedIn: 'evt_1' };
  expect(sent).toEqual({
    all: [
      { ...common, ...stamp, kind: 'INSERT', id: 'proj_1', sequence: '1' },
      { ...common, ...stamp, kind: 'MODIFY', id: 'proj_2', sequence: '2' },
      { ...common, kind: 'REMOVE', partition: ['deleted'], id: 'proj_3', sequence: '3' },
    ],
    some: [{ ...common, ...stamp, kind: 'MODIFY', id: 'proj_2', sequence: '2' }],
  });
  expect(letters).toEqual([]);
});

test('several changes of an item become one notice', async () => {
  const { dispatcher, sent } = open([testWorker(unused)]);
  const changed = [1, 2, 3].map((n) => record(item('proj_1', { n }), item('proj_1', { n: n + 1 }), `${n}`));
  await dispatcher({ Records: changed });
  expect(sent['test-worker']?.map(({ sequence }) => sequence)).toEqual(['3']);
});

test('a change that cannot be read becomes a dead letter with its position, and the others go on', async () => {
  const { dispatcher, sent, letters, log } = open([testWorker(unused)]);
  const poison = { ...record(undefined, item('proj_1'), '7'), eventName: undefined };
  const elsewhere = {
    ...record(undefined, item('proj_1'), '8'),
    eventSourceARN: 'arn:aws:dynamodb:::table/other/stream/1',
  };
  const { batchItemFailures } = await dispatcher({
    Records: [poison as never, record(undefined, item('proj_2'), '9'), elsewhere],
  });
  expect(batchItemFailures).toEqual([]);
  expect(sent['test-worker']?.map(({ id }) => id)).toEqual(['proj_2']);
  expect(letters).toEqual([
    { reason: 'unreadable', table: 'projects', stream: poison.eventSourceARN, sequence: '7' },
    { reason: 'unreadable', stream: elsewhere.eventSourceARN, sequence: '8' },
  ]);
  expect(log).toHaveLength(2);
});

test('a worker that fails to decide gets the change', async () => {
  const broken = testWorker(unused, {
    id: 'broken',
    wants: () => {
      throw new Error('bad');
    },
  });
  const { dispatcher, sent, letters, log } = open([broken, testWorker(unused)]);
  await dispatcher({ Records: [record(undefined, item('proj_1'))] });
  expect(Object.keys(sent).sort()).toEqual(['broken', 'test-worker']);
  expect(letters).toEqual([]);
  expect(log).toMatchObject([{ level: 'error', worker: 'broken' }]);
});

test('a notice that its queue refuses becomes a dead letter, which names the worker', async () => {
  const { dispatcher, letters } = open([testWorker(unused)], async (_, notices) =>
    notices.filter(({ id }) => id === 'proj_2'),
  );
  await dispatcher({
    Records: [record(undefined, item('proj_1'), '1'), record(undefined, item('proj_2'), '2')],
  });
  expect(letters).toMatchObject([
    { reason: 'refused', worker: 'test-worker', notice: { id: 'proj_2' }, sequence: '2' },
  ]);
  expect(JSON.stringify(letters)).not.toContain('secret');
});

test('while SQS is not available, the batch fails, so Lambda repeats it', async () => {
  const { dispatcher, letters } = open([testWorker(unused)], () => Promise.reject(new Error('no SQS')));
  await expect(dispatcher({ Records: [record(undefined, item('proj_1'))] })).rejects.toThrow('no SQS');
  expect(letters).toEqual([]);
});
