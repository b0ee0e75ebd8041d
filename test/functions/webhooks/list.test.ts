import { describe, expect } from 'vitest';
import { minuteMs } from '../../../lib/base/time.ts';
import { type Json, openApi } from '../../../samples/api.ts';
import { webhookBody, webhookScopes } from '../../../samples/samples.ts';
import { responds } from '../../support/responses.ts';
import { answering, attempt, noticeOf, openReceiver, openWebhook } from '../../support/webhooks.ts';

describe('webhooks.list', () => {
  responds(200, 'those that fail, or that were disabled because of their receiver', async () => {
    await using receiver = await openReceiver();
    const { api, id: working } = await openWebhook(receiver.url);
    const create = async () => {
      const { data } = await api.call('POST', '/webhooks', {
        body: { url: receiver.url, eventTypes: ['*'] },
      });
      return `${data.id}`;
    };
    /** Sends a test, which the receiver answers with the status. */
    const answer = async (id: string, status: number) => {
      receiver.respond(answering(status));
      const { data } = await api.call('POST', `/webhooks/${id}/test`);
      await attempt(api, noticeOf(api, id, `${data.id}`));
    };
    const switchTo = (id: string, disabled: boolean) =>
      api.call('PATCH', `/webhooks/${id}`, { body: { disabled } });
    const [failing, gone, stopped, enabled, untried, recovered] = [
      await create(),
      await create(),
      await create(),
      await create(),
      await create(),
      await create(),
    ];
    await answer(working, 200);
    for (const id of [failing, stopped, enabled, recovered]) await answer(id, 500);
    await answer(gone, 410);
    await switchTo(stopped, true);
    await switchTo(enabled, true);
    await switchTo(enabled, false);
    api.advance(minuteMs);
    await answer(recovered, 200);

    const idsOf = ({ data }: { data: Json }) => (data.items as { id: string }[]).map(({ id }) => id);
    const response = await api.call('GET', '/webhooks?failing=true');
    expect(idsOf(response)).toEqual([stopped, gone, failing]);
    const others = await api.call('GET', '/webhooks?failing=false');
    expect(idsOf(others)).toEqual([recovered, untried, enabled, working]);
    expect(idsOf(await api.call('GET', '/webhooks'))).toHaveLength(7);
    // Pages may be short, and lead to all.
    const paged: string[] = [];
    for (let cursor: unknown = ''; cursor !== null; ) {
      const { data } = await api.call(
        'GET',
        `/webhooks?failing=true&limit=1${cursor && `&cursor=${cursor}`}`,
      );
      paged.push(...idsOf({ data }));
      cursor = data.nextCursor;
    }
    expect(paged).toEqual([stopped, gone, failing]);
    expect((await api.call('GET', '/webhooks?failing=yes')).error.code).toBe('validation_error');
    return response;
  });

  responds(200, 'newest first, page by page', async () => {
    const { call } = await openApi();
    const ids: unknown[] = [];
    for (let count = 0; count < 3; count += 1)
      ids.unshift((await call('POST', '/webhooks', { body: webhookBody })).data.id);
    const first = await call('GET', '/webhooks?limit=2');
    const second = await call('GET', `/webhooks?limit=2&cursor=${first.data.nextCursor}`);
    const items = [first, second].flatMap(({ data }) => data.items as { id: string }[]);
    expect(items.map(({ id }) => id)).toEqual(ids);
    expect(second.data.nextCursor).toBeNull();
    return first;
  });

  responds(200, 'those that a key created, or whose URL, content or secret it has set', async () => {
    const { call, createKey } = await openApi();
    const { id, secret: key } = await createKey({ scopes: webhookScopes });
    const create = async (key?: string) =>
      `/webhooks/${(await call('POST', '/webhooks', { body: webhookBody, ...(key !== undefined && { key }) })).data.id}`;
    await create();
    const [own, moved, changed, rotated] = [
      await create(key),
      await create(),
      await create(),
      await create(),
    ];
    await call('PATCH', moved, { key, body: { url: 'https://example.org/' } });
    await call('PATCH', changed, { key, body: { eventTypes: ['job.*'] } });
    await call('POST', `${rotated}/rotate-secret`, { key, body: {} });
    // Others have set everything that it had set, and it is still the creator.
    await call('PATCH', own, { body: webhookBody });
    await call('POST', `${own}/rotate-secret`, { body: {} });
    const response = await call('GET', `/webhooks?createdBy=${id}`);
    const paths = (response.data.items as { id: string }[]).map((item) => `/webhooks/${item.id}`);
    expect(paths).toEqual([rotated, changed, moved, own]);
    expect((await call('GET', '/webhooks?createdBy=key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E')).data.items).toEqual([]);
    expect((await call('GET', '/webhooks?createdBy=')).error.code).toBe('validation_error');
    return response;
  });
});
