/** Events of webhooks: what each change says, and what a receiver's answer leads to. */

import { afterEach, expect, test } from 'vitest';
import { dayMs } from '../../../../lib/base/time.ts';
import { type Json, openApi, toLoopback } from '../../../../samples/api.ts';
import type { Feed } from '../../../../scripts/local/feed.ts';
import auditWriter from '../../../../workers/audit-writer.ts';
import eventWriter from '../../../../workers/event-writer.ts';
import webhookKeeper from '../../../../workers/webhook-keeper.ts';
import webhookSender from '../../../../workers/webhook-sender.ts';
import { allEvents, eventsOf } from '../../../support/events.ts';
import { answering, openReceiver, type Receiver } from '../../../support/webhooks.ts';
import { follow } from '../../../support/workers.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function open() {
  const api = await openApi((runtime) => ({ ...toLoopback(runtime), sleep: async () => {} }));
  const feed: Feed = await follow(api, [auditWriter, eventWriter, webhookSender, webhookKeeper]);
  opened.push({ close: () => feed.stop() });
  const receiverOf = async () => {
    const receiver = await openReceiver();
    opened.push(receiver);
    return receiver;
  };
  const create = async ({ url }: Receiver, eventTypes: string[]) => {
    const { data } = await api.call('POST', '/webhooks', { body: { url, eventTypes } });
    return { id: `${data.id}`, path: `/webhooks/${data.id}` };
  };
  /** @returns the events of a webhook, oldest first */
  const told = async (id: string) => (await eventsOf(api, `&resourceId=${id}`)).toReversed();
  return { api, feed, receiverOf, create, told };
}

const bodiesOf = ({ received }: Receiver) =>
  received.map(({ body }) => JSON.parse(body) as { type: string; data: Json });

test('each change of a webhook is one event, with what its GET shows', { tags: ['long'] }, async () => {
  const { api, feed, receiverOf, create, told } = await open();
  const { id, path } = await create(await receiverOf(), ['job.*']);
  const patch = (body: Json) => api.call('PATCH', path, { body });
  const since = api.runtime.nowMs() - 1000;
  const steps: [type: string, act: () => Promise<unknown>][] = [
    ['webhook.created', async () => {}],
    ['webhook.updated', () => patch({ description: 'for the help desk' })],
    ['webhook.rotated', () => api.call('POST', `${path}/rotate-secret`, { body: {} })],
    ['webhook.disabled', () => patch({ disabled: true })],
    ['webhook.updated', () => patch({ disabled: false })],
  ];
  for (const [index, [type, act]] of steps.entries()) {
    await act();
    await feed.settled();
    const events = await told(id);
    const { data } = await api.call('GET', path);
    expect(events).toHaveLength(index + 1);
    expect(events.at(-1)).toMatchObject({ type, projectId: null, data });
    expect(JSON.stringify(events.at(-1)?.data)).toBe(JSON.stringify(data));
    expect(JSON.stringify(events)).not.toContain('whsec_');
  }
  // The request and its end.
  await api.call('POST', `${path}/recover`, { body: { since: new Date(since).toISOString() } });
  await feed.settled();
  await api.call('DELETE', path);
  await feed.settled();
  const types = (await told(id)).map(({ type }) => type).slice(steps.length);
  expect(types).toEqual(['webhook.updated', 'webhook.updated', 'webhook.deleted']);
});

test('attempts are no events, and a webhook gets none about itself', { tags: ['long'] }, async () => {
  const { api, feed, receiverOf, create, told } = await open();
  const receiver = await receiverOf();
  const { id, path } = await create(receiver, ['*']);
  await api.createProject();
  await api.call('POST', `${path}/test`);
  await api.call('PATCH', path, { body: { description: 'changed' } });
  await feed.settled();
  const { data } = await api.call('GET', `${path}/deliveries`);
  for (const delivery of data.items as Json[])
    await api.call('POST', `${path}/deliveries/${delivery.id}/redeliver`);
  await feed.settled();
  expect((await told(id)).map(({ type }) => type)).toEqual(['webhook.created', 'webhook.updated']);
  const types = ['project.created', 'webhook.test'];
  expect(
    bodiesOf(receiver)
      .map(({ type }) => type)
      .sort(),
  ).toEqual([...types, ...types].sort());
});

test.each([
  ['answers 410', 'gone', 410, 0],
  ['fails for five days', 'failing', 500, 5 * dayMs],
])(
  'a receiver that %s: an event, the audit log and a line for the alarm say so',
  async (_, reason, status, pauseMs) => {
    const { api, feed, receiverOf, create, told } = await open();
    const [broken, watching] = [await receiverOf(), await receiverOf()];
    broken.respond(answering(status));
    const { id, path } = await create(broken, ['*']);
    await create(watching, ['webhook.disabled']);
    await api.call('POST', `${path}/test`);
    await feed.settled();
    if (pauseMs > 0) {
      api.advance(pauseMs);
      await api.call('POST', `${path}/test`);
      await feed.settled();
    }
    expect((await told(id)).map(({ type }) => type)).toEqual(['webhook.created', 'webhook.disabled']);
    expect(bodiesOf(watching)).toMatchObject([
      {
        type: 'webhook.disabled',
        data: { id, disabled: true, disabledReason: reason, health: { status: 'failing' } },
      },
    ]);
    const logged = (await allEvents(api)).filter(({ actor }) =>
      JSON.stringify(actor).includes('worker:webhook-sender'),
    );
    expect(logged).toMatchObject([
      { resource: { type: 'webhook', id }, changes: { after: { disabled: true, disabledReason: reason } } },
    ]);
    expect(api.faultLines().map(({ message, webhooksDisabled }) => [message, webhooksDisabled])).toEqual([
      ['webhook disabled', 1],
    ]);
  },
);
