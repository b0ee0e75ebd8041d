import { describe, expect, test } from 'vitest';
import { rootScopes } from '../../../lib/base/scopes.ts';
import type { Json } from '../../../samples/api.ts';
import keyRevoker from '../../../workers/key-revoker.ts';
import { refuses, responds } from '../../support/responses.ts';
import { openEvaluators, ratingBody } from '../../support/scores.ts';
import { handleAll } from '../../support/suspensions.ts';

async function open() {
  const opened = await openEvaluators();
  const key = await opened.createKey({ scopes: rootScopes });
  const { id } = await opened.create(undefined, { key: key.secret });
  return { ...opened, key, id, path: `/evaluators/${id}` };
}

describe('evaluators.update', () => {
  responds(200, 'a new version, and the caller that sets what it does is its setter', async () => {
    const { send, path, key } = await open();
    const described = await send('PATCH', path, { description: 'Another one' });
    expect(described.data).toMatchObject({ version: 2, setBy: key.id });
    const response = await send('PATCH', path, { rule: { messages: { lte: 6 } } });
    expect(response.data).toMatchObject({ version: 3, rule: { messages: { lte: 6 } } });
    expect(response.data.setBy).not.toBe(key.id);
    expect(response.headers.ETag).toBe('"3"');
    return response;
  });

  refuses('version_mismatch', 'another version', async () => {
    const { send, path } = await open();
    return send('PATCH', path, { status: 'archived' }, { headers: { 'If-Match': '"2"' } });
  });

  test('equal content writes nothing', async () => {
    const { send, path } = await open();
    const { data } = await send('GET', path);
    const same = await send('PATCH', path, {
      rule: data.rule,
      appliesTo: {},
      status: 'active',
      paused: false,
    });
    expect(same.data).toEqual(data);
    expect((await send('GET', `${path}/versions`)).data.items).toHaveLength(1);
  });

  test.each([
    ['name', { name: 'other' }],
    ['kind', { kind: 'external' }],
    ['output', { output: { type: 'boolean' } }],
    ['rule', { rule: null }],
    ['model', { model: { modelId: 'm', prompt: 'p' } }],
  ])('400 names %s', async (name, body) => {
    const { send, path } = await open();
    const { status, text } = await send('PATCH', path, body);
    expect(status).toBe(400);
    expect(text).toContain(name);
  });

  test('a pause and its end', async () => {
    const { send, path } = await open();
    const paused = await send('PATCH', path, { paused: true });
    expect(paused.data).toMatchObject({ paused: true, pausedReason: 'requested', version: 2 });
    const resumed = await send('PATCH', path, { paused: false });
    expect(resumed.data).toMatchObject({ paused: false, pausedReason: null, version: 3 });
  });

  test('a key that is revoked with its children pauses its evaluators, and another caller resumes them', async () => {
    const { api, call, create, send, path, key } = await open();
    const external = await create(ratingBody, { key: key.secret });
    const dry = await call('DELETE', `/api-keys/${key.id}?children=true&dryRun=true`);
    expect(dry.data.evaluators).toBe(1);
    await call('DELETE', `/api-keys/${key.id}?children=true`);
    const revoke = () => handleAll(api, keyRevoker, 'apiKeys', ({ id }) => id === key.id);
    await revoke();
    for (const one of [path, `/evaluators/${external.id}`])
      expect((await send('GET', one)).data).toMatchObject({ paused: true, pausedReason: 'key_revoked' });
    const { data } = await send('PATCH', path, { paused: false });
    expect(data).toMatchObject({ paused: false, pausedReason: null, version: 3 });
    await revoke();
    expect((await send('GET', path)).data).toEqual(data);
    const { data: versions } = await send('GET', `${path}/versions`);
    expect((versions.items as Json[]).map(({ createdBy }) => createdBy)).toEqual([
      data.setBy,
      'worker:key-revoker',
      key.id,
    ]);
  });
});
