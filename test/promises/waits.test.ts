/**
 * Requests that wait: their number is limited despite races and crashes, and no request outlives its key, token, scope or
 * project.
 */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hourMs, minuteMs } from '../../lib/base/time.ts';
import type { Runtime } from '../../lib/http/runtime.ts';
import { maxWaitsPerCaller, maxWaitsPerTenant } from '../../lib/schema/query.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../samples/api.ts';
import { intercept, openMocked } from '../support/faults.ts';
import { openApiWith, openIssuer, type TestIssuer } from '../support/tokens.ts';

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await openIssuer();
});
afterAll(() => issuer.close());

const reader = { scopes: ['conversations:read', 'knowledge:read'] };
const say = (api: Pick<TestApi, 'call'>, path: string) =>
  api.call('POST', `${path}/messages`, { body: { messages: [{ role: 'user', text: 'a secret' }] } });
const leases = async (api: TestApi) =>
  (await storedOf(api, 'idempotency')).filter(({ tenant }) => `${tenant}`.endsWith('#waits'));

/** Only waiting advances the clock. `act` runs in the second second of the wait. */
function waitingClock() {
  const clock = { waitedMs: 0, act: async (): Promise<unknown> => undefined };
  const adjust = () => ({
    elapsedMs: () => clock.waitedMs,
    async sleep(ms: number) {
      clock.waitedMs += ms;
      if (clock.waitedMs === 2000) await clock.act();
    },
  });
  return { clock, adjust };
}

async function openConversation() {
  const { clock, adjust } = waitingClock();
  const api = await openApiWith(issuer, {}, adjust);
  const path = await api.createConversation();
  const project = path.split('/').slice(0, 3).join('/');
  const poll = (key: string) => api.call('GET', `${path}/transcript?waitSeconds=20`, { key });
  return { ...api, clock, path, project, poll };
}

describe('a wait ends with what a new request would get', () => {
  test('401 when its secret ends, by the time of a rotation or by another rotation', async () => {
    const { clock, ...api } = await openConversation();
    const { id, secret } = await api.createKey(reader);
    const rotate = (body: Json) => api.call('POST', `/api-keys/${id}/rotate`, { body });
    const second = (await rotate({ overlap: '1h' })).data;
    api.advance(hourMs - 10_000);
    // The other conversation has timed out.
    const path = await api.createConversation();
    const poll = (key: string) => api.call('GET', `${path}/transcript?waitSeconds=20`, { key });
    expect((await poll(secret)).status).toBe(401);
    expect(clock.waitedMs).toBeGreaterThanOrEqual(9000);
    expect(clock.waitedMs).toBeLessThan(13_000);
    clock.waitedMs = 0;
    clock.act = async () => {
      expect((await rotate({ overlap: '0', endPrevious: true })).status).toBe(200);
      expect((await say(api, path)).status).toBe(201);
    };
    const response = await poll(String(second.secret));
    expect(response.status, response.text).toBe(401);
    expect(response.text).not.toContain('a secret');
  });

  test('401 when its address is no longer allowed', async () => {
    const { clock, poll, ...api } = await openConversation();
    const { id, secret } = await api.createKey({ ...reader, allowedCidrs: ['127.0.0.1/32'] });
    clock.act = async () => {
      await api.call('PATCH', `/api-keys/${id}`, { body: { allowedCidrs: ['192.0.2.0/24'] } });
    };
    const response = await poll(secret);
    expect([response.status, response.error.message]).toEqual([401, 'Unknown API key']);
  });

  test('401 for a revoked key, and no message stored after the revocation', async () => {
    const { clock, path, poll, ...api } = await openConversation();
    const { id, secret } = await api.createKey(reader);
    clock.act = async () => {
      expect((await api.call('DELETE', `/api-keys/${id}`)).status).toBe(200);
      expect((await say(api, path)).status).toBe(201);
    };
    const response = await poll(secret);
    expect(response.status, response.text).toBe(401);
    expect(response.text).not.toContain('a secret');
    expect(clock.waitedMs).toBe(2000);
  });

  test('401 for an expired key', async () => {
    const { clock, poll, ...api } = await openConversation();
    const { secret } = await api.createKey({ ...reader, expiresIn: '1h' });
    // The time of a request counts from its start.
    clock.act = async () => {
      clock.waitedMs += hourMs;
    };
    expect((await poll(secret)).status).toBe(401);
  });

  test('401 for an access token that expires during the wait', async () => {
    const { clock, path, poll, ...api } = await openConversation();
    const token = api.forge({ exp: api.nowSeconds() + 30 });
    clock.act = async () => {
      clock.waitedMs += minuteMs;
      await say(api, path);
    };
    const response = await poll(token);
    expect(response.status, response.text).toBe(401);
  });

  test('403 for a key that has lost the scope', async () => {
    const { clock, path, poll, ...api } = await openConversation();
    const { id, secret } = await api.createKey({ scopes: ['conversations:read', 'projects:read'] });
    clock.act = async () => {
      await api.call('PATCH', `/api-keys/${id}`, { body: { scopes: ['projects:read'] } });
      await say(api, path);
    };
    const response = await poll(secret);
    expect([response.status, response.error.code]).toEqual([403, 'insufficient_scope']);
  });

  test('404 when the project is deleted, even for a wait for a job', async () => {
    for (const waitsFor of ['transcript', 'job']) {
      const { clock, path, project, ...api } = await openConversation();
      const { data: job } = await api.call('POST', `${project}/knowledge/reindex`);
      clock.act = () => api.call('DELETE', project);
      const resource = waitsFor === 'job' ? `${project}/jobs/${job.id}` : `${path}/transcript`;
      const response = await api.call('GET', `${resource}?waitSeconds=20`);
      expect(response.status, response.text).toBe(404);
      expect(clock.waitedMs).toBe(2000);
    }
  });

  test('200 for a project that is archived during the wait', async () => {
    const { clock, path, project, poll, ...api } = await openConversation();
    clock.act = async () => {
      await say(api, path);
      await api.call('PATCH', project, { body: { status: 'archived' } });
    };
    const response = await poll(api.rootKey);
    expect(response.data.messages).toHaveLength(1);
  });

  test('401 after a revocation at any read of the wait, with nothing stored after it', async () => {
    let stories = 0;
    for (let behind = 1; ; behind += 1) {
      let reads = 0;
      let isWaiting = false;
      let act: () => Promise<unknown> = async () => undefined;
      const api = await openApi(({ client, sleep }) => ({
        sleep: async (ms) => {
          isWaiting ||= ms > 500;
          await sleep(1);
        },
        elapsedMs: () => 0,
        client: intercept(client, (command, proceed) => {
          if (!isWaiting || !/^(Get|Query|BatchGet)Command$/.test(command.constructor.name)) return undefined;
          return proceed().then(async (output) => {
            reads += 1;
            if (reads === behind) await act();
            return output;
          });
        }),
      }));
      const path = await api.createConversation();
      const { id, secret } = await api.createKey(reader);
      act = async () => {
        isWaiting = false;
        await api.call('DELETE', `/api-keys/${id}`);
        await say(api, path);
        isWaiting = true;
      };
      const response = await api.call('GET', `${path}/transcript?waitSeconds=20`, { key: secret });
      expect(response.status, `behind read ${behind}: ${response.text}`).toBe(401);
      stories += 1;
      // Two rounds of conversation, key and project.
      if (stories === 6) return;
    }
  });
});

/** An API whose waits sleep until `wake` is called, and end when there is a message. */
async function openGated() {
  const gate = Promise.withResolvers<void>();
  const counter = { waiting: 0, most: 0 };
  const api = await openApi(({ sleep }: Runtime) => ({
    // This many simultaneous requests can take a busy machine longer than the timeout for DynamoDB.
    client: DynamoDBDocumentClient.from(new DynamoDBClient({ requestHandler: { requestTimeout: 60_000 } })),
    async sleep(ms: number) {
      if (ms < 500) return sleep(ms);
      counter.waiting += 1;
      counter.most = Math.max(counter.most, counter.waiting);
      await gate.promise;
      counter.waiting -= 1;
      return undefined;
    },
  }));
  const path = await api.createConversation();
  const poll = (key: string) => api.call('GET', `${path}/transcript?waitSeconds=20`, { key });
  const wake = async () => {
    await say(api, path);
    gate.resolve();
  };
  return { ...api, path, poll, counter, wake };
}

describe('simultaneous waits of a credential and a tenant are limited', () => {
  test('of 60 requests of one key, those above the limit get their response at once', {
    tags: ['long'],
  }, async () => {
    const { poll, counter, wake, ...api } = await openGated();
    const { secret } = await api.createKey(reader);
    const polls = Array.from({ length: 60 }, () => poll(secret));
    let atOnce = 0;
    for (const asked of polls) void asked.then(() => (atOnce += 1));
    await expect.poll(() => atOnce + counter.waiting, { timeout: 50_000 }).toBe(60);
    expect(counter.most).toBe(maxWaitsPerCaller);
    // Another key of the tenant has its own places.
    const { secret: other } = await api.createKey(reader);
    const another = poll(other);
    await expect.poll(() => counter.waiting, { timeout: 50_000 }).toBe(maxWaitsPerCaller + 1);
    await wake();
    const responses = await Promise.all(polls);
    expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
    const hurried = responses.filter(({ headers }) => headers['Retry-After'] !== undefined);
    expect(hurried).toHaveLength(60 - maxWaitsPerCaller);
    expect((await another).headers['Retry-After']).toBeUndefined();
    // All leases were returned.
    expect(await leases(api as unknown as TestApi)).toEqual([]);
  });

  test('all keys of a tenant share a limit; another tenant has its own', { tags: ['long'] }, async () => {
    const { poll, counter, wake, path, ...api } = await openGated();
    const keys = await Promise.all(Array.from({ length: 8 }, () => api.createKey(reader)));
    const polls = keys.flatMap(({ secret }) => Array.from({ length: 12 }, () => poll(secret)));
    let atOnce = 0;
    for (const asked of polls) void asked.then(() => (atOnce += 1));
    await expect.poll(() => atOnce + counter.waiting, { timeout: 50_000 }).toBe(polls.length);
    expect(counter.most).toBeLessThanOrEqual(maxWaitsPerTenant);
    expect(counter.most).toBeGreaterThan(maxWaitsPerTenant - maxWaitsPerCaller);
    const stranger = (await api.another()) as TestApi;
    const theirs = await stranger.createConversation();
    expect(await leases(stranger)).toEqual([]);
    const response = stranger.call('GET', `${theirs}/transcript?waitSeconds=20`);
    await expect.poll(async () => (await leases(stranger)).length, { timeout: 50_000 }).toBe(2);
    await say(stranger, theirs);
    await wake();
    expect((await response).headers['Retry-After']).toBeUndefined();
    await Promise.all(polls);
  });

  test('the lease of a killed function expires', async () => {
    const { poll, counter, ...api } = await openGated();
    // These wait forever.
    for (let n = 0; n < maxWaitsPerCaller; n += 1) void poll(api.rootKey);
    await expect.poll(() => counter.waiting, { timeout: 50_000 }).toBe(maxWaitsPerCaller);
    expect((await poll(api.rootKey)).headers['Retry-After']).toBe('2');
    api.advance(32_000);
    void poll(api.rootKey);
    await expect.poll(() => counter.waiting, { timeout: 50_000 }).toBe(maxWaitsPerCaller + 1);
  });

  test('a request that does not need to wait takes no lease', async () => {
    const { api, mock } = await openMocked();
    const path = await api.createConversation();
    await say(api, path);
    mock.resetHistory();
    for (const query of ['waitSeconds=20', 'waitSeconds=0', 'afterSeq=1']) {
      expect((await api.call('GET', `${path}/transcript?${query}`)).status).toBe(200);
    }
    const sent = mock.calls().map(({ args: [command] }) => command.constructor.name);
    expect(sent.filter((name) => /^(Put|Update|Delete|Transact)/.test(name))).toEqual([]);
    expect(sent).not.toEqual([]);
  });

  test('the writes of a wait cost what storage.md says', async () => {
    const { clock, adjust } = waitingClock();
    const api = await openApi(adjust);
    const path = await api.createConversation();
    await api.call('GET', `${path}/transcript?waitSeconds=5`);
    const { readUnits, writeUnits } = api.requestLines().at(-1) as unknown as Json;
    expect(clock.waitedMs).toBe(5000);
    // Key, organisation, project, conversation and tombstone, first and once a second. Two places are taken and returned. For
    // reading the empty partition of places DynamoDB Local counts nothing, and for taking them half.
    expect([readUnits, writeUnits]).toEqual([5 * 6, 2 + 2]);
  });
});

describe('jobs.get with waitSeconds', () => {
  test('returns as soon as the job has ended', async () => {
    const { clock, adjust } = waitingClock();
    const api = await openApi(adjust);
    const project = await api.createProject();
    const { data: job } = await api.call('POST', `/projects/${project}/knowledge/reindex`);
    const path = `/projects/${project}/jobs/${job.id}`;
    clock.act = () => api.call('POST', `${path}/cancel`);
    const response = await api.call('GET', `${path}?waitSeconds=20`);
    expect(response.data.status).toBe('cancelled');
    expect(clock.waitedMs).toBe(2000);
    expect((await api.call('GET', `${path}?waitSeconds=20`)).data.status).toBe('cancelled');
    expect(clock.waitedMs).toBe(2000);
  });

  test('returns the unfinished job when the time is over', async () => {
    const { clock, adjust } = waitingClock();
    const api = await openApi(adjust);
    const project = await api.createProject();
    const { data: job } = await api.call('POST', `/projects/${project}/knowledge/reindex`);
    const response = await api.call('GET', `/projects/${project}/jobs/${job.id}?waitSeconds=3`);
    expect(response.data).toEqual(job);
    expect(response.headers['Retry-After']).toBe('2');
    expect(clock.waitedMs).toBe(3000);
  });

  test.each(['21', '-1', '1.5', 'x', ''])('400 validation_error: waitSeconds=%s', async (seconds) => {
    const api = await openApi();
    const project = await api.createProject();
    const { data: job } = await api.call('POST', `/projects/${project}/knowledge/reindex`);
    const response = await api.call('GET', `/projects/${project}/jobs/${job.id}?waitSeconds=${seconds}`);
    expect([response.status, response.error.code]).toEqual([400, 'validation_error']);
  });
});
