/** The search and webhooks of the dev server are at most seconds late while a client makes changes as fast as it can. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type DevProcess, startDevProcess } from '../../scripts/local/dev-process.ts';

const changes = 1500;
const messagesPerRequest = 25;
const writers = 4;
const pauseMs = 2000;
const latestMs = 5000;
const givenUpMs = 60_000;

type Lag = { found: number; sent: number };

test('background work is at most seconds late', { tags: ['nightly'] }, async () => {
  const server = await startDevProcess();
  onTestFinished(() => server.stop());
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  const { id: project } = await server.post('/projects', { name: 'Lag' });
  const path = `/projects/${project}/conversations`;
  const avatar = { name: 'Ada', persona: { prompt: 'You are Ada.' } };
  const { id: avatarId } = await server.post(`/projects/${project}/avatars`, avatar);
  await server.post('/webhooks', { url: receiver.url, eventTypes: ['conversation.started'] });
  const probe = (number: number) => measure(server, receiver, { path, avatarId, word: `probe${number}x` });

  // Until the first success, a webhook gets few events at a time: lib/webhooks/rules/health.ts.
  await probe(0);
  const lags: Lag[] = [];
  const load = makeChanges(server, { path, avatarId });
  while (!load.isDone()) {
    lags.push(await probe(lags.length + 1));
    await sleep(pauseMs);
  }
  await load.ended;
  lags.push(await probe(lags.length + 1));
  expect(lags.length).toBeGreaterThan(2);
  expect(Math.max(...lags.flatMap(({ found, sent }) => [found, sent]))).toBeLessThanOrEqual(latestMs);
});

/** Appends messages, in conversations of each writer. */
function makeChanges({ post }: DevProcess, { path, avatarId }: { path: string; avatarId: string }) {
  let made = 0;
  const messages = Array.from({ length: messagesPerRequest }, (_, number) => ({
    role: 'user',
    text: `Message ${number} of the load`,
  }));
  const write = async () => {
    const { id } = await post(path, { avatarId });
    while (made < changes) {
      made += messagesPerRequest;
      await post(`${path}/${id}/messages`, { messages });
    }
  };
  const ended = Promise.all(Array.from({ length: writers }, write));
  return { isDone: () => made >= changes, ended };
}

type Receiver = Awaited<ReturnType<typeof openReceiver>>;

async function openReceiver() {
  const atMs = new Map<string, number>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    response.end();
    const { data } = JSON.parse(body) as { data: { id?: string } };
    if (data.id) atMs.set(data.id, performance.now());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    atMs,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Starts a conversation with a new word. @returns the milliseconds until the search finds it, and until the webhook gets its event */
async function measure(
  { baseUrl, apiKey, post }: DevProcess,
  { atMs }: Receiver,
  { path, avatarId, word }: { path: string; avatarId: string; word: string },
): Promise<Lag> {
  const { id } = await post(path, { avatarId });
  const startedMs = performance.now();
  await post(`${path}/${id}/messages`, { messages: [{ role: 'user', text: word }] });
  const saidMs = performance.now();
  const search = async () => {
    const headers = { Authorization: `Bearer ${apiKey}` };
    const response = await fetch(`${baseUrl}${path}/search?q=${word}`, { headers });
    const { data } = (await response.json()) as { data?: { items: unknown[] } };
    return (data?.items.length ?? 0) > 0;
  };
  const until = async (happened: () => boolean | Promise<boolean>, fromMs: number) => {
    while (!(await happened()) && performance.now() - fromMs < givenUpMs) await sleep(50);
    return performance.now() - fromMs;
  };
  const [found, sentOrGivenUp] = await Promise.all([
    until(search, saidMs),
    until(() => atMs.has(id), startedMs),
  ]);
  return { found, sent: Math.max(0, (atMs.get(id) ?? startedMs + sentOrGivenUp) - startedMs) };
}
