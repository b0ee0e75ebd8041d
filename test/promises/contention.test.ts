/**
 * Forty writers on one conversation: no writer gets 503, `seq` has no gap, and the cost per request does not grow with their
 * number. The writers share only the table, as Lambda functions do.
 */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { secondMs } from '../../lib/base/time.ts';
import { type Json, openApi, type TestApi } from '../../samples/api.ts';
import { call } from '../../scripts/local/call.ts';
import { routesOf } from '../../scripts/local/service.ts';
import { intercept } from '../support/faults.ts';
import { simulateWriters } from '../support/writers.ts';

const writers = 40;

/** On a busy machine all takes longer than a function would wait: here a second is five. */
const slowness = 5;

/** Opens the API; counts the transactions of each request that adds messages, by what it says. */
async function openCounting() {
  const commits = new Map<string, number>();
  const patient = DynamoDBDocumentClient.from(
    new DynamoDBClient({ requestHandler: { requestTimeout: 60_000 } }),
  );
  const beganMs = Date.now();
  const api = await openApi(({ sleep }) => ({
    nowMs: () => beganMs + Math.floor((Date.now() - beganMs) / slowness),
    elapsedMs: () => performance.now() / slowness,
    sleep: (ms) => sleep(ms * slowness),
    client: intercept(patient, (command) => {
      if (!(command instanceof TransactWriteCommand)) return undefined;
      const puts = (command.input.TransactItems ?? []).map(({ Put }) => Put?.Item);
      const text = puts.find((item) => item?.role !== undefined)?.text as string | undefined;
      if (text !== undefined) commits.set(text, (commits.get(text) ?? 0) + 1);
      return undefined;
    }),
  }));
  return { api, commits, path: await api.createConversation() };
}

async function seqsOf(api: TestApi, path: string): Promise<number[]> {
  const seqs: number[] = [];
  for (;;) {
    const { data } = await api.call('GET', `${path}/transcript?limit=100&afterSeq=${seqs.length}`);
    const messages = data.messages as (Json & { seq: number })[];
    if (messages.length === 0) return seqs;
    seqs.push(...messages.map(({ seq }) => seq));
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, n) => total + n, 0);

type Send = (writer: number, n: number) => Promise<{ status: number }>;

async function race(send: Send, count: number, messagesEach: number): Promise<number[]> {
  const statuses: number[] = [];
  const write = async (writer: number) => {
    for (let n = 0; n < messagesEach; n += 1) statuses.push((await send(writer, n)).status);
  };
  await Promise.all(Array.from({ length: count }, (_, writer) => write(writer)));
  return statuses;
}

const request = (writer: number, n: number) => ({
  body: { messages: [{ role: 'user', text: `${writer}/${n}` }] },
  idempotencyKey: `${writer}/${n}`,
});

describe('writers in processes that share only the table: no 503 and no gap', () => {
  async function testWriters(count: number, messagesEach: number, maxCommits: number) {
    const { api, commits, path } = await openCounting();
    const processes = Array.from({ length: count }, () => routesOf(api.runtime));
    const send: Send = (writer, n) =>
      call(processes[writer] ?? [], 'POST', `${path}/messages`, { ...request(writer, n), key: api.rootKey });
    const messages = count * messagesEach;
    expect(await race(send, count, messagesEach)).toEqual(Array(messages).fill(201));
    expect(await seqsOf(api, path)).toEqual(upTo(messages));
    expect(sum(commits.values())).toBeLessThan(messages * 6);
    expect(Math.max(...commits.values())).toBeLessThan(maxCommits);
  }

  test('ten', { tags: ['long'] }, () => testWriters(10, 2, 20));
  test('forty', { tags: ['nightly'] }, () => testWriters(writers, 2, 30));
});

describe('in simulated time, with the latencies of AWS', () => {
  const latencies = { admission: 6, read: 5, arrival: 4, hold: 6, response: 5 };
  const rank = (sorted: number[], share: number) => sorted[Math.floor(sorted.length * share)] as number;

  test.each([1, 2, 3])('forty processes: 99 of 100 requests take less than 2 s (%i)', async (seed) => {
    const done = await simulateWriters({ writers, requests: 15 }, latencies, seed);
    const took = done.map(({ tookMs }) => tookMs).sort((one, other) => one - other);
    expect(done).toHaveLength(writers * 15);
    expect(rank(took, 0.99)).toBeLessThan(2 * secondMs);
    expect(sum(done.map(({ commits }) => commits)) / done.length).toBeLessThan(4);
    expect(Math.max(...done.map(({ attempts }) => attempts))).toBeLessThan(40);
  });

  test('a hundred processes: no request comes near the limits', async () => {
    const done = await simulateWriters({ writers: 100, requests: 3 }, latencies);
    expect(Math.max(...done.map(({ tookMs }) => tookMs))).toBeLessThan(10 * secondMs);
    expect(Math.max(...done.map(({ attempts }) => attempts))).toBeLessThan(60);
  });

  test('one writer alone never waits', async () => {
    const done = await simulateWriters({ writers: 1, requests: 20 }, latencies);
    expect(done.every(({ attempts, tookMs }) => attempts === 1 && tookMs < 50)).toBe(true);
  });
});

describe('a request that keeps losing races', () => {
  /** Each time that the request is about to commit, somebody else is faster; time passes only when it sleeps. */
  async function openLosing(act: (api: TestApi, lost: number) => Promise<unknown> = async () => undefined) {
    const clock = { ms: 0 };
    const state = { lost: 0, isOn: false };
    const api: TestApi = await openApi(({ client }) => ({
      elapsedMs: () => clock.ms,
      sleep: async (ms: number) => {
        clock.ms += ms + 100;
      },
      client: intercept(client, (command, proceed) => {
        if (!(command instanceof TransactWriteCommand) || !state.isOn) return undefined;
        state.isOn = false;
        state.lost += 1;
        const between = async () => {
          await act(api, state.lost);
          const body = { tags: state.lost % 2 ? ['a'] : [] };
          await call(elsewhere, 'PATCH', conversation, { body, key: api.rootKey });
          state.isOn = true;
          return proceed();
        };
        return between();
      }),
    }));
    const elsewhere = routesOf(api.runtime);
    const conversation = await api.createConversation();
    const say = (key: string) => {
      state.isOn = true;
      return api.call('POST', `${conversation}/messages`, { ...request(0, 0), key });
    };
    return { api, say, state, clock, conversation };
  }

  test('returns 503 with Retry-After when its time is over', { tags: ['long'] }, async () => {
    const { api, say, state, clock } = await openLosing();
    const response = await say(api.rootKey);
    expect([response.status, response.error.code]).toEqual([503, 'service_unavailable']);
    expect(response.headers['Retry-After']).toBeDefined();
    expect(state.lost).toBeLessThanOrEqual(60);
    expect(clock.ms).toBeLessThan(25 * secondMs);
  });

  test('says how long it has waited, and the next request waits for it', async () => {
    const clock = { ms: 0 };
    const state = { isOn: false, sleeps: 0, stamped: [] as boolean[] };
    const api: TestApi = await openApi(({ client }) => ({
      elapsedMs: () => clock.ms,
      sleep: async (ms: number) => {
        state.sleeps += 1;
        // Longer than a busy machine may need between the two requests.
        clock.ms += ms + 4 * secondMs;
      },
      client: intercept(client, (command, proceed) => {
        if (!(command instanceof TransactWriteCommand)) return undefined;
        state.stamped.push(JSON.stringify(command.input).includes('":changedAfterMs"'));
        if (!state.isOn) return undefined;
        state.isOn = false;
        return call(elsewhere, 'PATCH', conversation, { body: { tags: ['a'] }, key: api.rootKey }).then(
          proceed,
        );
      }),
    }));
    const elsewhere = routesOf(api.runtime);
    const conversation = await api.createConversation();
    const say = async (n: number) => {
      const before = state.sleeps;
      state.stamped = [];
      expect((await api.call('POST', `${conversation}/messages`, request(0, n))).status).toBe(201);
      return { sleeps: state.sleeps - before, stamped: state.stamped };
    };
    state.isOn = true;
    const late = await say(1);
    expect([late.stamped[0], late.stamped.at(-1)]).toEqual([false, true]);
    expect((await say(2)).sleeps).toBeGreaterThan(0);
  });

  test('changes nothing after its key is revoked: the key is checked again every second', async () => {
    let keyId = '';
    const { api, say, state, conversation } = await openLosing(async (api, lost) => {
      if (lost === 1) await api.call('DELETE', `/api-keys/${keyId}`);
    });
    const { id, secret } = await api.createKey({ scopes: ['conversations:write'] });
    keyId = id;
    const response = await say(secret);
    expect(response.status, response.text).toBe(401);
    expect(state.lost).toBeLessThan(20);
    state.isOn = false;
    expect(await seqsOf(api, conversation)).toEqual([]);
  });
});
