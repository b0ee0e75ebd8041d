/**
 * A small piece of work of one organisation, alone and beside large work of another, for each worker: on the dev server, through the
 * public API. Each worker has a dev server of its own, so no load is left for the next.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { bootstrapOrganisation } from '../lib/credentials/bootstrap.ts';
import type { Worker } from '../lib/workers/worker.ts';
import { type DevProcess, startDevProcess } from '../scripts/local/dev-process.ts';
import { devPrefix, openService } from '../scripts/local/service.ts';
import { workers } from '../workers/index.ts';
import { type Budgeted, budgets } from './budgets.ts';
import type { Findings } from './findings.ts';
import { watchMachine } from './machine.ts';
import { type Neighbours, neighbours } from './neighbour-loads.ts';
import { forever, openSide, type Side, send } from './neighbour-side.ts';
import { median, percentile, progress } from './statistics.ts';

const alone = 2;
const beside = 3;
/** The load gets so much time to fill the places. */
const headStartMs = 1000;
const readEveryMs = 100;
/** A piece that takes longer is over every budget. */
const givenUpMs = 120_000;

type Measured = { aloneMs: number; besideMs: number[]; readMs: number[] };

/** @returns what has an entry, and why the other workers have none @throws Error if a worker has neither */
export function entriesOf(workers: readonly Worker[]) {
  const found = workers.map((worker) => {
    const entry = neighbours[worker.id];
    if (!entry) throw new Error(`bench/neighbour-loads.ts has nothing for ${worker.id}`);
    return { worker, entry };
  });
  return {
    measured: found.flatMap(({ worker, entry }) => ('because' in entry ? [] : [{ worker, entry }])),
    leftOut: found.flatMap(({ worker, entry }) => ('because' in entry ? [{ worker, ...entry }] : [])),
  };
}

/** @param only the workers to measure. Default: all */
export async function neighboursOf(only: readonly string[] = []): Promise<Findings> {
  const { measured, leftOut } = entriesOf(workers);
  const rows: string[][] = [];
  const longer: number[] = [];
  const reads: number[] = [];
  for (const { worker, entry } of measured.filter(
    ({ worker }) => only.length === 0 || only.includes(worker.id),
  )) {
    progress(`neighbours: ${worker.id}`);
    await watchMachine();
    const { aloneMs, besideMs, readMs } = await measure(worker, entry);
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
    const worstMs = Math.max(...besideMs);
    rows.push([
      `\`${worker.id}\``,
      entry.piece,
      entry.load.replace('#', String(placesOf(worker))),
      seconds(aloneMs),
      seconds(median(besideMs)),
      seconds(worstMs),
      `${percentile(readMs, 0.99).toFixed(0)} ms`,
    ]);
    progress((rows.at(-1) ?? []).join(' | '));
    longer.push(...besideMs.map((ms) => (ms - aloneMs) / 1000));
    reads.push(...readMs);
  }
  const budgeted: Budgeted[] = [
    { budget: 'neighbourSeconds', what: 'a piece beside a neighbour, at most', value: Math.max(...longer) },
    {
      budget: 'neighbourMedianSeconds',
      what: 'a piece beside a neighbour, in the median',
      value: median(longer),
    },
    {
      budget: 'neighbourReadMs',
      what: 'reads beside a neighbour, 99 of 100',
      value: percentile(reads, 0.99),
    },
  ];
  const without = leftOut.map(
    ({ worker, because, instead }) => `\`${worker.id}\` (${because}; \`${instead}\` instead)`,
  );
  return {
    head: [
      'worker',
      'small piece',
      'large work beside it',
      'alone',
      'beside it',
      '… at most',
      'reads, 99 of 100',
    ],
    rows,
    notes:
      `Budgets: beside a neighbour, a piece takes at most ${budgets.neighbourSeconds} s longer, and ` +
      `${budgets.neighbourMedianSeconds} s in the median, and 99 of 100 reads of the API take at most ` +
      `${budgets.neighbourReadMs} ms; over all rows, ${percentile(reads, 0.99).toFixed(0)} ms. Not measured: ${without.join(', ')}.`,
    rounds: `${alone} pieces alone, of which the faster counts, and ${beside} beside the load`,
    spread: 'medians, and the slowest',
    budgeted,
  };
}

/** Of a load: twice the places of the worker. */
const placesOf = ({ maxConcurrency }: Worker): number => 2 * maxConcurrency;

async function measure(worker: Worker, { fill, prepare }: Neighbours): Promise<Measured> {
  const dev = await startDevProcess();
  const end = new AbortController();
  try {
    const { busy, quiet } = await openSides(dev, end.signal);
    const aloneMs = await times(alone, quiet, prepare);
    const start = await fill(busy, placesOf(worker));
    // What the API needs to store the load does not have to end before the pieces begin.
    void start().catch((error: unknown) => end.signal.aborted || console.error(error));
    await sleep(headStartMs);
    const readMs = readAll(quiet);
    const besideMs = await times(beside, quiet, prepare);
    return { aloneMs: Math.min(...aloneMs), besideMs, readMs };
  } finally {
    end.abort();
    await dev.stop();
  }
}

async function openSides(dev: DevProcess, signal: AbortSignal) {
  const { runtime } = await openService(dev.dynamodbEndpoint, devPrefix);
  const { secret } = await bootstrapOrganisation(runtime, 'Quiet', 'live');
  const { baseUrl } = dev;
  return {
    busy: await openSide({ baseUrl, key: dev.apiKey, signal }),
    quiet: await openSide({ baseUrl, key: secret, signal }),
  };
}

async function times(count: number, quiet: Side, prepare: Neighbours['prepare']): Promise<number[]> {
  const all: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const act = await prepare(quiet);
    const begunMs = performance.now();
    await Promise.race([act(), sleep(givenUpMs, undefined, { ref: false })]);
    all.push(performance.now() - begunMs);
  }
  return all;
}

/** @returns the times of reads, which go on until the measurement ends */
function readAll(side: Side): number[] {
  const all: number[] = [];
  forever(side, async () => {
    const begunMs = performance.now();
    await (await send(side, { method: 'GET', path: side.project, key: side.key })).text();
    all.push(performance.now() - begunMs);
    await sleep(readEveryMs);
  });
  return all;
}
