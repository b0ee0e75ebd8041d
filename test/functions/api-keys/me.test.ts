import { describe, expect, test } from 'vitest';
import { hourMs } from '../../../lib/base/time.ts';
import { openApi } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('api-keys.me', () => {
  responds(200, 'with the calling key, whatever its scopes', async () => {
    const { call, createKey } = await openApi();
    const { id, secret } = await createKey({ scopes: ['audit:read'] });
    const response = await call('GET', '/api-keys/me', { key: secret });
    expect(response.data).toMatchObject({ id, scopes: ['audit:read'], status: 'active' });
    expect(response.text).not.toContain(secret);
    return response;
  });

  refuses('not_found', 'a key whose record went while the request was on its way', async () => {
    const { runtime, rootKey, organisationId, call } = await openApi();
    const { DeleteCommand, GetCommand } = await import('@aws-sdk/lib-dynamodb');
    const { data } = await call('GET', '/api-keys/me');
    // Both reads of the key begin together: the second one waits until the first one has found the key.
    let first: Promise<unknown> | undefined;
    const client = {
      async send(command: InstanceType<typeof GetCommand>) {
        const isKey = command instanceof GetCommand && command.input.Key?.id === data.id;
        if (isKey && !first) {
          first = runtime.client.send(command);
          return first;
        }
        if (isKey) {
          await first;
          const Key = { tenant: `${organisationId}#live`, id: data.id };
          await runtime.client.send(new DeleteCommand({ TableName: command.input.TableName, Key }));
        }
        return runtime.client.send(command);
      },
    };
    const racing = await openApi(() => ({ client: client as never }));
    return racing.call('GET', '/api-keys/me', { key: rootKey });
  });

  test('lastUsedAt is refreshed once an hour', async () => {
    const { call, createKey, advance, faultLines } = await openApi();
    const { id, secret } = await createKey({ scopes: ['audit:read'] });
    const lastUsed = async () => (await call('GET', `/api-keys/${id}`)).data.lastUsedAt as string | null;
    expect(await lastUsed()).toBeNull();
    await call('GET', '/api-keys/me', { key: secret });
    const first = await lastUsed();
    expect(first).not.toBeNull();
    advance(hourMs - 5000);
    await call('GET', '/api-keys/me', { key: secret });
    expect(await lastUsed()).toBe(first);
    advance(6000);
    await Promise.all(Array.from({ length: 5 }, () => call('GET', '/api-keys/me', { key: secret })));
    expect(Date.parse((await lastUsed()) ?? '')).toBeGreaterThan(Date.parse(first ?? ''));
    expect(faultLines()).toEqual([]);
  });

  test('a use that could not be noted fails nobody, and is logged', async () => {
    const { runtime, rootKey } = await openApi();
    const { UpdateCommand } = await import('@aws-sdk/lib-dynamodb');
    const client = {
      send: async (command: InstanceType<typeof UpdateCommand>) => {
        if (command instanceof UpdateCommand) throw new Error('no');
        return runtime.client.send(command);
      },
    };
    const ailing = await openApi(() => ({ client: client as never }));
    expect((await ailing.call('GET', '/api-keys/me', { key: rootKey })).status).toBe(200);
    expect(ailing.faultLines().map(({ level, message }) => [level, message])).toEqual([
      ['warn', 'background work failed'],
    ]);
  });
});
