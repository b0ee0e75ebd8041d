import { describe, expect, test } from 'vitest';
import { minuteMs } from '../../../lib/base/time.ts';
import { openApi } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('conversations.end', () => {
  responds(200, 'with the conversation ended', async () => {
    const { call, createConversation } = await openApi();
    const path = await createConversation();
    const { data: before } = await call('GET', path);
    const response = await call('POST', `${path}/end`, { body: { reason: 'handed over' } });
    const { endedAt } = response.data;
    const ended = { status: 'ended', endedAt, endReason: 'handed over', updatedAt: endedAt };
    expect(response.data).toEqual({ ...before, ...ended });
    expect((await call('GET', path)).data).toEqual(response.data);
    return response;
  });

  responds(200, 'with an ended conversation unchanged', async () => {
    const { call, createConversation, advance } = await openApi();
    const path = await createConversation();
    const { data } = await call('POST', `${path}/end`, { body: { reason: 'completed' } });
    advance(minuteMs);
    const response = await call('POST', `${path}/end`, { body: { reason: 'error' } });
    expect(response.data).toEqual(data);
    return response;
  });

  responds(200, 'with a timed out conversation unchanged', async () => {
    const { call, createConversation, advance } = await openApi();
    const path = await createConversation();
    advance(30 * minuteMs);
    const { data } = await call('GET', path);
    const response = await call('POST', `${path}/end`, { body: { reason: 'completed' } });
    expect(response.data).toEqual(data);
    expect(data.endReason).toBe('timeout');
    return response;
  });

  responds(200, 'with the sent end of an imported conversation', async () => {
    const { call, createConversation } = await openApi();
    const path = await createConversation({ startedAt: '2026-03-01T09:30:00Z' });
    const messages = [{ role: 'user', text: 'a', at: '2026-03-01T09:40:00Z' }];
    await call('POST', `${path}/messages`, { body: { messages } });
    const refused = [
      '2026-03-01T09:29:59.999Z',
      '2026-03-01T09:39:59.999Z',
      '2999-01-01T00:00:00Z',
      '1969-01-01T00:00:00Z',
    ];
    for (const endedAt of refused) {
      const { status, error } = await call('POST', `${path}/end`, { body: { reason: 'completed', endedAt } });
      expect([status, error.details?.map((detail) => detail.path)], endedAt).toEqual([400, ['endedAt']]);
    }
    const body = { reason: 'completed', endedAt: '2026-03-01T11:40:00+02:00' };
    const response = await call('POST', `${path}/end`, { body });
    expect(response.data).toMatchObject({ status: 'ended', endedAt: '2026-03-01T09:40:00.000Z' });
    expect((await call('GET', path)).data).toEqual(response.data);
    expect(Date.parse(response.data.updatedAt as string)).toBeGreaterThan(Date.parse('2026-03-02'));
    // A repeated request changes nothing, whatever its body is.
    expect((await call('POST', `${path}/end`, { body: { ...body, endedAt: undefined } })).data).toEqual(
      response.data,
    );
    return response;
  });

  refuses('not_found', 'an erased conversation', async () => {
    const { call, createConversation } = await openApi();
    const path = await createConversation();
    await call('DELETE', path);
    return call('POST', `${path}/end`, { body: { reason: 'completed' } });
  });

  test.each([{}, { reason: '' }, { reason: 'x'.repeat(41) }, { reason: null }])(
    '400 validation_error: %j',
    async (body) => {
      const { call, createConversation } = await openApi();
      const { error } = await call('POST', `${await createConversation()}/end`, { body });
      expect(error.details?.map((detail) => detail.path)).toEqual(['reason']);
    },
  );
});
