/** A suspended organisation is refused from the next request on: its keys, its tokens, and requests that wait. */

import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { openApi } from '../../samples/api.ts';
import { sampleOf } from '../../samples/samples.ts';
import { resume, suspend } from '../../scripts/organisations/state.ts';
import { refuses, responds } from '../support/responses.ts';
import { openApiWith, openIssuer, type TestIssuer } from '../support/tokens.ts';

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await openIssuer();
});
afterAll(() => issuer.close());

test('no request that starts after the suspension is accepted, by key or token, live or test, until it ends', async () => {
  const api = await openApiWith(issuer);
  const { runtime, organisationId } = api;
  const credentials = [
    api.rootKey,
    await api.testModeKey(),
    (await api.createKey()).secret,
    await api.token(),
  ];
  const seen: { begun: number; ended: number; code: string }[] = [];
  const progress = async (from: number) =>
    expect.poll(() => seen.filter(({ begun }) => begun >= from).length).toBeGreaterThan(20);
  let stopping = false;
  const caller = async (key: string) => {
    while (!stopping) {
      const begun = performance.now();
      const { status, error } = await api.call('GET', '/projects', { key });
      seen.push({ begun, ended: performance.now(), code: status === 200 ? 'accepted' : `${error.code}` });
    }
  };
  const callers = [...credentials, ...credentials].map(caller);
  await progress(0);
  await suspend(runtime, organisationId);
  const suspendedAt = performance.now();
  await progress(suspendedAt);
  const endedAt = performance.now();
  await resume(runtime, organisationId);
  const resumedAt = performance.now();
  await progress(resumedAt);
  stopping = true;
  await Promise.all(callers);

  // A request that begins shortly before the end of the suspension may read the organisation after it.
  const codes = (from: number, before: number) => [
    ...new Set(seen.filter(({ begun, ended }) => begun >= from && ended < before).map(({ code }) => code)),
  ];
  expect(codes(suspendedAt, endedAt)).toEqual(['organisation_suspended']);
  expect(codes(resumedAt, Number.POSITIVE_INFINITY)).toEqual(['accepted']);
});

describe('a request that waits ends', () => {
  test.each(['key', 'token'] as const)('with a %s', async (kind) => {
    const clock = { waitedMs: 0, act: async () => {} };
    const api = await openApiWith(issuer, {}, () => ({
      elapsedMs: () => clock.waitedMs,
      async sleep(ms: number) {
        clock.waitedMs += ms;
        if (clock.waitedMs === 2000) await clock.act();
      },
    }));
    const path = await api.createConversation();
    clock.act = async () => void (await suspend(api.runtime, api.organisationId));
    const key = kind === 'key' ? api.rootKey : api.forge();
    const response = await api.call('GET', `${path}/transcript?waitSeconds=20`, { key });
    expect([response.status, response.error.code]).toEqual([403, 'organisation_suspended']);
    expect(clock.waitedMs).toBe(2000);
  });
});

refuses('organisation_suspended', 'the replay of what took effect before', async () => {
  const api = await openApi();
  const request = { body: { name: 'p' }, idempotencyKey: 'k' };
  expect((await api.call('POST', '/projects', request)).status).toBe(201);
  await suspend(api.runtime, api.organisationId);
  return api.call('POST', '/projects', request);
});

describe('says nothing about the suspension to whoever has no valid credential', () => {
  refuses('unauthorized', 'a revoked key', async () => {
    const api = await openApi();
    const { id, secret } = await api.createKey();
    await api.call('DELETE', `/api-keys/${id}`);
    await suspend(api.runtime, api.organisationId);
    return api.call('GET', '/projects', { key: secret });
  });

  refuses('unauthorized', 'a forged token', async () => {
    const api = await openApiWith(issuer);
    await suspend(api.runtime, api.organisationId);
    return api.call('GET', '/projects', { key: api.forge({ aud: 'elsewhere' }) });
  });
});

refuses('unauthorized', 'a key whose organisation does not exist', async () => {
  const api = await openApi();
  const { runtime, organisationId: id } = api;
  const TableName = runtime.tableNames.organisations;
  await runtime.client.send(new DeleteCommand({ TableName, Key: { tenant: id, id } }));
  return api.call('GET', '/projects');
});

describe('does not concern others', () => {
  responds(200, 'another organisation', async () => {
    const api = await openApi();
    const other = await api.another();
    await suspend(api.runtime, api.organisationId);
    return other.call('GET', '/projects');
  });

  test.each(
    endpoints
      .filter(({ auth, forwards }) => auth === 'public' && !forwards)
      .map(({ id, method }) => [id, method]),
  )('%s, which needs no credential', async (id, method) => {
    const api = await openApi();
    await suspend(api.runtime, api.organisationId);
    const { path } = await sampleOf(id, api);
    expect((await api.call(method, path, { key: null })).status).toBe(200);
  });
});
