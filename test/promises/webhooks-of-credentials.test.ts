/**
 * Webhooks after a change of the credential that has set them. Webhooks outlive their key: deployments create them with
 * short-lived keys. Only a revocation with children ends them, with everything that waits to be sent.
 */

import { afterEach, expect, test } from 'vitest';
import { hourMs, minuteMs } from '../../lib/base/time.ts';
import { type Json, openApi, type TestApi, toLoopback } from '../../samples/api.ts';
import eventWriter from '../../workers/event-writer.ts';
import keyRevoker from '../../workers/key-revoker.ts';
import webhookKeeper from '../../workers/webhook-keeper.ts';
import webhookSender from '../../workers/webhook-sender.ts';
import { answering, attempt, noticeOf, openReceiver } from '../support/webhooks.ts';
import { follow } from '../support/workers.ts';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const scopes = ['api-keys:write', 'webhooks:write', 'events:read', 'conversations:write'];

/** A webhook with messages, of a key that was created by another, and with a delivery that has failed once. */
async function open() {
  const api = await openApi((runtime) => ({
    ...toLoopback(runtime),
    sleep: async () => {},
    randomFraction: () => 0,
  }));
  const workers = [eventWriter, webhookSender, webhookKeeper, keyRevoker];
  const feed = await follow(api, workers);
  const receiver = await openReceiver();
  opened.push(receiver, { close: () => feed.stop() });
  const project = await api.createProject();
  const parent = await api.createKey({ scopes, expiresIn: '30d' });
  const body = { scopes, expiresIn: '2h', projectIds: [project] };
  const key = await api.createKey(body, parent.secret);
  const eventTypes = ['conversation.ended'];
  const { data } = await api.call('POST', '/webhooks', {
    key: key.secret,
    body: { url: receiver.url, eventTypes, include: ['messages'] },
  });
  const path = `/webhooks/${data.id}`;
  /** Ends a conversation, and waits until the workers have nothing left to do. */
  const say = async (text: string) => {
    const conversation = await api.createConversation({}, project);
    const messages = [{ role: 'user', text }];
    await api.call('POST', `${conversation}/messages`, { body: { messages } });
    await api.call('POST', `${conversation}/end`, { body: { reason: 'done' } });
    await feed.settled();
  };
  // A first success, so that the webhook is not restricted, and then a failure.
  await say('before');
  receiver.respond(answering(500));
  await say('pending');
  receiver.respond(answering(200));
  const pending = async () => {
    const { data } = await api.call('GET', `${path}/deliveries?status=pending`);
    return (data.items as Json[]).map(({ id }) => `${id}`);
  };
  expect(await pending()).toHaveLength(1);
  receiver.received.splice(0);
  /** Lets time pass, until every delivery has ended. */
  const sendPending = async () => {
    for (let left = await pending(); left.length > 0; left = await pending()) {
      api.advance(10 * minuteMs);
      for (const delivery of left) await attempt(api, noticeOf(api, `${data.id}`, delivery));
    }
  };
  return { api, feed, receiver, project, parent, key, path, id: `${data.id}`, say, pending, sendPending };
}

type World = Awaited<ReturnType<typeof open>>;

const revocationOf = async (api: TestApi, id: string) =>
  (await api.call('GET', `/api-keys/${id}`)).data.childrenRevocation as Json | null;

type Row = { happens: string; goesOn: boolean; act(world: World): Promise<unknown> };

const rows: Row[] = [
  {
    happens: 'is rotated, and its old secret ends',
    goesOn: true,
    act: ({ api, key }) => api.call('POST', `/api-keys/${key.id}/rotate`, { body: { overlap: '0s' } }),
  },
  {
    happens: 'expires',
    goesOn: true,
    async act({ api, key }) {
      api.advance(3 * hourMs);
      expect((await api.call('GET', '/api-keys/me', { key: key.secret })).status).toBe(401);
      expect((await api.call('DELETE', `/api-keys/${key.id}?dryRun=true`)).data).toMatchObject({
        webhooks: 1,
      });
    },
  },
  {
    happens: 'is revoked',
    goesOn: true,
    async act({ api, key }) {
      expect((await api.call('DELETE', `/api-keys/${key.id}`)).data).toMatchObject({ webhooks: 1 });
    },
  },
  {
    happens: 'is revoked with its children',
    goesOn: false,
    async act({ api, key, feed, id }) {
      const path = `/api-keys/${key.id}?children=true`;
      expect((await api.call('DELETE', `${path}&dryRun=true`)).data).toMatchObject({ webhooks: 1 });
      expect((await api.call('DELETE', path)).status).toBe(202);
      await feed.settled();
      expect(await revocationOf(api, key.id)).toMatchObject({ webhookIds: [id] });
    },
  },
  {
    happens: 'is revoked as a child of another key',
    goesOn: false,
    async act({ api, parent, feed, id }) {
      await api.call('DELETE', `/api-keys/${parent.id}?children=true`);
      await feed.settled();
      expect(await revocationOf(api, parent.id)).toMatchObject({ revoked: 1, webhookIds: [id] });
    },
  },
  {
    happens: 'loses the scopes for webhooks and for reading conversations',
    goesOn: true,
    act: ({ api, key }) => api.call('PATCH', `/api-keys/${key.id}`, { body: { scopes: ['projects:read'] } }),
  },
];

const followsRow = async ({ act, goesOn }: Row) => {
  const world = await open();
  const { api, receiver, path, say, pending, sendPending } = world;
  const waiting = await pending();
  await act(world);
  await say('after');
  await sendPending();
  const texts = receiver.received.map(({ body }) => JSON.parse(body).data.messages[0].text).sort();
  expect(texts).toEqual(goesOn ? ['after', 'pending'] : []);
  const { data } = await api.call('GET', path);
  expect([data.disabled, data.disabledReason]).toEqual(goesOn ? [false, null] : [true, 'key_revoked']);
  if (goesOn) return;

  const { data: deliveries } = await api.call('GET', `${path}/deliveries`);
  expect((deliveries.items as Json[]).map(({ status }) => status)).toEqual(['failed', 'succeeded']);
  const again = [
    `${path}/test`,
    ...waiting.map((delivery) => `${path}/deliveries/${delivery}/redeliver`),
    `${path}/recover`,
  ];
  for (const to of again) {
    const body = to.endsWith('recover') ? { since: '2026-01-01T00:00:00Z' } : undefined;
    const response = await api.call('POST', to, { ...(body && { body }) });
    expect([to, response.error?.code]).toEqual([to, 'webhook_disabled']);
  }
  await sendPending();
  expect(receiver.received).toEqual([]);
};

/** test/promises/what-credentials-start.test.ts has all of them for one delivery. */
const shown = ['is revoked as a child of another key'];
const [some, others] = [true, false].map((is) =>
  rows.filter(({ happens }) => shown.includes(happens) === is),
);
test.each(some ?? [])('when the key $happens, its webhooks go on: $goesOn', followsRow);
test.each(others ?? [])('when the key $happens, its webhooks go on: $goesOn', { tags: ['long'] }, followsRow);

test('when the project of the key is deleted, only what was pending is still sent', {
  tags: ['long'],
}, async () => {
  const { api, feed, receiver, project, path, sendPending } = await open();
  await api.call('DELETE', `/projects/${project}`);
  await feed.settled();
  await expect(api.createConversation({}, project)).rejects.toThrow('not_found');
  await sendPending();
  const texts = receiver.received.map(({ body }) => JSON.parse(body).data.messages[0].text);
  expect(texts).toEqual(['pending']);
  expect((await api.call('GET', path)).data.disabled).toBe(false);
});
