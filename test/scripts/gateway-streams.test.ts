/** Server-sent events over HTTP through the dev server's gateway, with clients that read slowly, and that disconnect. */

import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { DefaultChatTransport, readUIMessageStream } from 'ai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storedOf } from '../../samples/api.ts';
import { type ServedApi, serveApi } from '../support/served-api.ts';
import { storeReply } from '../support/stored-replies.ts';

let served: ServedApi;
beforeAll(async () => {
  served = await serveApi();
});
afterAll(() => served?.close());

const leases = async () =>
  (await storedOf(served.api, 'idempotency')).filter(({ tenant }) => `${tenant}`.endsWith('#waits'));

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(50);
}

const newReply = async () => storeReply(served.api, await served.api.createConversation());

async function openStream(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const all = { Authorization: `Bearer ${served.apiKey}`, ...headers };
  const request = get(`${served.baseUrl}${path}/events`, { headers: all });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response.setEncoding('utf8');
}

test('each event is sent when it is there, also to a client that accepts compression', async () => {
  const reply = await newReply();
  const response = await openStream(reply.path, { 'Accept-Encoding': 'gzip' });
  expect(response.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'x-vercel-ai-ui-message-stream': 'v1',
  });
  expect(response.headers).not.toHaveProperty('content-encoding');
  const chunks = response[Symbol.asyncIterator]() as AsyncIterator<string>;
  expect((await chunks.next()).value).toContain('"type":"text-start"');
  await reply.say('You can ');
  expect((await chunks.next()).value).toContain('"delta":"You can "');
  await reply.say('send it back.');
  expect((await chunks.next()).value).toContain('"delta":"send it back."');
  await reply.end();
  expect((await chunks.next()).value).toContain('[DONE]');
  expect((await chunks.next()).done).toBe(true);
  await until(async () => (await leases()).length === 0);
});

test('a client that disconnects ends its stream, gives its lease back, and resumes', async () => {
  const reply = await newReply();
  await reply.say('Half');
  const response = await openStream(reply.path);
  response.on('error', () => {});
  await once(response, 'data');
  await until(async () => (await leases()).length === 2);
  response.destroy();
  await until(async () => (await leases()).length === 0);
  await reply.say(' and half');
  await reply.end();
  let text = '';
  for await (const chunk of await openStream(reply.path, { 'Last-Event-ID': '4' })) text += chunk;
  expect(text).toContain('"delta":" and half"');
  expect(text).not.toContain('Half');
});

test('an error before the first event is an ordinary response', async () => {
  const reply = await newReply();
  const response = await fetch(`${served.baseUrl}${reply.path}/events`);
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ success: false, error: { code: 'unauthorized' } });
});

test('the transport of the AI SDK follows a reply', async () => {
  const reply = await newReply();
  const transport = new DefaultChatTransport({
    prepareReconnectToStreamRequest: () => ({
      api: `${served.baseUrl}${reply.path}/events`,
      headers: { Authorization: `Bearer ${served.apiKey}` },
    }),
  });
  const stream = await transport.reconnectToStream({ chatId: reply.id });
  if (!stream) throw new Error('there is no stream');
  const writing = reply.say('You can send it back.').then(() => reply.end());
  const states: unknown[] = [];
  for await (const { id, parts } of readUIMessageStream({ stream })) states.push([id, parts]);
  await writing;
  expect(states.at(-1)).toEqual([
    reply.id,
    [{ type: 'text', text: 'You can send it back.', state: 'done', providerMetadata: undefined }],
  ]);
});
