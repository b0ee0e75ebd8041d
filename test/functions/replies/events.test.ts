/** The stream of a reply: what it sends, when it ends, and what it checks while it is open. */

import { beforeEach, describe, expect, test } from 'vitest';
import { maxStreamSeconds } from '../../../lib/http/stream-times.ts';
import { maxWaitsPerCaller } from '../../../lib/schema/query.ts';
import { openApi, storedOf, type TestApi } from '../../../samples/api.ts';
import { responds } from '../../support/responses.ts';
import { storeReply } from '../../support/stored-replies.ts';

const reader = { scopes: ['conversations:read'] };

/** Only pauses advance the clock. Each act runs once, when its time has come. */
function pausingClock() {
  const clock = { ms: 0, acts: [] as { atMs: number; act: () => Promise<unknown> }[] };
  const adjust = () => ({
    elapsedMs: () => clock.ms,
    async sleep(ms: number) {
      clock.ms += ms;
      const due = clock.acts.filter(({ atMs }) => atMs <= clock.ms);
      clock.acts = clock.acts.filter(({ atMs }) => atMs > clock.ms);
      for (const { act } of due) await act();
    },
  });
  return { clock, adjust };
}

type Opened = Awaited<ReturnType<typeof open>>;

async function open() {
  const { clock, adjust } = pausingClock();
  const api = await openApi(adjust);
  const path = await api.createConversation();
  const reply = await storeReply(api, path);
  return {
    ...api,
    reply,
    conversation: path,
    clock,
    later: (atMs: number, act: () => Promise<unknown>) => clock.acts.push({ atMs, act }),
    stream: (options: Parameters<TestApi['call']>[2] = {}) =>
      api.call('GET', `${reply.path}/events`, options),
  };
}

const leases = async (api: TestApi) =>
  (await storedOf(api, 'idempotency')).filter(({ tenant }) => `${tenant}`.endsWith('#waits'));

/** @returns the types of the parts, and the text of the deltas */
function partsOf(text: string) {
  const parts = [...text.matchAll(/^data: (\{.*\})$/gm)].map(
    ([, json = '']) => JSON.parse(json) as { type: string; delta?: string; errorText?: string },
  );
  return {
    types: parts.map(({ type }) => type),
    text: parts.map(({ delta = '' }) => delta).join(''),
    error: parts.find(({ type }) => type === 'error')?.errorText,
  };
}

let api: Opened;
beforeEach(async () => {
  api = await open();
});

test('the text comes as it is stored, and the stream ends with the reply', async () => {
  await api.reply.say('You can ');
  api.later(1000, () => api.reply.say('send it '));
  api.later(3000, () => api.reply.say('back.'));
  api.later(5000, () => api.reply.end());
  const response = await api.stream();
  expect(response.status).toBe(200);
  expect(response.headers).toMatchObject({
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'x-vercel-ai-ui-message-stream': 'v1',
  });
  expect(partsOf(response.text)).toEqual({
    types: ['start', 'text-start', 'text-delta', 'text-delta', 'text-delta', 'text-end', 'finish'],
    text: 'You can send it back.',
    error: undefined,
  });
  expect(response.text.endsWith('data: [DONE]\n\n')).toBe(true);
  expect(api.clock.ms).toBeLessThan(6000);
  expect(await leases(api)).toEqual([]);
  const [line] = api.requestLines().slice(-1);
  expect(line).toMatchObject({ endpoint: 'replies.events', status: 200, error: null });
  // What the caller waits for is not part of the duration.
  expect(line?.durationMs).toBe(0);
});

responds(200, 'with the whole text of a reply that has ended', async () => {
  await api.reply.say('It is sold.');
  await api.reply.end();
  const response = await api.stream();
  expect(partsOf(response.text).text).toBe('It is sold.');
  return response;
});

test('Last-Event-ID resumes behind the last event', async () => {
  await api.reply.say('You can send ');
  await api.reply.say('it back.');
  await api.reply.end();
  const whole = await api.stream();
  for (const [, offset = ''] of whole.text.matchAll(/^id: (.*)$/gm)) {
    const rest = await api.stream({ headers: { 'Last-Event-ID': offset } });
    expect(partsOf(rest.text).text).toBe('You can send it back.'.slice(Number(offset)));
  }
  const beyond = await api.stream({ headers: { 'Last-Event-ID': '5000' } });
  expect(partsOf(beyond.text)).toMatchObject({
    text: '',
    types: ['start', 'text-start', 'text-end', 'finish'],
  });
});

test.each(['', '-1', 'abc', '12345678'])('400 for the Last-Event-ID "%s"', async (value) => {
  const response = await api.stream({ headers: { 'Last-Event-ID': value } });
  expect([response.status, response.error.code, response.error.details?.[0]?.path]).toEqual([
    400,
    'validation_error',
    'Last-Event-ID',
  ]);
});

test('404 in the envelope for another reply', async () => {
  const response = await api.call('GET', `${api.reply.path.slice(0, -4)}0000/events`);
  expect([response.status, response.error.code]).toEqual([404, 'not_found']);
});

test('it ends by itself, and another one gets the rest', async () => {
  await api.reply.say('Half');
  const { text } = await api.stream();
  expect(api.clock.ms).toBe(maxStreamSeconds * 1000);
  expect(text).not.toContain('[DONE]');
  expect(text.match(/: keep-alive/g)?.length).toBe(9);
  expect(await leases(api)).toEqual([]);
  api.clock.ms = 0;
  api.later(1000, () => api.reply.say(' and half'));
  api.later(2000, () => api.reply.end());
  const rest = await api.stream({ headers: { 'Last-Event-ID': '4' } });
  expect(partsOf(rest.text).text).toBe(' and half');
});

test('a lost client ends it, and gives its lease back', async () => {
  const client = new AbortController();
  api.later(2000, async () => {
    expect(await leases(api)).toHaveLength(2);
    client.abort();
  });
  const { text } = await api.stream({ signal: client.signal });
  expect(partsOf(text).types).toEqual(['start', 'text-start']);
  expect(api.clock.ms).toBeLessThan(3000);
  expect(await leases(api)).toEqual([]);
  expect(api.requestLines().at(-1)?.endpoint).toBe('replies.events');
});

describe('a stream ends with the error of a new request, without what was stored since', () => {
  const secret = 'nobody may read this';

  test('if its key is revoked', async () => {
    const key = await api.createKey(reader);
    await api.reply.say('Before.');
    api.later(3000, async () => {
      expect((await api.call('DELETE', `/api-keys/${key.id}`)).status).toBe(200);
      await api.reply.say(secret);
    });
    const { text } = await api.stream({ key: key.secret });
    expect(partsOf(text).text).toBe('Before.');
    expect(partsOf(text).error).toMatch(/key/);
    expect(text).not.toContain('[DONE]');
    expect(api.clock.ms).toBeLessThan(4000);
    expect(api.requestLines().findLast(({ endpoint }) => endpoint === 'replies.events')?.error).toBe(
      'unauthorized',
    );
    expect(await leases(api)).toEqual([]);
  });

  test('if its key is revoked while there is nothing new', async () => {
    const key = await api.createKey(reader);
    api.later(3000, () => api.call('DELETE', `/api-keys/${key.id}`));
    const { text } = await api.stream({ key: key.secret });
    expect(partsOf(text).types).toEqual(['start', 'text-start', 'error']);
    expect(api.clock.ms).toBeLessThan(5000);
  });

  test.each([
    ['its conversation is deleted', () => api.conversation],
    ['its project is deleted', () => api.conversation.split('/').slice(0, 3).join('/')],
  ])('if %s', async (_, path) => {
    api.later(3000, async () => {
      await api.reply.say(secret);
      expect((await api.call('DELETE', path())).status).toBeLessThan(300);
    });
    const { text } = await api.stream();
    expect(partsOf(text).types.at(-1)).toBe('error');
    expect(text).not.toContain(secret);
    expect(api.clock.ms).toBeLessThan(5000);
  });

  test('if its scope is taken away', async () => {
    const key = await api.createKey(reader);
    api.later(3000, () => api.call('PATCH', `/api-keys/${key.id}`, { body: { scopes: ['projects:read'] } }));
    const { text } = await api.stream({ key: key.secret });
    expect(partsOf(text).error).toMatch(/scope conversations:read/);
  });
});

test('429 if the key has as many requests that wait as it may; a reply that has ended needs no lease', async () => {
  const others = Array.from({ length: maxWaitsPerCaller }, () => new AbortController());
  let isChecked = false;
  api.later(2000, async () => {
    while ((await leases(api)).length < 2 * maxWaitsPerCaller) await new Promise(setImmediate);
    const refused = await api.stream();
    expect([refused.status, refused.error.code, refused.headers['Retry-After']]).toEqual([
      429,
      'rate_limited',
      '2',
    ]);
    await api.reply.end();
    expect((await api.stream()).status).toBe(200);
    isChecked = true;
  });
  const open = others.map(({ signal }) => api.stream({ signal }));
  for (const { status } of await Promise.all(open)) expect(status).toBe(200);
  expect(isChecked).toBe(true);
  expect(await leases(api)).toEqual([]);
});

test('an error of the database is an error of the stream, and is logged', async () => {
  const failing = await openApi(() => ({
    sleep: () => Promise.reject(new Error('internal')),
  }));
  const reply = await storeReply(failing, await failing.createConversation());
  const { status, text } = await failing.call('GET', `${reply.path}/events`);
  expect([status, partsOf(text).error]).toEqual([200, 'An unexpected error occurred.']);
  expect(failing.faultLines()).toHaveLength(1);
});
