import { describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '../../../lib/base/time.ts';
import { type Json, openApi } from '../../../samples/api.ts';
import { webhookBody, webhookScopes } from '../../../samples/samples.ts';
import { refuses, responds } from '../../support/responses.ts';

async function open() {
  const api = await openApi();
  const { data } = await api.call('POST', '/webhooks', { body: webhookBody });
  return { ...api, old: data, path: `/webhooks/${data.id}`, rotate: `/webhooks/${data.id}/rotate-secret` };
}

describe('webhooks.rotate-secret', () => {
  responds(200, 'with a new secret, and a day in which both sign', async () => {
    const { call, path, rotate, old, advance } = await open();
    const response = await call('POST', rotate, { body: {} });
    const { secret, previousSecretExpiresAt, secretCreatedAt } = response.data as Record<string, string>;
    expect(secret).toMatch(/^whsec_/);
    expect(secret).not.toBe(old.secret);
    expect((response.data as Json).secretSetBy).toBe((await call('GET', '/api-keys/me')).data.id);
    expect(Date.parse(previousSecretExpiresAt ?? '') - Date.parse(secretCreatedAt ?? '')).toBe(dayMs);
    expect((await call('GET', path)).data.previousSecretExpiresAt).toBe(previousSecretExpiresAt);
    advance(dayMs);
    expect((await call('GET', path)).data.previousSecretExpiresAt).toBeNull();
    return response;
  });

  responds(200, 'without an overlap', async () => {
    const { call, path, rotate } = await open();
    await call('POST', rotate, { body: { overlap: '7d' } });
    const response = await call('POST', rotate, { body: { overlap: 0, endPrevious: true } });
    expect(response.data.previousSecretExpiresAt).toBeNull();
    expect((await call('GET', path)).data.previousSecretExpiresAt).toBeNull();
    expect((await call('POST', rotate, { body: {} })).status).toBe(200);
    return response;
  });

  for (const overlap of ['24h', '0s', 0]) {
    refuses(
      'previous_secret_valid',
      `another one while the old secret is valid, with the overlap ${overlap}`,
      async () => {
        const { call, path, rotate } = await open();
        const first = await call('POST', rotate, { body: { overlap: '7d' } });
        const before = await call('GET', path);
        const response = await call('POST', rotate, { body: { overlap } });
        const message = first.data.previousSecretExpiresAt;
        expect(response.error.details).toEqual([{ path: 'previousSecretExpiresAt', message }]);
        expect((await call('GET', path)).text).toBe(before.text);
        return response;
      },
    );
  }

  responds(200, 'again, if the body says that the old secret ends, or when that has ended', async () => {
    const { call, rotate, advance } = await open();
    await call('POST', rotate, { body: { overlap: '7d' } });
    const second = await call('POST', rotate, { body: { overlap: '1h', endPrevious: true } });
    expect(second.status).toBe(200);
    expect((await call('POST', rotate, { body: { endPrevious: false } })).status).toBe(409);
    advance(hourMs);
    return call('POST', rotate, { body: {} });
  });

  test('two at the same time: one takes effect, and the other gets 409 with the end of the old secret', async () => {
    const { call, rotate } = await open();
    const both = await Promise.all([1, 2].map(() => call('POST', rotate, { body: {} })));
    const [won, lost] = both.sort((a, b) => a.status - b.status);
    expect([won?.status, lost?.status]).toEqual([200, 409]);
    expect(lost?.error.details?.[0]?.message).toBe(won?.data.previousSecretExpiresAt);
  });

  for (const endPrevious of ['true', 1, null]) {
    refuses('validation_error', `the endPrevious ${JSON.stringify(endPrevious)}`, async () => {
      const { call, rotate } = await open();
      return call('POST', rotate, { body: { endPrevious } });
    });
  }

  responds(200, 'and replays the secret', async () => {
    const { call, rotate } = await open();
    const first = await call('POST', rotate, { idempotencyKey: 'once' });
    expect((await call('POST', rotate, { idempotencyKey: 'once' })).text).toBe(first.text);
    return first;
  });

  responds(200, 'with the key as the setter of the secret, and of nothing else', async () => {
    const { call, createKey, rotate, old } = await open();
    const { id, secret: key } = await createKey({ scopes: webhookScopes });
    const response = await call('POST', rotate, { key, body: {} });
    const { createdBy } = old;
    expect(response.data).toMatchObject({ urlSetBy: createdBy, contentSetBy: createdBy, secretSetBy: id });
    return response;
  });

  refuses(
    'insufficient_scope',
    'the secret of a webhook with messages, without conversations:read',
    async () => {
      const { call, createKey } = await openApi();
      const { data } = await call('POST', '/webhooks', { body: { ...webhookBody, include: ['messages'] } });
      const path = `/webhooks/${data.id}/rotate-secret`;
      const { secret: key } = await createKey({ scopes: ['webhooks:write'] });
      const { secret: reader } = await createKey({ scopes: webhookScopes });
      expect((await call('POST', path, { key: reader, body: {} })).status).toBe(200);
      return call('POST', path, { key, body: {} });
    },
  );

  refuses('secret_unavailable', 'a repetition with another credential, which gets the rest', async () => {
    const { call, createKey, rotate } = await open();
    const { secret: other } = await createKey({ scopes: ['webhooks:write'] });
    const request = { body: {}, idempotencyKey: 'sealed' };
    const first = await call('POST', rotate, request);
    const response = await call('POST', rotate, { ...request, key: other });
    const { secret, ...rest } = first.data;
    expect(response.error.resource).toEqual(rest);
    expect(response.text).not.toContain(secret as string);
    return response;
  });
});
