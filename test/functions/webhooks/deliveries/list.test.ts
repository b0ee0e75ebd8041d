import { describe, expect, test } from 'vitest';
import { dayMs } from '../../../../lib/base/time.ts';
import eventWriter from '../../../../workers/event-writer.ts';
import webhookSender from '../../../../workers/webhook-sender.ts';
import { refuses, responds } from '../../../support/responses.ts';
import { handleAll } from '../../../support/suspensions.ts';
import { answering, openReceiver, openWebhook } from '../../../support/webhooks.ts';

describe('webhooks.deliveries.list', () => {
  responds(200, 'by status, newest first, for 30 days', async () => {
    const receiver = await openReceiver();
    const { api, path, request, attempt } = await openWebhook(receiver.url);
    const [first, second, third] = [await request(), await request(), await request()];
    await attempt(first.id);
    receiver.respond(answering(410, {}, 'gone'));
    await attempt(second.id);
    const ids = async (query = '') => {
      const { data } = await api.call('GET', `${path}/deliveries${query}`);
      return (data.items as { id: string }[]).map(({ id }) => id);
    };
    expect(await ids()).toEqual([third.id, second.id, first.id]);
    expect(await ids('?status=succeeded')).toEqual([first.id]);
    expect(await ids('?status=failed')).toEqual([second.id]);
    expect(await ids('?status=pending&limit=1')).toEqual([third.id]);
    const response = await api.call('GET', `${path}/deliveries?status=failed`);
    expect(response.data.items).toMatchObject([
      { attempts: [{ status: 410, body: 'gone', error: null }], nextAttemptAt: null },
    ]);
    api.advance(31 * dayMs);
    expect(await ids()).toEqual([]);
    await receiver.close();
    return response;
  });

  responds(
    200,
    'without the answers of a receiver of messages, for a key that may not read them',
    async () => {
      const receiver = await openReceiver();
      receiver.respond(answering(200, {}, 'an echo of the messages'));
      const { api, path, request, attempt } = await openWebhook(receiver.url, { include: ['messages'] });
      await attempt((await request()).id);
      const bodies = async (scopes: string[]) => {
        const { secret: key } = await api.createKey({ scopes });
        const { data } = await api.call('GET', `${path}/deliveries`, { key });
        return (data.items as { attempts: { body: string }[] }[]).map(({ attempts }) => attempts[0]?.body);
      };
      expect(await bodies(['webhooks:read', 'conversations:read'])).toEqual(['an echo of the messages']);
      expect(await bodies(['webhooks:read'])).toEqual([null]);
      const { secret: key } = await api.createKey({ scopes: ['webhooks:write'] });
      const response = await api.call('GET', `${path}/deliveries`, { key });
      const [{ id = '' } = {}] = response.data.items as { id?: string }[];
      const again = await api.call('POST', `${path}/deliveries/${id}/redeliver`, { key });
      expect([again.status, response.text, again.text].join()).not.toContain('an echo');
      expect(again.status).toBe(202);
      await receiver.close();
      return response;
    },
  );

  test('the answers of a receiver are for those who may read the event', async () => {
    const receiver = await openReceiver();
    receiver.respond(answering(200, {}, 'an echo of the event'));
    const { api, path, request, attempt } = await openWebhook(receiver.url);
    await attempt((await request()).id);
    await api.createProject();
    await handleAll(api, eventWriter, 'projects', () => true);
    await handleAll(api, webhookSender, 'deliveries', ({ id }) => id.startsWith('dlv_'));
    const bodies = async (scopes: string[]) => {
      const { secret: key } = await api.createKey({ scopes });
      const { data } = await api.call('GET', `${path}/deliveries`, { key });
      const items = data.items as { eventType: string; attempts: { body: string | null }[] }[];
      return Object.fromEntries(
        items.map(({ eventType, attempts }) => [eventType, attempts[0]?.body ?? null]),
      );
    };
    expect(await bodies(['webhooks:read'])).toEqual({
      'webhook.test': 'an echo of the event',
      'project.created': null,
    });
    expect(await bodies(['webhooks:read', 'projects:read'])).toEqual({
      'webhook.test': 'an echo of the event',
      'project.created': 'an echo of the event',
    });
    await receiver.close();
  });

  refuses('not_found', 'a webhook of other projects, for a bound key', async () => {
    const { api, path } = await openWebhook('http://127.0.0.1:1/');
    const projectIds = [await api.createProject()];
    const { secret: key } = await api.createKey({ scopes: ['webhooks:read'], projectIds });
    return api.call('GET', `${path}/deliveries`, { key });
  });
});
