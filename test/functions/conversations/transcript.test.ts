import { describe, expect, test } from 'vitest';
import { minuteMs } from '../../../lib/base/time.ts';
import { type Json, openApi } from '../../../samples/api.ts';
import { refuses, responds } from '../../support/responses.ts';

/** Only waiting advances the clock. `during` has what happens in each second. */
async function openWaiting(during: Record<number, (api: Waiting) => Promise<unknown>> = {}) {
  let waitedMs = 0;
  const api: Waiting = await openApi(() => ({
    elapsedMs: () => waitedMs,
    async sleep(ms) {
      waitedMs += ms;
      await during[Math.round(waitedMs / 1000)]?.(waiting);
    },
  }));
  const waiting = { ...api, path: await api.createConversation() };
  const read = (query: string) => api.call('GET', `${waiting.path}/transcript?${query}`);
  return { ...waiting, read, waitedSeconds: () => waitedMs / 1000 };
}

type Waiting = Awaited<ReturnType<typeof openApi>> & { path?: string };

const say = async ({ call, path }: Waiting, ...texts: string[]) => {
  const messages = texts.map((text) => ({ role: 'user', text }));
  const response = await call('POST', `${path}/messages`, { body: { messages } });
  if (response.status !== 201) throw new Error(response.text);
};
const end = ({ call, path }: Waiting) => call('POST', `${path}/end`, { body: { reason: 'completed' } });
const seqs = (data: Json) => (data.messages as Json[]).map(({ seq }) => seq);

describe('conversations.transcript', () => {
  responds(200, 'with pages sorted by seq; the last page of an ended conversation is final', async () => {
    const api = await openWaiting();
    await say(api, 'one', 'two', 'three');
    await say(api, 'four');
    const { data } = await api.read('limit=3');
    expect(data).toMatchObject({ nextAfterSeq: 3, final: false });
    expect((data.messages as Json[]).map(({ text }) => text)).toEqual(['one', 'two', 'three']);
    await end(api);
    const { data: full } = await api.read('limit=3');
    expect(full.final).toBe(false);
    const response = await api.read('limit=3&afterSeq=3');
    expect(seqs(response.data)).toEqual([4]);
    expect(response.data).toMatchObject({ nextAfterSeq: 4, final: true });
    expect((await api.read('afterSeq=4')).data).toEqual({ messages: [], nextAfterSeq: 4, final: true });
    return response;
  });

  responds(200, 'for a conversation without messages', async () => {
    const api = await openWaiting();
    const response = await api.read('');
    expect(response.data).toEqual({ messages: [], nextAfterSeq: 0, final: false });
    expect((await api.read('afterSeq=9999999999')).data.messages).toEqual([]);
    return response;
  });

  responds(200, 'as soon as there is a message', async () => {
    const api = await openWaiting({ 3: (waiting) => say(waiting, 'two') });
    await say(api, 'one');
    const response = await api.read('afterSeq=1&waitSeconds=20');
    expect(seqs(response.data)).toEqual([2]);
    expect(api.waitedSeconds()).toBe(3);
    return response;
  });

  responds(200, 'as soon as the conversation has ended', async () => {
    const api = await openWaiting({ 5: end });
    const response = await api.read('waitSeconds=20');
    expect(response.data).toEqual({ messages: [], nextAfterSeq: 0, final: true });
    expect(api.waitedSeconds()).toBe(5);
    return response;
  });

  responds(200, 'without messages when the time is over; the wait does not count as latency', async () => {
    const api = await openWaiting();
    const response = await api.read('waitSeconds=20');
    expect(response.data).toEqual({ messages: [], nextAfterSeq: 0, final: false });
    expect(api.waitedSeconds()).toBe(20);
    expect(api.requestLines().at(-1)?.durationMs).toBe(0);
    return response;
  });

  test('does not wait if there are messages or the conversation has ended', async () => {
    const api = await openWaiting();
    await say(api, 'one');
    await api.read('waitSeconds=20');
    await end(api);
    await api.read('waitSeconds=20&afterSeq=1');
    expect(api.waitedSeconds()).toBe(0);
  });

  test('is final at the timeout if the conversation times out during the wait', async () => {
    const api = await openWaiting();
    const { data } = await api.call('GET', api.path);
    const leftMs = Date.parse(data.lastActivityAt as string) + 30 * minuteMs - Date.now();
    api.advance(leftMs - 4500);
    expect((await api.read('waitSeconds=20')).data.final).toBe(true);
    expect(api.waitedSeconds()).toBeGreaterThanOrEqual(4);
    expect(api.waitedSeconds()).toBeLessThanOrEqual(6);
  });

  refuses('not_found', 'a conversation that is erased during the wait', async () => {
    const api = await openWaiting({ 2: ({ call, path }) => call('DELETE', path ?? '') });
    return api.read('waitSeconds=20');
  });

  test('a page of the largest messages fits into a response, and the next page continues', {
    tags: ['long'],
  }, async () => {
    const api = await openWaiting();
    // A control character is one byte in UTF-8 and six in JSON.
    const messages = [1, 2].map(() => ({ role: 'user', text: '\u0001'.repeat(16_384) }));
    for (let sent = 0; sent < 90; sent += 2)
      await api.call('POST', `${api.path}/messages`, { body: { messages } });
    const found: unknown[] = [];
    for (let afterSeq = 0; found.length < 90; ) {
      const response = await api.read(`limit=100&afterSeq=${afterSeq}`);
      expect(Buffer.byteLength(response.text)).toBeLessThan(4.1 * 1024 * 1024);
      expect(seqs(response.data).length).toBeGreaterThan(0);
      found.push(...seqs(response.data));
      afterSeq = response.data.nextAfterSeq as number;
    }
    expect(found).toEqual(Array.from({ length: 90 }, (_, n) => n + 1));
  });

  test.each([
    'afterSeq=-1',
    'afterSeq=x',
    'afterSeq=01',
    'afterSeq=0x1',
    'waitSeconds=21',
    'waitSeconds=1.5',
    'limit=0',
    'limit=101',
  ])('400 validation_error: ?%s', async (query) => {
    const { error } = await (await openWaiting()).read(query);
    expect(error.details?.map(({ path }) => path)).toEqual([query.split('=')[0]]);
  });
});
