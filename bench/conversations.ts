/**
 * Conversations under load: the cost of storing, indexing and counting, and of each query among few and many messages,
 * with other tenants in the same tables.
 */

import { split } from '../lib/base/batches.ts';
import { bootstrapOrganisation } from '../lib/credentials/bootstrap.ts';
import type { StoredProject } from '../lib/projects/store.ts';
import type { Worker } from '../lib/workers/worker.ts';
import { call } from '../scripts/local/call.ts';
import { routesOf } from '../scripts/local/service.ts';
import { deliverNotices, noticesOf } from '../test/support/lambda-queue.ts';
import { changeRecord } from '../test/support/stream-records.ts';
import conversationCounter from '../workers/conversation-counter.ts';
import messageIndexer from '../workers/message-indexer.ts';
import {
  avatarOf,
  conversationOf,
  fillConversation,
  goesOn,
  messagesEach,
  messagesOf,
  messageText,
  userOf,
  wordsPerMessage,
} from './conversation-history.ts';
import { postingsOf } from './conversation-search.ts';
import { meter } from './meter.ts';
import type { Bench } from './service.ts';
import { median, ms, progress, table } from './statistics.ts';

const sizes = [1000, 100_000] as const;
/** The rest is written directly, with only the postings that the searches need. */
const throughApi = 10_000;
const indexedByWorker = 20_000;
const others = { tenants: 10, messages: 1000 };
const atOnce = 8;
const runs = 20;
const terms = new Set(['needle', 'w1', 'w2']);

const count = (number: number) => Math.round(number).toLocaleString('en');
const rate = (what: string, number: number, tookMs: number) =>
  `${count((number / tookMs) * 1000)} ${what} a second`;

export async function conversations(bench: Bench): Promise<string> {
  const nowMs = Date.now();
  const load = await openLoad(bench, nowMs);
  await besides(bench, nowMs);
  const measured: Measured[][] = [];
  for (const size of sizes) {
    progress(`conversations: ${count(size)} messages`);
    await load.growTo(size);
    measured.push(await measureQueries(bench, load.path, load.someConversation()));
  }
  return [...load.report(), '', compare(measured)].join('\n');
}

/** The measured project. */
async function openLoad(bench: Bench, nowMs: number) {
  const { runtime, organisationId, key } = bench;
  const { data } = await bench.send('POST', '/projects', { body: { name: 'Load' } });
  const project = data as StoredProject;
  const tenant = `${organisationId}#live`;
  const path = `/projects/${project.id}/conversations`;
  const ids: string[] = [];
  const api = timed(bench);
  const indexer = timed(bench);
  const counter = timed(bench);
  let counted = 0;

  const ingest = (number: number) =>
    api.part(async (client) => {
      const routes = routesOf({ ...runtime, client });
      const post = async (at: string, body: object) => {
        const response = await call(routes, 'POST', at, { key, body });
        if (response.status >= 300) throw new Error(response.text);
        return response.data;
      };
      const begun = conversationOf(number, nowMs);
      const { id } = await post(path, begun);
      await post(`${path}/${id}/messages`, { messages: messagesOf(number, begun) });
      return id as string;
    });
  const worked = (worker: Worker, item: Record<string, unknown>[], by: ReturnType<typeof timed>) =>
    by.part(async (client) => {
      const records = item.map((image) => changeRecord(undefined, image));
      await deliverNotices({ ...runtime, client }, worker, noticesOf(worker, records));
    });

  return {
    path,
    someConversation: () => ids[0] as string,
    async growTo(messages: number) {
      const [from, to] = [ids.length, messages / messagesEach];
      const fromApi = Math.min(to, throughApi / messagesEach);
      await api.run(from, fromApi, async (number) => {
        ids[number] = await ingest(number);
      });
      await spread(from, fromApi, async (number) => {
        if (goesOn(number)) return;
        await bench.send('POST', `${path}/${ids[number]}/end`, { body: { reason: 'completed' } });
      });
      progress('conversations: filling');
      await spread(Math.max(from, fromApi), to, async (number) => {
        const isIndexed = number < indexedByWorker / messagesEach;
        const target = { tenant, project, terms: isIndexed ? new Set<string>() : terms };
        ids[number] = await fillConversation(runtime, target, number, nowMs);
      });
      progress('conversations: indexing');
      await indexer.run(from, Math.min(to, indexedByWorker / messagesEach), async (number) => {
        const items = messagesOf(number, conversationOf(number, nowMs)).map(({ text }, index) => ({
          tenant: `${tenant}#${project.id}#${ids[number]}`,
          id: String(index + 1).padStart(10, '0'),
          seq: index + 1,
          text,
          createdAt: new Date(nowMs + number).toISOString(),
        }));
        await worked(messageIndexer, items, indexer);
      });
      progress('conversations: counting');
      const changed = split(ids.slice(from, to), conversationCounter.batchSize);
      await counter.run(0, changed.length, (batch) => {
        const items = changed[batch] ?? [];
        return worked(
          conversationCounter,
          items.map((id) => ({ tenant: `${tenant}#${project.id}`, id })),
          counter,
        );
      });
      counted += to - from;
    },
    report() {
      const inMessages = (figure: number, of: ReturnType<typeof timed>) =>
        (figure / of.done() / messagesEach).toFixed(1);
      const sums = indexOf(`${tenant}#${project.id}#`, ids);
      return [
        `Stored through the API: ${rate('messages', api.done() * messagesEach, api.tookMs())}, ${atOnce} conversations at ` +
          `the same time, with DynamoDB Local on the same machine: ${inMessages(api.usage().writeUnits, api)} write and ` +
          `${inMessages(api.usage().readUnits, api)} read units per message. Measured on ${count(api.done() * messagesEach)} ` +
          `messages, ${messagesEach} per request, each with a \`clientMessageId\`. The others were written directly, ` +
          'as the same items.',
        '',
        `Indexed by the worker: ${rate('messages', indexer.done() * messagesEach, indexer.tookMs())}, ` +
          `${inMessages(indexer.usage().writeUnits, indexer)} write units per message, measured on ` +
          `${count(indexer.done() * messagesEach)} of them. At that rate, all ${count(ids.length * messagesEach)} take ` +
          `${Math.round((indexer.tookMs() / indexer.done()) * (ids.length / 60_000))} minutes. The others have only the ` +
          `postings that the searches below need. The complete index has ${count(sums.items)} postings, ` +
          `${count(sums.bytes / 2 ** 20)} MB, for ${count(sums.textBytes / 2 ** 20)} MB of text.`,
        '',
        `Counted by the worker: ${rate('conversations', counted, counter.tookMs())}, ` +
          `${(counter.usage().writeUnits / counted).toFixed(1)} write and ` +
          `${(counter.usage().readUnits / counted).toFixed(1)} read units each, in batches of ` +
          `${conversationCounter.batchSize}.`,
      ];
    },
  };
}

/** Runs several of them at the same time, started in order. */
async function spread(from: number, to: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = from;
  const lane = async () => {
    while (next < to) {
      const number = next;
      next += 1;
      await work(number);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/** Adds up the time and the DynamoDB usage of parts of the work. */
function timed({ runtime }: Bench) {
  const metered = meter(runtime.client);
  let [done, tookMs] = [0, 0];
  return {
    part: <Result>(work: (client: typeof metered.client) => Promise<Result>) => work(metered.client),
    async run(from: number, to: number, work: (number: number) => Promise<void>) {
      const begun = performance.now();
      await spread(from, to, work);
      tookMs += performance.now() - begun;
      done += Math.max(0, to - from);
    },
    usage: metered.usage,
    done: () => done,
    tookMs: () => tookMs,
  };
}

/** The size of the index of all messages. */
function indexOf(project: string, ids: readonly string[]) {
  const sums = { items: 0, bytes: 0, textBytes: 0 };
  for (const number of ids.keys()) {
    const texts = Array.from({ length: messagesEach }, (_, index) => messageText(number, index));
    const { items, bytes } = postingsOf(project, texts);
    sums.items += items;
    sums.bytes += bytes;
    sums.textBytes += texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  }
  return sums;
}

/** Other organisations with conversations in the same tables. */
async function besides(bench: Bench, nowMs: number): Promise<void> {
  for (let index = 0; index < others.tenants; index += 1) {
    const { secret: key, organisationId } = await bootstrapOrganisation(bench.runtime, 'Other', 'live');
    const { data } = await bench.send('POST', '/projects', { key, body: { name: 'Other' } });
    const target = { tenant: `${organisationId}#live`, project: data as StoredProject, terms };
    await spread(0, others.messages / messagesEach, async (number) => {
      await fillConversation(bench.runtime, target, number, nowMs);
    });
  }
}

type Measured = { name: string; found: number; roundTrips: number; readUnits: number; tookMs: number };

async function measureQueries(bench: Bench, path: string, conversation: string): Promise<Measured[]> {
  const search = (q: string) => `/search?q=${encodeURIComponent(q)}`;
  const queries = [
    ['list', ''],
    ['list, `externalUserId`', `?externalUserId=${userOf(7)}`],
    ['list, `avatarId` and `tag`', `?avatarId=${avatarOf(3)}&tag=refund`],
    ['list, `status=active`, of 1 in 20', '?status=active'],
    [
      'list, `avatarId`, `channel` and `status`, of 1 in 600',
      `?avatarId=${avatarOf(3)}&channel=web&status=active`,
    ],
    ['transcript', `/${conversation}/transcript`],
    ['search, a word of 1 in 2500', search('needle')],
    ['search, a word of most', search('w1')],
    ['search, two words of most', search('w1 w2')],
    ['search, a phrase of these', search('"w1 w2"')],
    ['stats, 30 days by `day`', '/stats?groupBy=day'],
  ] as const;
  const measured: Measured[] = [];
  for (const [name, query] of queries) {
    const send = () => bench.send('GET', `${path}${query}`);
    const { roundTrips, readUnits } = await bench.usageOf(send);
    const { items, messages } = (await send()).data as { items?: unknown[]; messages?: unknown[] };
    const times: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const begun = performance.now();
      await send();
      times.push(performance.now() - begun);
    }
    const found = (items ?? messages ?? []).length;
    measured.push({ name, found, roundTrips, readUnits, tookMs: median(times) });
  }
  return measured;
}

/** @returns the figures at both sizes side by side */
function compare([few = [], many = []]: readonly Measured[][]): string {
  const rows = few.map((small, index) => {
    const large = many[index] as Measured;
    const pair = (shown: (measured: Measured) => string | number) => `${shown(small)} → ${shown(large)}`;
    return [
      small.name,
      pair(({ found }) => found),
      pair(({ roundTrips }) => roundTrips),
      pair(({ readUnits }) => readUnits),
      `${(large.readUnits / small.readUnits).toFixed(1)} ×`,
      pair(({ tookMs }) => ms(tookMs)),
    ];
  });
  const [from, to] = sizes.map(count);
  return [
    table([`${from} → ${to} messages`, 'found', 'round trips', 'read units', 'growth', 'time'], rows),
    '',
    `Conversations of ${messagesEach} messages of ${wordsPerMessage} words, spread over a month, with ten avatars, three ` +
      `channels and 500 users. Pages of 25, medians of ${runs}. ${others.tenants} other tenants have ${count(others.messages)} messages each.`,
  ].join('\n');
}
