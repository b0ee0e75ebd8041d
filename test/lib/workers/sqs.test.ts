/** The queues in SQS: batches, tenants, and what is refused or not available. */

import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { readNotice } from '../../../lib/workers/notice.ts';
import { createSender, openOwnQueue, sendNotices } from '../../../lib/workers/sqs.ts';
import { fakeSqs } from '../../support/fake-sqs.ts';
import { projectNotice } from '../../support/test-worker.ts';

const url = 'http://sqs/1/q';
const env = { TEST_WORKER_QUEUE: url, DISPATCHER_DEAD_LETTERS: 'http://sqs/1/dead' };
const noSleep = async () => {};
const ownQueue = (client: Parameters<typeof openOwnQueue>[0]) =>
  openOwnQueue(client, env, { id: 'test-worker' }, noSleep);

test("a worker's queue gets every notice, with its organisation as the message group", async () => {
  const { client, queues, calls } = fakeSqs(['q']);
  const notices = Array.from({ length: 25 }, (_, n) =>
    projectNotice(`proj_${n}`, { tenant: n % 2 ? 'org_1#live' : 'org_2#test' }),
  );
  expect(await createSender(client, env, noSleep).send('test-worker', notices)).toEqual([]);
  const stored = queues.get('q') ?? [];
  expect(stored.map(({ body }) => readNotice(body))).toEqual(notices);
  expect(stored.map(({ group }) => group)).toEqual(
    notices.map(({ tenant }) => (tenant === 'org_1#live' ? 'org_1' : 'org_2')),
  );
  expect(calls()).toBe(3);
});

test('a message has only printable ASCII, which SQS accepts, and keeps every character', async () => {
  const { client, queues } = fakeSqs(['q']);
  const notice = projectNotice('a\uffff\ud800 é\u0000😀');
  await sendNotices(client, url, [notice]);
  const [{ body } = { body: '' }] = queues.get('q') ?? [];
  expect(body).toMatch(/^[ -~]+$/);
  expect(readNotice(body)).toEqual(notice);
});

test('what SQS refuses is returned, and the rest is sent', async () => {
  const { client, queues } = fakeSqs(['q']);
  const notices = ['proj_1', 'refused', 'proj_2'].map((id) => projectNotice(id));
  expect(await sendNotices(client, url, notices)).toEqual([notices[1]]);
  expect(queues.get('q')).toHaveLength(2);
});

test('what SQS fails to accept is sent again; if it never does, this fails', async () => {
  let failures = 2;
  const { client, queues } = fakeSqs(['q']);
  const flaky = {
    send: (command: SendMessageBatchCommand) => {
      const { Entries = [] } = command.input;
      if (failures-- <= 0) return client.send(command);
      const [first, ...rest] = Entries;
      const Failed = rest.map(({ Id }) => ({ Id, SenderFault: false, Code: 'InternalError' }));
      const accepted = new SendMessageBatchCommand({ QueueUrl: url, Entries: first ? [first] : [] });
      return client.send(accepted).then((output) => ({ ...output, Failed }));
    },
  } as object as typeof client;
  const notices = Array.from({ length: 6 }, (_, n) => projectNotice(`proj_${n}`));
  expect(await sendNotices(flaky, url, notices, noSleep)).toEqual([]);
  expect(queues.get('q')).toHaveLength(6);
  failures = Number.POSITIVE_INFINITY;
  await expect(sendNotices(flaky, url, notices, noSleep)).rejects.toThrow('does not accept');
});

test('dead letters of the dispatcher have their own queue', async () => {
  const { client, queues } = fakeSqs(['dead']);
  const letter = { reason: 'unreadable', stream: 'arn', sequence: '1' };
  await createSender(client, env, noSleep).bury([letter]);
  expect(queues.get('dead')?.map(({ body }) => JSON.parse(body))).toEqual([letter]);
});

test('messages are postponed in batches', async () => {
  const { client, postponed, calls } = fakeSqs(['q']);
  const messages = Array.from({ length: 12 }, (_, n) => ({ receiptHandle: `r${n}`, seconds: n }));
  await ownQueue(client).postpone(messages);
  expect(Object.keys(postponed)).toHaveLength(12);
  expect(postponed.r11).toBe(11);
  expect(calls()).toBe(2);
});

test('a notice goes back to the queue as a new message, after its seconds, and somebody waits until it is received', async () => {
  const { client, queues } = fakeSqs(['q']);
  const queue = ownQueue(client);
  expect(await queue.isAwaited()).toBe(false);
  const notices = [0, 900].map((seconds) => ({ notice: projectNotice(`proj_${seconds}`), seconds }));
  await queue.sendAgain(notices);
  const stored = queues.get('q') ?? [];
  expect(stored.map(({ body, group, seconds }) => [readNotice(body).id, group, seconds])).toEqual([
    ['proj_0', 'org_1', 0],
    ['proj_900', 'org_1', 900],
  ]);
  expect(await queue.isAwaited()).toBe(true);
});

test('a worker whose queue is unknown cannot use it', async () => {
  const { client } = fakeSqs(['q']);
  const { postpone } = openOwnQueue(client, {}, { id: 'test-worker' }, noSleep);
  await expect(postpone([{ receiptHandle: 'r', seconds: 1 }])).rejects.toThrow(
    'TEST_WORKER_QUEUE is not set',
  );
});
