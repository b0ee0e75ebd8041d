/** `npm run redrive` loses no dead letter, wherever it is interrupted. */

import { expect, test } from 'vitest';
import { type Notice, readNotice, writeNotice } from '../../lib/workers/notice.ts';
import { listDeadLetters, redrive } from '../../scripts/redrive.ts';
import { fakeSqs } from '../support/fake-sqs.ts';
import { projectNotice } from '../support/test-worker.ts';

const dead = 'PlatformApi-dev-message-indexer-dead-letters';
const queue = 'PlatformApi-dev-message-indexer';
const letters = 'PlatformApi-dev-dispatcher-dead-letters';
const wanted = { worker: 'message-indexer', stage: 'dev' };

const notices = Array.from({ length: 23 }, (_, n) =>
  projectNotice(`proj_${n}`, { tenant: n % 2 ? 'org_1#live' : 'org_2#live' }),
);

function open(bodies: readonly string[], name = dead, before?: (command: object, calls: number) => void) {
  const sqs = fakeSqs([dead, queue, letters], before);
  sqs.queues
    .get(name)
    ?.push(...bodies.map((body, n) => ({ id: `d${n}`, body, group: undefined, hidden: false })));
  const idsIn = (one: string): string[] => (sqs.queues.get(one) ?? []).map(({ body }) => readNotice(body).id);
  return { ...sqs, idsIn };
}

test('every dead letter returns to the queue of its worker, with its organisation', async () => {
  const { client, queues, idsIn } = open(notices.map(writeNotice));
  expect(await redrive(client, wanted)).toEqual({ returned: 23, left: 0 });
  expect(queues.get(dead)).toEqual([]);
  expect(idsIn(queue)).toEqual(notices.map(({ id }) => id));
  expect(queues.get(queue)?.map(({ group }) => group)).toEqual(
    notices.map(({ tenant }) => tenant.slice(0, tenant.indexOf('#'))),
  );
});

test('nothing is lost if it is interrupted before any call', async () => {
  const whole = open(notices.map(writeNotice));
  await redrive(whole.client, wanted);
  for (let last = 1; last <= whole.calls(); last += 1) {
    let isKilled = false;
    const { client, idsIn, reappear, queues } = open(notices.map(writeNotice), dead, (_, calls) => {
      if (calls !== last || isKilled) return;
      isKilled = true;
      throw new Error('killed');
    });
    await expect(redrive(client, wanted)).rejects.toThrow('killed');
    reappear();
    await redrive(client, wanted);
    expect(queues.get(dead)).toEqual([]);
    // Some may have been sent twice.
    expect(new Set(idsIn(queue))).toEqual(new Set(notices.map(({ id }) => id)));
  }
});

test('a letter that is no notice stays', async () => {
  const { client, queues, idsIn } = open(['{}', writeNotice(notices[0] as Notice), 'x']);
  expect(await redrive(client, wanted)).toEqual({ returned: 1, left: 2 });
  expect(idsIn(queue)).toEqual(['proj_0']);
  expect(queues.get(dead)?.map(({ body }) => body)).toEqual(['{}', 'x']);
});

test("the dispatcher's letters go to the workers that they name; positions in a stream stay", async () => {
  const refused = {
    reason: 'refused',
    stream: 'arn',
    sequence: '1',
    worker: 'message-indexer',
    notice: notices[1],
  };
  const position = { requestContext: {}, DDBStreamBatchInfo: { startSequenceNumber: '1' } };
  const { client, idsIn, queues } = open([JSON.stringify(refused), JSON.stringify(position)], letters);
  expect(await redrive(client, { worker: 'dispatcher', stage: 'dev' })).toEqual({ returned: 1, left: 1 });
  expect(idsIn(queue)).toEqual(['proj_1']);
  expect(queues.get(letters)).toHaveLength(1);
});

test('dead letters can be shown, and stay', async () => {
  const bodies = notices.slice(0, 5).map(writeNotice);
  const { client, queues } = open(bodies);
  const shown: string[] = [];
  await listDeadLetters(client, wanted, (body) => shown.push(body));
  expect(shown).toEqual(bodies);
  expect(queues.get(dead)).toMatchObject(bodies.map(() => ({ hidden: false })));
});

test('an unknown stage is named', async () => {
  const { client } = open([]);
  await expect(redrive(client, { ...wanted, stage: 'nowhere' })).rejects.toThrow(
    'There is no queue PlatformApi-nowhere-message-indexer-dead-letters in eu-central-1.',
  );
});
