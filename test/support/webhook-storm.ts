/**
 * Many events to healthy and broken receivers, with real connections, by the real workers, which can be killed at random. For
 * the test of what is delivered, and for the benchmark.
 */

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { minuteMs, secondMs } from '../../lib/base/time.ts';
import { openSession } from '../../lib/dynamodb/session.ts';
import { bindStore } from '../../lib/dynamodb/store.ts';
import type { TableName } from '../../lib/dynamodb/tables.ts';
import type { Runtime } from '../../lib/http/runtime.ts';
import { dueItems, dueTenant, minuteOf, readDue, timeKey } from '../../lib/workers/due.ts';
import type { Worker, WorkerInput } from '../../lib/workers/worker.ts';
import type { ApiResponse, CallOptions, Json } from '../../scripts/local/call.ts';
import { type Feed, startFeed } from '../../scripts/local/feed.ts';
import eventWriter from '../../workers/event-writer.ts';
import webhookSender from '../../workers/webhook-sender.ts';
import { chanceOf } from './killable.ts';

export type Fault = 'dead' | 'slow' | 'redirecting' | 'resetting' | 'wrong';
export const faults: readonly Fault[] = ['dead', 'slow', 'redirecting', 'resetting', 'wrong'];

/** How a receiver ends a request. A slow one never does, so whoever waits for it waits until the attempt times out. */
const answers: Readonly<Record<Fault | 'none', (response: ServerResponse) => void>> = {
  none: (response) => void response.end('ok'),
  dead: () => {},
  slow: () => {},
  redirecting: (response) => void response.writeHead(307, { Location: 'http://127.0.0.1:1/' }).end(),
  resetting: (response) => void response.socket?.resetAndDestroy(),
  wrong: (response) => void response.writeHead(500).end('no'),
};

const stormWorkers: readonly Worker[] = [eventWriter, webhookSender];

/** The tables that a storm changes: new projects make events, and these make deliveries. */
export const stormTables: readonly TableName[] = ['projects', 'deliveries'];

/** The scheduler runs this often, instead of every minute. */
const scheduleMs = 5 * secondMs;

export type StormReceiver = {
  fault: Fault | undefined;
  path: string;
  /** Its log: each request, by the id of the event. */
  log: Map<string, { atMs: number }[]>;
  /** The largest number of requests that were under way at the same time. */
  most: number;
  close(): Promise<void>;
};

type Api = {
  runtime: Runtime;
  organisationId: string;
  send(method: string, path: string, options?: CallOptions): Promise<ApiResponse>;
  endpoint: string;
};

/**
 * The part of the scheduler that a delivery needs: it gets its notice when its time has come. On a busy machine, a healthy
 * receiver may be slow, and some deliveries wait in the schedule. Other organisations' items stay as they are.
 */
function openSchedule({ runtime, organisationId }: Api, { sender }: Feed) {
  const sent = new Set<string>();
  let fromMs = Date.now();
  return async () => {
    const untilMs = Date.now();
    // What is due in a minute may be written while it passes.
    for (let ms = fromMs - minuteMs; ms < untilMs + minuteMs; ms += minuteMs) {
      for await (const item of dueIn(runtime, minuteOf(ms), untilMs)) {
        const { worker, notice } = readDue(item);
        if (!notice.tenant.startsWith(organisationId) || sent.has(item.id)) continue;
        sent.add(item.id);
        await sender.send(worker, [notice]);
      }
    }
    fromMs = untilMs;
  };
}

async function* dueIn({ client, tableNames }: Runtime, minute: string, untilMs: number) {
  const store = bindStore(openSession(client, tableNames, { schedule: ['Query'] }), dueTenant);
  for (let after: string | undefined; ; ) {
    const range = { to: `${timeKey(untilMs)}~`, order: 'oldest', after, limit: 500 } as const;
    const { items, next } = await dueItems.at(store, minute).page(range);
    yield* items;
    if (next === null) return;
    after = next;
  }
}

/** Sends a request, again while the machine is too busy. @throws Error with the response if it is refused */
async function request({ send }: Api, method: string, path: string, body?: Json): Promise<Json> {
  const options = { ...(body && { body, idempotencyKey: crypto.randomUUID() }) };
  for (;;) {
    const { status, text, data } = await send(method, path, options);
    if (status < 300) return data;
    if (status !== 503) throw new Error(text);
    await sleep(1000);
  }
}

async function openReceiver(api: Api, fault: Fault | undefined): Promise<StormReceiver> {
  const log: StormReceiver['log'] = new Map();
  let underWay = 0;
  const server = createServer(async (request, response) => {
    underWay += 1;
    receiver.most = Math.max(receiver.most, underWay);
    response.on('close', () => {
      underWay -= 1;
    });
    const id = `${request.headers['webhook-id']}`;
    log.set(id, [...(log.get(id) ?? []), { atMs: Date.now() }]);
    request.resume();
    request.on('end', () => answers[fault ?? 'none'](response));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  // Nobody listens where it was.
  if (fault === 'dead') await close();
  const body = { url: `http://127.0.0.1:${port}/hook`, eventTypes: ['project.created'] };
  const { id } = await request(api, 'POST', '/webhooks', body);
  const receiver: StormReceiver = {
    fault,
    path: `/webhooks/${id}`,
    log,
    most: 0,
    close: fault === 'dead' ? async () => {} : close,
  };
  return receiver;
}

/**
 * A worker whose runs die at random: before or after one of their writes takes effect. Then nothing of the run is written any
 * more, also of its other notices, and requests that it has sent are under way.
 * @param share of the writes at which a run dies
 */
const killedAtRandom = (worker: Worker, share: number, chance: () => number): Worker => ({
  ...worker,
  handle(notices, input) {
    const death = Promise.withResolvers<never>();
    let isDead = false;
    const die = <Written>(): Promise<Written> => {
      isDead = true;
      death.reject(new Error('killed'));
      return new Promise<Written>(() => {});
    };
    const mortal =
      <Args extends unknown[], Written>(write: (...args: Args) => Promise<Written>) =>
      (...args: Args): Promise<Written> => {
        if (isDead) return new Promise<Written>(() => {});
        const fate = chance();
        if (fate < share / 2) return die();
        return fate < share ? write(...args).then(() => die<Written>()) : write(...args);
      };
    const own: WorkerInput = {
      ...input,
      commit: mortal(input.commit),
      writeEach: mortal(input.writeEach),
    };
    return Promise.race([death.promise, worker.handle(notices, own)]);
  },
});

/** The event writer and the sender, killed at random, and how many of their runs have died so far. */
export function killedWorkers(share: number) {
  const chance = chanceOf(7);
  let kills = 0;
  const counted = () => {
    const fate = chance();
    if (fate < share) kills += 1;
    return fate;
  };
  const workers = stormWorkers.map((worker) => killedAtRandom(worker, share, counted));
  return { workers, kills: () => kills };
}

export type StormOptions = {
  events: number;
  healthy: number;
  broken: readonly Fault[];
  /** The next event is sent when the healthy receivers have got all but this many, on average. */
  ahead: number;
  /** At most this long for all. */
  limitMs: number;
  /** Default: the real ones. */
  workers?: readonly Worker[];
};

/** What has happened. */
export type Storm = {
  receivers: readonly StormReceiver[];
  /** From the response of the POST to the first request to a healthy receiver, by event and receiver. Milliseconds. */
  latencies: { eventId: string; path: string; ms: number }[];
  tookMs: number;
  deadLetters: ReturnType<Feed['deadLetters']>;
  deliveries(receiver: StormReceiver): Promise<StormDelivery[]>;
  close(): Promise<void>;
};

export type StormDelivery = {
  eventId: string;
  status: string;
  attempts: { status: number | null; error: string | null }[];
};

/** Sends events until all healthy receivers have got them all, or the time is over. */
export async function runStorm(
  api: Api,
  { events, healthy, broken, ahead, limitMs, workers = stormWorkers }: StormOptions,
): Promise<Storm> {
  const { runtime, organisationId, endpoint } = api;
  // Only the tables that change: DynamoDB Local takes long to read a stream without changes after many changes of others.
  const changing = workers.map((worker) => ({
    ...worker,
    sources: worker.sources.filter((table) => stormTables.includes(table)),
  }));
  const feed = await startFeed(changing, runtime, {
    endpoint,
    from: 'LATEST',
    only: (tenant) => tenant.startsWith(organisationId),
  });
  const all = [...Array.from({ length: healthy }, () => undefined), ...broken];
  const receivers: StormReceiver[] = [];
  for (const fault of all) receivers.push(await openReceiver(api, fault));
  const sound = receivers.filter(({ fault }) => fault === undefined);
  const begunMs = performance.now();
  const endMs = Date.now() + limitMs;
  const committed: { project: string; atMs: number }[] = [];
  /** @returns how many requests to healthy receivers are missing after this many events. Some wait because of a kill */
  const missing = (count: number) => sound.reduce((sum, { log }) => sum + count - log.size, 0);
  const sendDue = openSchedule(api, feed);
  let dueAtMs = Date.now() + scheduleMs;
  const until = async (isReached: () => boolean) => {
    while (!isReached() && Date.now() < endMs) {
      await sleep(5);
      if (Date.now() < dueAtMs) continue;
      // A busy machine: the next run reads it again.
      await sendDue().catch(() => {});
      dueAtMs = Date.now() + scheduleMs;
    }
  };
  for (let count = 0; count < events && Date.now() < endMs; count += 1) {
    await until(() => missing(count) <= ahead * healthy);
    const { id } = await request(api, 'POST', '/projects', { name: `${count}` });
    committed.push({ project: `${id}`, atMs: Date.now() });
  }
  await until(() => missing(events) === 0);
  const tookMs = performance.now() - begunMs;
  const eventOf = await eventIds(api);
  const latencies = committed.flatMap(({ project, atMs }) => {
    const eventId = eventOf.get(project) ?? '';
    return sound.flatMap(({ log, path }) => {
      const [first] = log.get(eventId) ?? [];
      return first ? [{ eventId, path, ms: first.atMs - atMs }] : [];
    });
  });
  return {
    receivers,
    latencies,
    tookMs,
    get deadLetters() {
      return feed.deadLetters();
    },
    deliveries: ({ path }) => pagesOf<StormDelivery>(api, `${path}/deliveries?`),
    async close() {
      await Promise.all([feed.stop(), ...receivers.map((receiver) => receiver.close())]);
      for (const { path } of receivers) await request(api, 'DELETE', path);
    },
  };
}

async function pagesOf<Item>(api: Api, path: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor = ''; ; ) {
    const data = await request(api, 'GET', `${path}limit=100${cursor}`);
    items.push(...(data.items as Item[]));
    if (data.nextCursor === null) return items;
    cursor = `&cursor=${data.nextCursor}`;
  }
}

/** @returns the ids of the events by project */
async function eventIds(api: Api): Promise<Map<string, string>> {
  const found = await pagesOf<{ id: string; data: { id: string } }>(api, '/events?type=project.created&');
  return new Map(found.map(({ id, data }) => [data.id, id]));
}
