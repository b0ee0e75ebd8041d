/** The secrets in the query of a webhook's URL are in no log. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { loggedUrl } from '../../../lib/audit/store/fields.ts';
import { render } from '../../../lib/base/log.ts';
import { storedOf } from '../../../samples/api.ts';
import { deliverNotices, noticesOf } from '../../../samples/lambda-queue.ts';
import { changeRecord } from '../../../samples/stream-records.ts';
import auditWriter from '../../../workers/audit-writer.ts';
import { openReceiver, openWebhook, type Receiver } from '../../support/webhooks.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

test.each([
  ['https://acme.example/hooks?token=geheim', 'https://acme.example/hooks'],
  ['https://acme.example:8443/hooks/', 'https://acme.example:8443/hooks/'],
  ['https://user:geheim@acme.example/#geheim', 'https://acme.example/'],
  ['geheim', null],
  [null, null],
])('of %j, logs show %j', (url, shown) => {
  expect([loggedUrl(url), loggedUrl(loggedUrl(url))]).toEqual([shown, shown]);
});

test('the audit log says that the URL has changed, and shows its origin and path', async () => {
  const { api, id, path } = await openWebhook(`${receiver.url}?token=geheim`);
  const stored = async () =>
    (await storedOf(api, 'webhooks')).find((item) => item.id === id && 'url' in item);
  const before = await stored();
  await api.call('PATCH', path, { body: { url: `${receiver.url}?token=auch-geheim` } });
  const records = [changeRecord(undefined, before), changeRecord(before, await stored())];
  const notices = noticesOf(auditWriter, records, 'webhooks');
  expect(JSON.stringify(notices)).not.toContain('geheim');
  await deliverNotices(api.runtime, auditWriter, notices);
  const { data } = await api.call('GET', `/audit-events?resourceId=${id}`);
  expect(data.items).toMatchObject([
    { changes: { fields: ['url'], before: { url: receiver.url }, after: { url: receiver.url } } },
    { changes: { before: null, after: { url: receiver.url } } },
  ]);
  expect(JSON.stringify(await storedOf(api, 'audit'))).not.toContain('geheim');
});

test('no log line has the query, whatever goes wrong', async () => {
  const { api, request, attempt, path } = await openWebhook(`${receiver.url}?token=geheim`);
  receiver.respond((_, response) => void response.writeHead(410).end());
  await attempt((await request()).id);
  await api.call('PATCH', path, { body: { url: 'https://10.0.0.1/?token=geheim' } });
  await api.call('PATCH', path, { body: { url: 'http://[?token=geheim' } });
  const lines = [...api.requestLines(), ...api.faultLines()].map((line) => render(line, 'test', 0));
  expect(lines.join()).toContain('webhook disabled');
  expect(lines.join()).not.toContain('geheim');
});
