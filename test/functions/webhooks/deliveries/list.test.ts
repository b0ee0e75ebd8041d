import { describe, expect } from 'vitest';
import { dayMs } from '../../../../lib/time.ts';
import { refuses, responds } from '../../../support/responses.ts';
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

  refuses('not_found', 'a webhook of other projects, for a bound key', async () => {
    const { api, path } = await openWebhook('http://127.0.0.1:1/');
    const projectIds = [await api.createProject()];
    const { secret: key } = await api.createKey({ scopes: ['webhooks:read'], projectIds });
    return api.call('GET', `${path}/deliveries`, { key });
  });
});
