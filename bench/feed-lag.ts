/**
 * How late background work is on the dev server: the time from a commit until the search finds a message, and until a webhook gets
 * an event, while 10 000 other changes are made and after them.
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DevProcess, startDevProcess } from '../scripts/local/dev-process.ts';
import { budgets, type Findings } from './budgets.ts';
import { median, progress, table } from './statistics.ts';

const changes = 10_000;
const messagesPerRequest = 25;
const writers = 4;
const probesAfter = 10;
const pauseMs = 2000;
const givenUpMs = 60_000;

type Lag = { found: number; sent: number };
type Measured = { during: Lag[]; after: Lag[]; tookMs: number };

export async function feedLag(): Promise<Findings> {
  const [load = 0] = loadavg();
  const measured = await measureLags(changes, probesAfter);
  return findings(measured, load);
}

/** @returns how late background work is while so many changes are made, and after them */
export async function measureLags(changes: number, probesAfter: number): Promise<Measured> {
  const server = await startDevProcess();
  const receiver = await openReceiver();
  try {
    const { id: project } = await server.post('/projects', { name: 'Lag' });
    const path = `/projects/${project}/conversations`;
    const avatar = { name: 'Ada', persona: { prompt: 'You are Ada.' } };
    const { id: avatarId } = await server.post(`/projects/${project}/avatars`, avatar);
    await server.post('/webhooks', { url: receiver.url, eventTypes: ['conversation.started'] });
    const probe = (number: number) => measure(server, receiver, { path, avatarId, word: `probe${number}x` });

    // Until the first success, a webhook gets few events at a time: lib/webhooks/rules/health.ts.
    await probe(0);
    const during: Lag[] = [];
    const startedMs = performance.now();
    const load = makeChanges(server, changes, { path, avatarId });
    for (let number = 1; !load.isDone(); number += 1) {
      during.push(await probe(number));
      progress(`feed-lag: ${load.made()} of ${changes} changes, ${JSON.stringify(during.at(-1))}`);
      await sleep(pauseMs);
    }
    const tookMs = (await load.ended) - startedMs;
    const after: Lag[] = [];
    for (let number = 0; number < probesAfter; number += 1) {
      after.push(await probe(1000 + number));
      await sleep(pauseMs);
    }
    return { during, after, tookMs };
  } finally {
    await receiver.close();
    await server.stop();
  }
}

function findings({ during, after, tookMs }: Measured, load: number): Findings {
  const shown = (values: readonly number[]) => [
    `${Math.round(median(values))} ms`,
    `${Math.round(Math.max(...values))} ms`,
  ];
  const row = (when: string, lags: readonly Lag[]) => [
    when,
    lags.length,
    ...shown(lags.map(({ found }) => found)),
    ...shown(lags.map(({ sent }) => sent)),
  ];
  const head = ['', 'probes', 'found, median', 'found, slowest', 'webhook, median', 'webhook, slowest'];
  const slowest = Math.max(...[...during, ...after].flatMap(({ found, sent }) => [found, sent]));
  return {
    text: [
      table(head, [row(`while ${changes} changes are made`, during), row('after them', after)]),
      '',
      `Budget: the slowest takes at most ${budgets.feedLagMs} ms. The changes took ${Math.round(tookMs / 1000)} s. This machine: ` +
        `${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, with a load of ${load.toFixed(1)} before the start.`,
    ].join('\n'),
    budgeted: [{ budget: 'feedLagMs', what: 'slowest background work', value: slowest }],
  };
}

/** Appends messages, in conversations of each writer. */
function makeChanges(
  { post }: DevProcess,
  changes: number,
  { path, avatarId }: { path: string; avatarId: string },
) {
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
  const ended = Promise.all(Array.from({ length: writers }, write)).then(() => performance.now());
  return { made: () => made, isDone: () => made >= changes, ended };
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

/** Starts a conversation with a new word. @returns milliseconds after its commit */
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
