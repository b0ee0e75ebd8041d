/** Commits of writes: which failures are lost races, and which are not. */

import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { commit } from '../../../lib/dynamodb/commit.ts';
import { openSession } from '../../../lib/dynamodb/session.ts';
import { bindStore } from '../../../lib/dynamodb/store.ts';
import { testRuntime } from '../../../samples/api.ts';
import { openMocked } from '../../support/faults.ts';

const author = { changedBy: 'nobody', changedThrough: 'a test', changedIn: 'call', nowMs: 0 };
const key = (id: string) => ({ tenant: 'org_alone#live', id });
const present = { kind: 'present' } as const;

function open() {
  const { client, tableNames } = testRuntime();
  const actions = ['GetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'] as const;
  const session = openSession(client, tableNames, { projects: actions });
  return { session, store: bindStore(session, 'org_alone#live') };
}

test('a check alone changes nothing', async () => {
  const { session, store } = open();
  await commit(session, [store.put('projects', { id: 'proj_a' })], author);
  const check = (id: string) =>
    ({
      action: 'ConditionCheckItem',
      table: 'projects',
      key: key(id),
      condition: present,
      onConditionFailed: 'retry',
    }) as const;
  expect(await commit(session, [check('proj_a')], author)).toBeUndefined();
  expect(await store.get('projects', 'proj_a')).toBeDefined();
  expect(await commit(session, [check('proj_b')], author)).toEqual({ failed: [check('proj_b')] });
});

test('a single write whose item is missing is refused', async () => {
  const { session } = open();
  const write = {
    action: 'UpdateItem',
    table: 'projects',
    key: key('proj_b'),
    attributes: { a: 1 },
    condition: present,
    onConditionFailed: 'retry',
  } as const;
  expect(await commit(session, [write], author)).toEqual({ failed: [write] });
});

test.each([
  ['throttled', 503, [{ Code: 'None' }, { Code: 'ThrottlingError' }]],
  ['cancelled without reasons', 500, undefined],
])(
  'a transaction that is %s is no lost race: it is not repeated',
  async (_, expected, CancellationReasons) => {
    const { api, mock } = await openMocked();
    const cancelled = new TransactionCanceledException({
      message: 'cancelled',
      $metadata: {},
      ...(CancellationReasons && { CancellationReasons }),
    });
    mock.on(TransactWriteCommand).rejectsOnce(cancelled);
    const { status } = await api.call('POST', '/projects', { body: { name: 'p' }, idempotencyKey: 'key' });
    expect([status, mock.commandCalls(TransactWriteCommand).length]).toEqual([expected, 1]);
  },
);

test('a single write that fails is no lost race: it is not repeated', async () => {
  const { api, mock } = await openMocked();
  mock.on(PutCommand).rejectsOnce({ name: 'InternalServerError' });
  const { status } = await api.call('POST', '/projects', { body: { name: 'p' } });
  expect([status, mock.commandCalls(PutCommand).length]).toEqual([503, 1]);
});
