/**
 * How long a quiet tenant waits for a place in a worker while other tenants keep the worker busy: the queue, the places and the turns
 * in simulated time, with the declarations of the workers. SQS promises no fairness, so the queue is simulated with and without it.
 */

import { placesOf } from '../lib/workers/places.ts';
import type { Worker } from '../lib/workers/worker.ts';
import { table } from '../scripts/shared/markdown.ts';
import { randomOf } from '../scripts/shared/random.ts';
import { workers } from '../workers/index.ts';

type Declared = Pick<Worker, 'ends' | 'maxConcurrency' | 'longPiece'>;

export type Load = {
  isFair: boolean;
  busyTenants: number;
  quietTenants: number;
  /** Of each busy tenant. Default: 20. */
  noticesEach?: number;
};

export type Waits = {
  /** The time from a notice of a quiet tenant to its start, for 99 of 100. */
  p99Seconds: number;
  /** The turns of the busy tenants. */
  busyTurns: number;
};

/** A busy tenant has so many notices, unless a load says another number, and their work never ends. */
const usualNotices = 20;
/** The work of a quiet tenant, which sends one notice within the hour after the busy tenants have filled the queue. */
const quietSeconds = 0.5;
const hourSeconds = 3600;
const turnSeconds = 10;
const longestTurnSeconds = 60;
/** A piece of a turn, and the question whether another notice waits, take at most so long together. */
const pieceSeconds = 4;
const shortSeconds = 5;

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
    /** @returns the next notice of a tenant that may have another place */
    take(hasPlace: (tenant: number) => boolean): Notice | undefined {
      for (const [key, own] of byTenant) {
        const index = own.findIndex(({ tenant }) => hasPlace(tenant));
        const [notice] = index === -1 ? [] : own.splice(index, 1);
        if (!notice) continue;
        byTenant.delete(key);
        if (own.length > 0) byTenant.set(key, own);
        return notice;
      }
      return undefined;
    },
    isEmpty: () => byTenant.size === 0,
  };
}

/** @returns the longest piece of a notice */
const longestPiece = ({ ends, longPiece }: Declared): number =>
  longPiece?.maxSeconds ?? (ends === 'turn' ? pieceSeconds : shortSeconds);

export function simulatePlaces(
  worker: Declared,
  { isFair, busyTenants, quietTenants, noticesEach = usualNotices }: Load,
): Waits {
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
  const placesEach = worker.longPiece ? placesOf(worker) : worker.maxConcurrency;
  const hasPlace = (tenant: number) =>
    running.filter(({ notice }) => notice.tenant === tenant).length < placesEach;
  let busyTurns = 0;

  const isQuiet = ({ tenant }: Notice) => tenant >= busyTenants;
  const pieceOf = (notice: Notice) => (isQuiet(notice) ? quietSeconds : longestPiece(worker) * random());
  const isOver = (ranSeconds: number) =>
    worker.ends !== 'turn' ||
    ranSeconds >= longestTurnSeconds ||
    (ranSeconds >= turnSeconds && !queue.isEmpty());

  for (let nowSeconds = 0; waits.length < quietTenants || nowSeconds < hourSeconds; ) {
    while (running.length < worker.maxConcurrency) {
      const notice = queue.take(hasPlace);
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

const nameOf = ({ ends, longPiece, maxConcurrency }: Declared): string => {
  const kinds = {
    turn: 'in turns',
    short: longPiece ? 'short' : `short, up to ${shortSeconds} s`,
    whole: 'whole',
  };
  const piece = longPiece ? `, pieces of up to ${longPiece.maxSeconds} s` : '';
  return `${kinds[ends]}${piece}, ${maxConcurrency} places`;
};

const morePlaces = 3;

/** @returns a worker of each kind, with the longest pieces of its kind, and those in turns with more places */
function kinds(): Declared[] {
  const byKind = new Map<string, Declared>();
  for (const worker of workers.toSorted((one, other) => longestPiece(one) - longestPiece(other))) {
    const { ends, maxConcurrency, longPiece } = worker;
    byKind.set(`${ends} ${maxConcurrency} ${longPiece !== undefined}`, worker);
  }
  const all = [...byKind.values()].toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)));
  const inTurns = all.filter(({ ends, longPiece }) => ends === 'turn' && !longPiece);
  return [...all, ...inTurns.map((one) => ({ ...one, maxConcurrency: morePlaces * one.maxConcurrency }))];
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
        index === 0 ? nameOf(worker) : '',
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
