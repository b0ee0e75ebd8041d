/** Nothing is sent to a receiver while the organisation is suspended, and everything afterwards. */

import { describe, expect, onTestFinished, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../lib/base/time.ts';
import { type Json, storedOf, type TestApi } from '../../samples/api.ts';
import { deliverNotices } from '../../samples/lambda-queue.ts';
import eventWriter from '../../workers/event-writer.ts';
import { workers } from '../../workers/index.ts';
import organisationResumer from '../../workers/organisation-resumer.ts';
import webhookKeeper from '../../workers/webhook-keeper.ts';
import webhookSender from '../../workers/webhook-sender.ts';
import { intercept } from '../support/faults.ts';
import { dueNotices, dueOf, runDue } from '../support/schedule.ts';
import {
  handleAll,
  ignorePauses,
  resumeAndGoOn,
  resumeNow,
  suspendNow,
  waitingOf,
} from '../support/suspensions.ts';
import { answering, openReceiver, openWebhook } from '../support/webhooks.ts';

async function open(body: Json = {}) {
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  const webhook = await openWebhook(receiver.url, body, () => ({ sleep: async () => {} }));
  return { ...webhook, receiver };
}
type Opened = Awaited<ReturnType<typeof open>>;

const isAny = () => true;

/** Gives the sender all deliveries that are stored. */
const sendAll = (api: TestApi, runtime = api.runtime) =>
  handleAll(api, webhookSender, 'deliveries', ({ id }) => id.startsWith('dlv_'), runtime);

/** Sends what is due in the next minutes. */
async function goOn(api: TestApi, minutes: number): Promise<void> {
  for (let n = 0; n < minutes; n += 1) {
    await runDue(api).catch(ignorePauses);
    api.advance(minuteMs);
    await sendAll(api).catch(ignorePauses);
  }
}

/** A delivery of each kind, which is pending when its organisation is suspended. */
const kinds: Readonly<Record<string, (opened: Opened) => Promise<unknown>>> = {
  'a test': ({ request }) => request(),
  async 'an event'({ api }) {
    await api.createProject();
    await handleAll(api, eventWriter, 'projects', isAny);
  },
  async 'an event that is written during the suspension'({ api }) {
    await api.createProject();
    await suspendNow(api);
    await handleAll(api, eventWriter, 'projects', isAny);
  },
  async 'a retry'({ request, attempt, receiver }) {
    receiver.respond(answering(503));
    await attempt((await request()).id);
    receiver.respond(answering(200));
    receiver.received.length = 0;
  },
  async 'one that is requested again'({ api, path, request, attempt, receiver }) {
    const { id } = await request();
    await attempt(id);
    receiver.received.length = 0;
    expect((await api.call('POST', `${path}/deliveries/${id}/redeliver`)).status).toBe(202);
  },
  async 'one that a recovery requests'({ api, path, request, attempt, receiver }) {
    receiver.respond(answering(410));
    await attempt((await request()).id);
    receiver.respond(answering(200));
    receiver.received.length = 0;
    await api.call('PATCH', path, { body: { disabled: false } });
    const body = { since: '2026-03-01T09:30:00Z' };
    expect((await api.call('POST', `${path}/recover`, { body })).status).toBe(202);
    await suspendNow(api);
    await handleAll(api, webhookKeeper, 'webhooks', ({ id }) => id.startsWith('whk_'));
  },
};

test('only the sender has the secrets of webhooks, so nothing else sends', () => {
  expect(workers.filter(({ decrypts }) => decrypts)).toEqual([webhookSender]);
});

test('every worker that can send, ask a model or write a file waits', () => {
  const outward = workers.filter(
    ({ decrypts, models, files }) => decrypts || models || files.includes('put'),
  );
  expect(outward.filter(({ whileSuspended }) => whileSuspended === 'continues')).toEqual([]);
});

describe.each(Object.entries(kinds))('%s', (_, request) => {
  test('waits for the end of the suspension, however long it takes, and is sent once', async () => {
    const opened = await open();
    const { api, path, receiver } = opened;
    await request(opened);
    await suspendNow(api);
    await sendAll(api);
    // Longer than a delivery may wait.
    api.advance(5 * dayMs);
    await runDue(api);
    await sendAll(api);
    expect(receiver.received).toEqual([]);
    expect((await dueOf(api)).filter(({ table }) => table === 'deliveries')).toEqual([]);

    const released = await resumeNow(api);
    const { data } = await api.call('GET', `${path}/deliveries?status=pending`);
    expect(data.items).toHaveLength(1);
    await deliverNotices(api.runtime, organisationResumer, released);
    await goOn(api, 3);
    expect(receiver.received).toHaveLength(1);
    expect((await api.call('GET', `${path}/deliveries?status=succeeded`)).data.items).toHaveLength(1);
    expect(await waitingOf(api)).toEqual([]);
    expect((await dueNotices(api)).filter(({ table }) => table === 'deliveries')).toEqual([]);
  });
});

test('no attempt begins when the organisation is suspended after the sender has started', async () => {
  const { api, request, receiver, delivery } = await open();
  const { id } = await request();
  let reads = 0;
  const client = intercept(api.runtime.client, (command, proceed) => {
    const { TableName } = command.input as { TableName?: string };
    if (TableName !== api.runtime.tableNames.organisations) return undefined;
    reads += 1;
    // The first one is that of the worker's run.
    return reads === 2 ? suspendNow(api).then(proceed) : undefined;
  });
  await sendAll(api, { ...api.runtime, client });
  expect(receiver.received).toEqual([]);
  expect(await waitingOf(api)).toHaveLength(1);
  await resumeAndGoOn(api);
  expect(receiver.received).toHaveLength(1);
  expect(await delivery(id)).toMatchObject({ status: 'succeeded', attempts: [{ status: 200 }] });
});

test('a delivery is sent when the organisation is resumed before it waits', async () => {
  const { api, request, receiver } = await open();
  await request();
  await suspendNow(api);
  let isResumed = false;
  const client = intercept(api.runtime.client, (command, proceed) => {
    const isWrite = JSON.stringify(command.input).includes('#waiting');
    if (isResumed || !isWrite) return undefined;
    isResumed = true;
    // The resumer has found nothing when the write takes effect.
    return resumeAndGoOn(api).then(proceed);
  });
  await sendAll(api, { ...api.runtime, client }).catch(() => {});
  await sendAll(api);
  expect(receiver.received).toHaveLength(1);
  expect(await waitingOf(api)).toEqual([]);
});

test('a pause goes on where it was when the organisation is resumed', async () => {
  const { api, request, attempt, receiver } = await open();
  receiver.respond(answering(503, { 'Retry-After': '7200' }));
  await attempt((await request()).id);
  receiver.respond(answering(200));
  api.advance(hourMs);
  await suspendNow(api);
  api.advance(10 * hourMs);
  await runDue(api);
  await resumeAndGoOn(api);
  api.advance(50 * minuteMs);
  await runDue(api);
  expect(receiver.received).toHaveLength(1);
  api.advance(11 * minuteMs);
  await runDue(api);
  expect(receiver.received).toHaveLength(2);
});

test('a pause that begins after the suspension is not longer', async () => {
  const { api, request, attempt, receiver, delivery } = await open();
  receiver.respond(answering(503));
  const { id } = await request();
  await attempt(id);
  await suspendNow(api);
  api.advance(10 * hourMs);
  await runDue(api);
  await resumeAndGoOn(api).catch(ignorePauses);
  await goOn(api, 2);
  expect((await delivery(id)).attempts).toHaveLength(2);
  await goOn(api, 6);
  expect((await delivery(id)).attempts).toHaveLength(3);
});

test('the time of a suspension is not time of failing', { tags: ['long'] }, async () => {
  const { api, path, request, receiver } = await open();
  receiver.respond(answering(503));
  const fail = async () => {
    await request();
    await goOn(api, 10);
  };
  const isDisabled = async () => (await api.call('GET', path)).data.disabled;
  await fail();
  await suspendNow(api);
  api.advance(6 * dayMs);
  await resumeAndGoOn(api).catch(ignorePauses);
  await fail();
  expect(await isDisabled()).toBe(false);
  api.advance(5 * dayMs);
  await fail();
  expect(await isDisabled()).toBe(true);
});

test('a deleted organisation leaves nothing that waits', async () => {
  const { api, request } = await open();
  await request();
  await suspendNow(api);
  await sendAll(api);
  const [item] = await waitingOf(api);
  // The deletion finds what names the organisation in its key.
  expect(`${item?.tenant}`).toContain(api.organisationId);
  expect((await storedOf(api, 'schedule')).length).toBeGreaterThan(0);
});
