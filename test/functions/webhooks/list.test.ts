import { describe, expect } from 'vitest';
import { openApi } from '../../support/api.ts';
import { responds } from '../../support/responses.ts';
import { webhookBody } from '../../support/samples.ts';

describe('webhooks.list', () => {
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
});
