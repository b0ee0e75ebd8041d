/** Attempts of deliveries: what receivers get, when they get it again, and when a webhook is disabled. */

import { Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../lib/base/time.ts';
import { maxAgeMs, retryDelaysMs } from '../../../lib/webhooks/rules/attempts.ts';
import { storedOf } from '../../../samples/api.ts';
import { openQueue } from '../../../scripts/local/queues.ts';
import webhookSender from '../../../workers/webhook-sender.ts';
import { hostileAddresses } from '../../support/hostile-addresses.ts';
import { dueOf, runDue } from '../../support/schedule.ts';
import { changeStored } from '../../support/stored.ts';
import {
  answering,
  attempt,
  noticeOf,
  openReceiver,
  openWebhook,
  type Receiver,
} from '../../support/webhooks.ts';
import { mortal } from '../../support/workers.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

describe('a delivery', () => {
  test('is sent with a signature of Standard Webhooks', async () => {
    const { id, request, attempt, delivery, secret, api, path } = await openWebhook(receiver.url);
    const { id: dlv, eventId } = await request();
    const { data } = await api.call('GET', path);
    expect(await attempt(dlv)).toBeUndefined();
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
    const event = new Webhook(secret).verify(body, headers as Record<string, string>);
    expect(event).toMatchObject({ id: eventId, type: 'webhook.test', projectId: null, data });
    expect(body).not.toContain('whsec_');
    expect(headers).toMatchObject({ 'webhook-id': eventId, 'content-type': 'application/json' });
    expect(await delivery(dlv)).toMatchObject({
      status: 'succeeded',
      nextAttemptAt: null,
      attempts: [{ status: 200, body: 'ok', error: null }],
    });
    expect(id).toMatch(/^whk_/);
  });

  test('is signed with both secrets during an overlap, and with the new one after it', async () => {
    const { api, path, secret: old, request, attempt } = await openWebhook(receiver.url);
    const { data } = await api.call('POST', `${path}/rotate-secret`, { body: { overlap: '24h' } });
    await attempt((await request()).id);
    api.advance(dayMs);
    await attempt((await request()).id);
    const verify = (index: number, key: string) => {
      const { headers = {}, body = '' } = receiver.received[index] ?? {};
      const [id, time, signature] = ['id', 'timestamp', 'signature'].map(
        (name) => `${headers[`webhook-${name}`]}`,
      );
      const expected = new Webhook(key).sign(`${id}`, new Date(Number(time) * 1000), body);
      return signature?.split(' ').includes(expected);
    };
    const secret = `${data.secret}`;
    expect([verify(0, secret), verify(0, old), verify(1, secret), verify(1, old)]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  test('that succeeded is not sent again by another notice', async () => {
    const { request, attempt } = await openWebhook(receiver.url);
    const { id } = await request();
    await attempt(id);
    expect(await attempt(id)).toBeUndefined();
    expect(receiver.received).toHaveLength(1);
  });

  test('is sent once by two notices at the same time', async () => {
    const { request, attempt, delivery } = await openWebhook(receiver.url);
    const { id } = await request();
    const again = await Promise.all([attempt(id), attempt(id)]);
    expect(again.filter((seconds) => seconds !== undefined).length).toBeLessThanOrEqual(1);
    expect(receiver.received).toHaveLength(1);
    expect((await delivery(id)).status).toBe('succeeded');
  });

  test('is attempted eight times, with the documented pauses, and has failed then', async () => {
    receiver.respond(answering(503, {}, 'busy'));
    const { api, request, attempt, delivery } = await openWebhook(receiver.url);
    const { id } = await request();
    for (const [index, pauseMs] of retryDelaysMs.entries()) {
      const seconds = await attempt(id);
      const { nextAttemptAt, attempts, status } = await delivery(id);
      expect([attempts.length, status]).toEqual([index + 1, 'pending']);
      const inMs = Date.parse(nextAttemptAt ?? '') - api.runtime.nowMs();
      expect(Math.abs(inMs - pauseMs)).toBeLessThan(60 * secondMs);
      // Short pauses are spent in the queue, others in the schedule.
      if (pauseMs < minuteMs) expect(seconds).toBe(pauseMs / secondMs);
      else expect([seconds, (await dueOf(api)).length]).toEqual([undefined, 1]);
      api.advance(pauseMs + minuteMs);
    }
    await attempt(id);
    expect(await delivery(id)).toMatchObject({ status: 'failed', nextAttemptAt: null });
    expect((await delivery(id)).attempts.map(({ status, body }) => [status, body])).toEqual(
      Array(8).fill([503, 'busy']),
    );
    expect([receiver.received.length, (await dueOf(api)).length]).toEqual([8, 0]);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
  });

  test('is not attempted before its time', async () => {
    receiver.respond(answering(500));
    const { request, attempt, api } = await openWebhook(receiver.url);
    const { id } = await request();
    await attempt(id);
    expect(await attempt(id)).toBe(5);
    expect(receiver.received).toHaveLength(1);
    api.advance(6 * secondMs);
    await attempt(id);
    expect(receiver.received).toHaveLength(2);
  });

  test('gets all of its attempts, also if the receiver asks for a day each time', async () => {
    receiver.respond(answering(503, { 'Retry-After': '86400' }));
    const { api, request, attempt, delivery } = await openWebhook(receiver.url, {}, () => ({
      randomFraction: () => 0.9,
    }));
    const { id } = await request();
    for (let count = 1; count <= 8; count += 1) {
      await attempt(id);
      const { attempts, status, nextAttemptAt } = await delivery(id);
      expect([attempts.length, status]).toEqual([count, count < 8 ? 'pending' : 'failed']);
      // Each attempt starts two minutes late.
      api.advance(Date.parse(nextAttemptAt ?? '') - api.runtime.nowMs() + 2 * minuteMs || 0);
    }
  });

  test('waits for as long as Retry-After says', async () => {
    receiver.respond(answering(429, { 'Retry-After': '3600' }));
    const { api, request, attempt, delivery } = await openWebhook(receiver.url);
    const { id } = await request();
    await attempt(id);
    const inMs = Date.parse((await delivery(id)).nextAttemptAt ?? '') - api.runtime.nowMs();
    expect(Math.abs(inMs - hourMs)).toBeLessThan(minuteMs);
  });

  test('that has waited in the queue often goes on waiting in the schedule, and is no dead letter', async () => {
    receiver.respond(answering(500));
    const { api, id: webhook, request, attempt, delivery } = await openWebhook(receiver.url);
    await attempt((await request()).id);
    const { id } = await request();
    // Its seconds pass at once, and the time of the webhook does not come.
    const queue = openQueue(webhookSender, api.runtime, 1);
    queue.add([noticeOf(api, webhook, id)]);
    await vi.waitUntil(() => queue.isIdle(), { timeout: 60_000 });
    await queue.stop();
    expect(queue.deadLetters).toEqual([]);
    expect((await dueOf(api)).map(({ id: due }) => `${due}`.includes(id))).toEqual([true]);
    // When its time has come, it is sent.
    receiver.respond(answering(200));
    api.advance(hourMs);
    expect(await runDue(api)).toBe(1);
    expect([(await delivery(id)).status, await dueOf(api)]).toEqual(['succeeded', []]);
  });

  test('that is requested again during its last attempt gets all attempts again', async () => {
    receiver.respond(answering(503));
    const { api, path, request, attempt, delivery } = await openWebhook(receiver.url);
    const { id } = await request();
    for (const pauseMs of retryDelaysMs) {
      await attempt(id);
      api.advance(pauseMs + minuteMs);
    }
    receiver.respond((_, response) => {
      receiver.respond(answering(503));
      void api
        .call('POST', `${path}/deliveries/${id}/redeliver`)
        .then(() => response.writeHead(503).end('late'));
    });
    await attempt(id);
    const { status, attempts } = await delivery(id);
    expect([status, attempts.length, attempts.at(-1)?.body]).toEqual(['pending', 8, 'late']);
    for (const pauseMs of [0, ...retryDelaysMs]) {
      api.advance(pauseMs + 10 * minuteMs);
      await attempt(id);
    }
    expect([(await delivery(id)).status, receiver.received.length]).toEqual(['failed', 16]);
  });

  test('that is requested again during an attempt is sent again at once, not after a pause', async () => {
    receiver.respond(answering(503));
    const { api, path, request, attempt, delivery } = await openWebhook(receiver.url);
    const { id } = await request();
    await attempt(id);
    api.advance(minuteMs);
    receiver.respond((_, response) => {
      receiver.respond(answering(200));
      void api
        .call('POST', `${path}/deliveries/${id}/redeliver`)
        .then(() => response.writeHead(503).end('late'));
    });
    // Decided again within seconds. The webhook fails, so its next attempt waits for another ten.
    expect(await attempt(id)).toBeLessThanOrEqual(3);
    const { status, attempts } = await delivery(id);
    expect([status, attempts.map(({ body }) => body)]).toEqual(['pending', ['', 'late']]);
    api.advance(15 * secondMs);
    await attempt(id);
    expect((await delivery(id)).status).toBe('succeeded');
  });

  test('whose sender was killed is sent again, and no request is missing in its attempts', {
    tags: ['long'],
  }, async () => {
    const begin = await openWebhook(receiver.url);
    for (const afterwards of [false, true]) {
      for (let callsLeft = 1; callsLeft <= 12; callsLeft += 1) {
        const before = receiver.received.length;
        const { id, eventId } = await begin.request();
        const { client, life } = mortal(begin.api.runtime.client);
        Object.assign(life, { callsLeft, afterwards });
        const killed = { runtime: { ...begin.api.runtime, client } };
        await attempt(killed, noticeOf(begin.api, begin.id, id)).catch(() => {});
        for (let tries = 0; (await begin.delivery(id)).status === 'pending'; tries += 1) {
          expect(tries).toBeLessThan(5);
          begin.api.advance(minuteMs);
          await begin.attempt(id);
        }
        const got = receiver.received.slice(before);
        expect(got.length).toBeGreaterThan(0);
        expect(new Set(got.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([eventId]));
        const { status, attempts } = await begin.delivery(id);
        expect([status, attempts.length >= got.length]).toEqual(['succeeded', true]);
      }
    }
  });

  test('to a deleted or disabled webhook fails without a request', async () => {
    const { api, path, request, attempt, delivery } = await openWebhook(receiver.url);
    const { id } = await request();
    await api.call('PATCH', path, { body: { disabled: true } });
    await attempt(id);
    expect((await delivery(id)).status).toBe('failed');
    await api.call('DELETE', path);
    expect(await attempt(id)).toBeUndefined();
    expect(receiver.received).toEqual([]);
  });
});

describe('a receiver', () => {
  test('that answers 410 has its webhook disabled at once', async () => {
    receiver.respond(answering(410));
    const { api, path, request, attempt, delivery } = await openWebhook(receiver.url);
    const { id } = await request();
    await attempt(id);
    expect((await api.call('GET', path)).data).toMatchObject({ disabled: true, disabledReason: 'gone' });
    expect(await delivery(id)).toMatchObject({ status: 'failed', nextAttemptAt: null });
    expect(api.faultLines().map(({ message, webhooksDisabled }) => [message, webhooksDisabled])).toEqual([
      ['webhook disabled', 1],
    ]);
  });

  test('that fails for five days without a success has its webhook disabled', async () => {
    receiver.respond(answering(500));
    const { api, path, request, attempt } = await openWebhook(receiver.url);
    await attempt((await request()).id);
    api.advance(5 * dayMs - hourMs);
    await attempt((await request()).id);
    expect((await api.call('GET', path)).data.disabled).toBe(false);
    api.advance(2 * hourMs);
    await attempt((await request()).id);
    expect((await api.call('GET', path)).data).toMatchObject({ disabled: true, disabledReason: 'failing' });
    // Enabled again, it has five more days.
    await api.call('PATCH', path, { body: { disabled: false } });
    await attempt((await request()).id);
    expect((await api.call('GET', path)).data.disabled).toBe(false);
  });

  test('that succeeds once in between is not disabled', async () => {
    receiver.respond(answering(500));
    const { api, path, request, attempt } = await openWebhook(receiver.url);
    await attempt((await request()).id);
    api.advance(4 * dayMs);
    receiver.respond(answering(200));
    await attempt((await request()).id);
    receiver.respond(answering(500));
    api.advance(2 * dayMs);
    await attempt((await request()).id);
    expect((await api.call('GET', path)).data.disabled).toBe(false);
  });

  test('that fails gets one request at a time, and the others wait', async () => {
    receiver.respond(answering(500));
    const { api, request, attempt, delivery } = await openWebhook(receiver.url);
    const [first, second, third] = [await request(), await request(), await request()];
    await attempt(first.id);
    expect([await attempt(second.id), await attempt(third.id)]).toEqual([5, 5]);
    expect(receiver.received).toHaveLength(1);
    expect((await delivery(second.id)).attempts).toEqual([]);
    api.advance(6 * secondMs);
    receiver.respond(answering(200));
    for (const { id } of [second, third, first]) await attempt(id);
    expect(receiver.received).toHaveLength(4);
  });

  test('whose deliveries have waited for longer than their retries take gets no more of them', async () => {
    receiver.respond(answering(500));
    const { api, request, attempt, delivery } = await openWebhook(receiver.url);
    const { id } = await request();
    api.advance(maxAgeMs + minuteMs);
    await attempt(id);
    expect([(await delivery(id)).status, receiver.received.length]).toEqual(['failed', 0]);
  });
});

const connectsToNone = (step: number) => async () => {
  let addresses: string[] = [];
  const { api, request, attempt, delivery } = await openWebhook(
    'https://rebind.example.com/hook',
    {},
    ({ network }) => ({ network: { ...network, resolveName: async () => addresses } }),
  );
  const connect = vi.spyOn(Socket.prototype, 'connect');
  const tried = hostileAddresses.filter((_, index) => index % step === 0);
  for (const address of tried) {
    // The first answer is public, and the next one is not.
    addresses = ['8.8.8.8', address];
    const { id } = await request();
    await attempt(id);
    expect((await delivery(id)).attempts).toMatchObject([{ status: null, error: 'address_not_allowed' }]);
    // Otherwise it would wait for the failures before.
    api.advance(10 * minuteMs);
  }
  const to = connect.mock.calls.map(([options]) => JSON.stringify(options));
  connect.mockRestore();
  expect(new Set(tried).size).toBeGreaterThanOrEqual(60 / step);
  expect(to.filter((options) => /rebind|8\.8\.8\.8|:443\b/.test(options))).toEqual([]);
};
const toNone = 'the sender connects to no hostile address, whatever the name of the receiver leads to';
test(`${toNone}: some addresses`, connectsToNone(6));
test(`${toNone}: all addresses`, { tags: ['nightly'] }, connectsToNone(1));

test.each(['https://a..b.example', `https://${'a'.repeat(64)}.example`])(
  'a webhook of an older version with the url %j has failed attempts, and its worker does not fail',
  async (url) => {
    const { api, id: webhookId, request, attempt, delivery } = await openWebhook(receiver.url);
    await changeStored(api, 'webhooks', webhookId, 'url', url);
    const { id } = await request();
    await attempt(id);
    expect(await delivery(id)).toMatchObject({
      status: 'pending',
      attempts: [{ status: null, error: 'name_not_found' }],
    });
  },
);

test('no table has the secret, and no log line has the event', async () => {
  const { api, secret, request, attempt } = await openWebhook(receiver.url);
  await attempt((await request()).id);
  for (const table of ['webhooks', 'deliveries', 'idempotency', 'schedule'] as const)
    expect(JSON.stringify(await storedOf(api, table))).not.toContain(secret.slice(6));
});
