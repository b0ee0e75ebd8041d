/**
 * How long a quiet tenant waits for a place in a worker while other tenants keep the worker busy: the queue, the places and the turns
 * in simulated time, with the declarations of the workers. SQS promises no fairness, so the queue is simulated with and without it.
 */

import type { Worker } from '../lib/workers/worker.ts';
import { table } from '../scripts/shared/markdown.ts';
import { workers } from '../workers/index.ts';

type Declared = Pick<Worker, 'ends' | 'maxConcurrency' | 'timeoutSeconds'>;

export type Load = {
  isFair: boolean;
  busyTenants: number;
  quietTenants: number;
};

export type Waits = {
  /** The time from a notice of a quiet tenant to its start, for 99 of 100. */
  p99Seconds: number;
  /** The turns of the busy tenants. */
  busyTurns: number;
};

/** A busy tenant has so many notices, and their work never ends. */
const noticesEach = 20;
/** The work of a quiet tenant, which sends one notice within the hour after the busy tenants have filled the queue. */
const quietSeconds = 0.5;
const hourSeconds = 3600;
const turnSeconds = 10;
const longestTurnSeconds = 60;
/** A piece of a turn, and the question whether another notice waits, take at most so long together. */
const pieceSeconds = 4;
const shortSeconds = 5;

/** The numbers of mulberry32, the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Notice = { tenant: number; sinceSeconds: number };

/** In a fair queue, the tenants take turns, however many notices one of them has. */
function openQueue(isFair: boolean) {
  const byTenant = new Map<number, Notice[]>();
  return {
    add(notice: Notice) {
      const key = isFair ? notice.tenant : 0;
      const own = byTenant.get(key);
      if (own) own.push(notice);
      else byTenant.set(key, [notice]);
    },
    take(): Notice | undefined {
      const [next] = byTenant;
      if (!next) return undefined;
      const [key, own] = next;
      byTenant.delete(key);
      if (own.length > 1) byTenant.set(key, own);
      return own.shift();
    },
    isEmpty: () => byTenant.size === 0,
  };
}

/** @returns the longest piece of a notice */
const longestPiece = ({ ends, timeoutSeconds }: Declared): number =>
  ({ turn: pieceSeconds, short: shortSeconds, whole: timeoutSeconds, run: timeoutSeconds })[ends];

export function simulatePlaces(worker: Declared, { isFair, busyTenants, quietTenants }: Load): Waits {
  const random = randomOf(1);
  const queue = openQueue(isFair);
  const arrivals = Array.from({ length: quietTenants }, (_, index) => ({
    tenant: busyTenants + index,
    sinceSeconds: hourSeconds * random(),
  })).sort((one, other) => one.sinceSeconds - other.sinceSeconds);
  for (let count = 0; count < noticesEach; count += 1)
    for (let tenant = 0; tenant < busyTenants; tenant += 1) queue.add({ tenant, sinceSeconds: 0 });
  const running: { notice: Notice; begunSeconds: number; endSeconds: number }[] = [];
  const waits: number[] = [];
  let busyTurns = 0;

  const isQuiet = ({ tenant }: Notice) => tenant >= busyTenants;
  const pieceOf = (notice: Notice) => (isQuiet(notice) ? quietSeconds : longestPiece(worker) * random());
  const isOver = (ranSeconds: number) =>
    worker.ends !== 'turn' ||
    ranSeconds >= longestTurnSeconds ||
    (ranSeconds >= turnSeconds && !queue.isEmpty());

  for (let nowSeconds = 0; waits.length < quietTenants || nowSeconds < hourSeconds; ) {
    while (running.length < worker.maxConcurrency) {
      const notice = queue.take();
      if (!notice) break;
      if (isQuiet(notice)) waits.push(nowSeconds - notice.sinceSeconds);
      running.push({ notice, begunSeconds: nowSeconds, endSeconds: nowSeconds + pieceOf(notice) });
    }
    const first = Math.min(...running.map(({ endSeconds }) => endSeconds));
    const arrival = arrivals[0];
    if (arrival && arrival.sinceSeconds <= first) {
      nowSeconds = arrival.sinceSeconds;
      queue.add(arrival);
      arrivals.shift();
      continue;
    }
    if (first === Number.POSITIVE_INFINITY) break;
    nowSeconds = first;
    const index = running.findIndex(({ endSeconds }) => endSeconds === first);
    const run = running[index];
    if (!run) break;
    if (isQuiet(run.notice)) running.splice(index, 1);
    else if (isOver(nowSeconds - run.begunSeconds)) {
      running.splice(index, 1);
      queue.add({ ...run.notice, sinceSeconds: nowSeconds });
      if (nowSeconds <= hourSeconds) busyTurns += 1;
    } else run.endSeconds = nowSeconds + pieceOf(run.notice);
  }
  const sorted = waits.toSorted((one, other) => one - other);
  return { p99Seconds: sorted[Math.floor(waits.length * 0.99)] ?? 0, busyTurns };
}

const names = {
  turn: 'in turns',
  short: `short, up to ${shortSeconds} s`,
  whole: 'whole, up to its time limit',
  run: 'until its time limit',
} as const;

const morePlaces = 3;

/** @returns the kinds of workers, and those in turns with more places */
function kinds(): Declared[] {
  const byKind = new Map<string, Declared>();
  for (const worker of workers) {
    if (worker.ends === 'run') continue;
    const { ends, maxConcurrency } = worker;
    byKind.set(`${names[ends]}, ${maxConcurrency} places`, worker);
  }
  const [...all] = byKind.values();
  const inTurns = all.filter(({ ends }) => ends === 'turn');
  return [
    ...inTurns,
    ...inTurns.map((worker) => ({ ...worker, maxConcurrency: morePlaces * worker.maxConcurrency })),
  ].concat(all.filter(({ ends }) => ends !== 'turn'));
}

/** @returns the table in docs/capacity.md */
export function placesTable(): string {
  const quietTenants = 1000;
  const seconds = (value: number) =>
    value < 120 ? `${value.toFixed(0)} s` : `${(value / 60).toFixed(0)} min`;
  const rows = kinds().flatMap((worker) =>
    [1, 10, 100].map((busyTenants, index) => {
      const wait = (isFair: boolean) => simulatePlaces(worker, { isFair, busyTenants, quietTenants });
      const alone = simulatePlaces(worker, { isFair: true, busyTenants, quietTenants: 0 });
      const fair = wait(true);
      const lost = (1 - fair.busyTurns / alone.busyTurns) * 100;
      return [
        index === 0 ? `${names[worker.ends]}, ${worker.maxConcurrency} places` : '',
        busyTenants,
        seconds(fair.p99Seconds),
        seconds(wait(false).p99Seconds),
        `${alone.busyTurns - fair.busyTurns} of ${alone.busyTurns} (${lost.toFixed(1)} %)`,
      ];
    }),
  );
  const head = [
    'work of the busy tenants',
    'busy tenants',
    'wait, fair queue',
    'wait, first in, first out',
    'turns that the busy tenants lose',
  ];
  return table(head, rows);
}
