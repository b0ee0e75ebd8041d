/** One organisation whose receivers hang leaves places of the sender to others: with its real declaration. */

import { afterEach, expect, test, vi } from 'vitest';
import { bootstrapOrganisation } from '../../../lib/credentials/bootstrap.ts';
import { placesOf } from '../../../lib/workers/places.ts';
import { storedOf } from '../../../samples/api.ts';
import { openQueue } from '../../../scripts/local/queues.ts';
import webhookSender from '../../../workers/webhook-sender.ts';
import { type Delivery, noticeOf, openReceiver, openWebhook, type Receiver } from '../../support/webhooks.ts';

const receivers: Receiver[] = [];
const open = async () => {
  const receiver = await openReceiver();
  receivers.push(receiver);
  return receiver;
};
afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())));

const until = (condition: () => unknown) => vi.waitUntil(condition, { timeout: 60_000 });

test('hanging receivers of one organisation hold half of the places, and then get their deliveries', async () => {
  const [hanging, quiet] = [await open(), await open()];
  const answers: (() => void)[] = [];
  hanging.respond((_, response) => void answers.push(() => response.end('late')));
  const { api } = await openWebhook(hanging.url);
  const testWebhook = async (url: string, options: { key?: string } = {}) => {
    const body = { url, eventTypes: ['*'] };
    const { data: webhook } = await api.call('POST', '/webhooks', { body, ...options });
    const { data } = await api.call('POST', `/webhooks/${webhook.id}/test`, options);
    return { webhookId: `${webhook.id}`, id: (data as Delivery).id };
  };
  const queue = openQueue(webhookSender, api.runtime, 1);
  const deliveries = [];
  for (let n = 0; n < 2 * webhookSender.maxConcurrency; n += 1)
    deliveries.push(await testWebhook(hanging.url));
  for (const { webhookId, id } of deliveries) queue.add([noticeOf(api, webhookId, id)]);
  await until(() => answers.length >= placesOf(webhookSender));

  const { organisationId, secret } = await bootstrapOrganisation(api.runtime, 'Quiet', 'live');
  const { webhookId, id } = await testWebhook(quiet.url, { key: secret });
  queue.add([noticeOf({ organisationId }, webhookId, id)]);
  await until(() => quiet.received.length === 1);
  expect(answers).toHaveLength(placesOf(webhookSender));

  hanging.respond((_, response) => void response.end('ok'));
  for (const answer of answers) answer();
  await until(() => queue.isIdle());
  expect(hanging.received).toHaveLength(deliveries.length);
  const places = (await storedOf(api, 'schedule')).filter(({ tenant }) => `${tenant}`.includes('#places#'));
  expect([places, queue.deadLetters, api.faultLines()]).toEqual([[], [], []]);
});
