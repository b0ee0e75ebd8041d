/** What the audit log says of uploads and deliveries, which are no resources. */

import { expect, onTestFinished, test } from 'vitest';
import { type Json, openApi, toLoopback } from '../../../samples/api.ts';
import auditWriter from '../../../workers/audit-writer.ts';
import webhookSender from '../../../workers/webhook-sender.ts';
import { allEvents } from '../../support/events.ts';
import { upload } from '../../support/imports.ts';
import { answering, openReceiver } from '../../support/webhooks.ts';
import { follow } from '../../support/workers.ts';

const webhookScopes = ['webhooks:write', 'projects:read'];

/** @returns what the events say, oldest first */
const said = (events: readonly Json[]) =>
  events.toReversed().map(({ action, resource, projectId, changes }) => ({
    action,
    resource,
    projectId,
    changes,
  }));

test('an upload and its import are events of the upload, without the link', async () => {
  const api = await openApi();
  const feed = await follow(api, [auditWriter]);
  onTestFinished(() => feed.stop());
  const projectId = await api.createProject();
  const uploadId = await upload(api, projectId, Buffer.from('x'));
  const path = `/projects/${projectId}/conversations/import-file`;
  const { data: job } = await api.call('POST', path, { body: { uploadId } });
  await feed.settled();
  const resource = { type: 'upload', id: uploadId };
  const events = await allEvents(api, `&resourceId=${uploadId}`);
  expect(said(events)).toEqual([
    {
      action: 'uploads.create',
      resource,
      projectId,
      changes: {
        fields: ['bytes', 'purpose'],
        before: null,
        after: { bytes: 1, purpose: 'conversations' },
        omitted: [],
      },
    },
    {
      action: 'conversations.import-file',
      resource,
      projectId,
      changes: { fields: ['jobId'], before: { jobId: null }, after: { jobId: job.id }, omitted: [] },
    },
  ]);
  expect(JSON.stringify(await allEvents(api))).not.toContain('memory:');
});

test('a test and a redelivery are events of the webhook, with the caller and without what the receiver answers', async () => {
  const receiver = await openReceiver();
  receiver.respond(answering(200, {}, 'answer of the receiver'));
  const api = await openApi(toLoopback);
  const feed = await follow(api, [auditWriter, webhookSender]);
  onTestFinished(() => Promise.all([feed.stop(), receiver.close()]).then(() => {}));
  const { id: keyId, secret: key } = await api.createKey({ scopes: webhookScopes });
  const body = { url: `${receiver.url}?token=hidden`, eventTypes: ['project.created'] };
  const { data: webhook } = await api.call('POST', '/webhooks', { body });
  const path = `/webhooks/${webhook.id}`;
  const { data: delivery } = await api.call('POST', `${path}/test`, { key, sourceIp: '198.51.100.23' });
  await expect.poll(() => receiver.received.length).toBe(1);
  await feed.settled();
  const again = `${path}/deliveries/${delivery.id}/redeliver`;
  expect((await api.call('POST', again, { key, idempotencyKey: 'again' })).status).toBe(202);
  expect((await api.call('POST', again, { key, idempotencyKey: 'again' })).status).toBe(202);
  await expect.poll(() => receiver.received.length).toBe(2);
  await feed.settled();
  const [redelivered, tested, ...others] = await allEvents(api, `&resourceId=${webhook.id}`);
  expect(others.map(({ action }) => action)).toEqual(['webhooks.create']);
  const { id, eventId, eventType } = delivery;
  const changes = {
    fields: ['delivery'],
    before: { delivery: null },
    after: { delivery: { id, eventId, eventType } },
    omitted: [],
  };
  const resource = { type: 'webhook', id: webhook.id };
  const actor = { kind: 'key', id: keyId };
  const origin = { address: '198.51.100.23' };
  expect(tested).toMatchObject({ action: 'webhooks.test', actor, resource, changes, origin });
  expect(redelivered).toMatchObject({ action: 'webhooks.deliveries.redeliver', actor, resource, changes });
  const log = JSON.stringify(await allEvents(api));
  for (const hidden of ['token', 'hidden', 'answer of the receiver', 'whsec_']) {
    expect(log).not.toContain(hidden);
  }
});
