/** Many writers on one conversation, compared with a model: every acknowledged message is stored once, in one order. */

import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { Runtime } from '../../lib/http/runtime.ts';
import { type ApiResponse, type Json, openApi, storedOf, type TestApi } from '../../samples/api.ts';
import { intercept, withTransactionConflicts } from '../support/faults.ts';

type Message = { seq: number; text: string; clientMessageId: string | null; duplicate?: boolean };
type Adjust = (runtime: Runtime) => Partial<Runtime>;

/** Every so many commits one is carried out without an answer, or fails on the way there. */
const losing: Adjust = ({ client }) => {
  let commits = 0;
  const lost = Object.assign(new Error('no answer'), { name: 'TimeoutError' });
  return {
    client: intercept(client, (command, proceed) => {
      if (!(command instanceof TransactWriteCommand)) return undefined;
      commits += 1;
      if (commits % 5 === 0) return proceed().then(() => Promise.reject(lost));
      return commits % 7 === 0 ? Promise.reject(lost) : undefined;
    }),
  };
};

/** Sends until it is answered with something else than "come again". */
async function insist(send: () => Promise<ApiResponse>): Promise<Message[]> {
  for (;;) {
    const response = await send();
    if (response.status === 503) continue;
    expect(response.status, response.text).toBe(201);
    return response.data.messages as Message[];
  }
}

async function transcriptOf(api: TestApi, path: string): Promise<Message[]> {
  const all: Message[] = [];
  for (let afterSeq = 0; ; ) {
    const { data } = await api.call('GET', `${path}/transcript?limit=40&afterSeq=${afterSeq}`);
    all.push(...(data.messages as Message[]));
    if (data.nextAfterSeq === afterSeq) return all;
    afterSeq = data.nextAfterSeq as number;
  }
}

const writers = 20;
const requestsPerWriter = 3;

/**
 * Every writer sends its own messages, known by an Idempotency-Key or by their own ids, and beside them some that all
 * writers send; every second request goes out twice at once.
 */
async function race(adjust: Adjust) {
  const api = await openApi(adjust);
  const path = await api.createConversation();
  const acknowledged: Message[] = [];

  async function write(writer: number) {
    for (let n = 0; n < requestsPerWriter; n += 1) {
      const text = `${writer}/${n}`;
      const shared = { role: 'user', text: `shared ${n}`, clientMessageId: `shared-${n}` };
      const own = [1, 2].map((part) => ({ role: 'avatar', text: `${text}/${part}` }));
      const isKeyed = writer % 2 === 0;
      const messages = [
        ...own.map((message) => (isKeyed ? message : { ...message, clientMessageId: message.text })),
        shared,
      ];
      const options = { body: { messages }, ...(isKeyed && { idempotencyKey: text }) };
      const send = () => insist(() => api.call('POST', `${path}/messages`, options));
      const responses = await Promise.all(n % 2 === 0 ? [send(), send()] : [send()]);
      for (const response of responses) {
        expect(response.map((message) => message.text)).toEqual(messages.map((message) => message.text));
        acknowledged.push(...response);
      }
    }
  }

  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  return { api, path, acknowledged };
}

describe.each<[string, string, Adjust]>([
  ['as DynamoDB Local is', 'nightly', () => ({})],
  [
    'where DynamoDB answers with TransactionConflict',
    'long',
    ({ client }) => withTransactionConflicts(client, 5),
  ],
  ['where commits and their answers get lost', 'long', losing],
])('twenty writers, %s', (_, tag, adjust) => {
  test('no message is lost or duplicated, and seq has no gap', { tags: [tag] }, async () => {
    const { api, path, acknowledged } = await race(adjust);
    const transcript = await transcriptOf(api, path);
    const count = writers * requestsPerWriter * 2 + requestsPerWriter;
    expect(transcript.map(({ seq }) => seq)).toEqual(Array.from({ length: count }, (_, n) => n + 1));
    expect(new Set(transcript.map(({ text }) => text)).size).toBe(count);
    // A caller that got a number finds its message under this number.
    for (const { duplicate: _, ...message } of acknowledged) {
      expect(transcript[message.seq - 1]).toEqual(message);
    }
    // The messages of a request stand side by side, and a writer's requests are in their order.
    for (let writer = 0; writer < writers; writer += 1) {
      const own = transcript.filter(({ text }) => text.startsWith(`${writer}/`));
      expect(own.map(({ text }) => text)).toEqual(own.map(({ text }) => text).toSorted());
      for (const [n, { seq }] of own.entries()) if (n % 2) expect(seq).toBe((own[n - 1]?.seq ?? 0) + 1);
    }
    expect((await api.call('GET', path)).data).toMatchObject({
      messageCount: count,
      messageCountByRole: { user: requestsPerWriter, avatar: count - requestsPerWriter, system: 0, tool: 0 },
    });
  });
});

test('a message and an end at the same time: the message is in the transcript, or was refused', {
  tags: ['long'],
}, async () => {
  const api = await openApi();
  for (let round = 0; round < 10; round += 1) {
    const path = await api.createConversation();
    const body = { messages: [{ role: 'user', text: 'last words' }] };
    const [ended, ...said] = await Promise.all([
      api.call('POST', `${path}/end`, { body: { reason: 'completed' } }),
      ...Array.from({ length: 3 }, () => api.call('POST', `${path}/messages`, { body })),
    ]);
    expect(ended.status).toBe(200);
    for (const { status, error } of said) expect([201, 'conversation_ended']).toContain(error.code ?? status);
    const stored = said.filter(({ status }) => status === 201);
    expect(await transcriptOf(api, path)).toHaveLength(stored.length);
    expect((await api.call('GET', path)).data).toMatchObject({ status: 'ended', endReason: 'completed' });
  }
});

test('a message and an erasure at the same time: nothing is left', async () => {
  const api = await openApi();
  const path = await api.createConversation({ tags: ['a'] });
  const body = { messages: [{ role: 'user', text: 'last words' }] };
  const [erased, ...others] = await Promise.all([
    api.call('DELETE', path),
    ...Array.from({ length: 3 }, () => api.call('POST', `${path}/messages`, { body })),
    ...Array.from({ length: 3 }, (_, n) => api.call('PATCH', path, { body: { tags: ['a', `b${n}`] } })),
  ]);
  expect(erased.status).toBe(200);
  for (const { status } of others) expect([200, 201, 404]).toContain(status);
  const list = path.replace(/\/conv_\w+$/, '');
  for (const read of [path, `${path}/transcript`]) expect((await api.call('GET', read)).status).toBe(404);
  for (const query of ['', 'tag=a', 'tag=b0', 'tag=b1', 'tag=b2']) {
    expect((await api.call('GET', `${list}?${query}`)).data.items).toEqual([]);
  }
});

test('simultaneous changes of tags leave an index that matches the conversation', async () => {
  const api = await openApi();
  const path = await api.createConversation({ tags: ['t0'] });
  await Promise.all(
    Array.from({ length: 8 }, (_, n) => api.call('PATCH', path, { body: { tags: [`t${n}`, `t${n + 1}`] } })),
  );
  const { tags } = (await api.call('GET', path)).data as { tags: string[] };
  const list = path.replace(/\/conv_\w+$/, '');
  expect(await storedOf(api, 'conversations')).toHaveLength(2 + tags.length);
  for (let n = 0; n <= 8; n += 1) {
    const { data } = await api.call('GET', `${list}?tag=t${n}`);
    expect((data.items as Json[]).length).toBe(tags.includes(`t${n}`) ? 1 : 0);
  }
});
