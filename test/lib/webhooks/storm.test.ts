/**
 * Twenty receivers, five of which are broken: no healthy one waits for a broken one, and each gets every event, also while the
 * writers and the senders are killed at random. The deliveries list what the receivers have got.
 */

import { afterEach, expect, inject, test } from 'vitest';
import { minuteMs, secondMs } from '../../../lib/base/time.ts';
import type { Worker } from '../../../lib/workers/worker.ts';
import { openApi, toLoopback } from '../../../samples/api.ts';
import { openStreams } from '../../../samples/tables.ts';
import {
  faults,
  killedWorkers,
  runStorm,
  type Storm,
  type StormDelivery,
  stormTables,
} from '../../support/webhook-storm.ts';

const events = 40;
const healthy = 15;
/** An attempt at the slow receiver takes 15 seconds: who waits for one does not get an event earlier. */
const maxLatencyMs = 10 * secondMs;
const maxRuns = 3;
/** An attempt whose sender was killed is repeated after 45 seconds, and may be killed again. */
const limitMs = 6 * minuteMs;
const options = { tags: ['nightly'], timeout: 10 * minuteMs };

let storm: Storm | undefined;
afterEach(async () => {
  await storm?.close();
  storm = undefined;
});

async function open(workers?: readonly Worker[]): Promise<Storm> {
  await openStreams(stormTables);
  const api = await openApi(toLoopback);
  const endpoint = inject('dynamodbEndpoint');
  const load = { events, healthy, broken: faults, ahead: 3, limitMs, ...(workers && { workers }) };
  storm = await runStorm({ ...api, send: api.call, endpoint }, load);
  return storm;
}

/** @returns the latency that 99 of 100 requests to healthy receivers do not reach */
function slowest({ latencies }: Storm): number {
  const sorted = latencies.map(({ ms }) => ms).toSorted((one, other) => one - other);
  expect(sorted).toHaveLength(events * healthy);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.POSITIVE_INFINITY;
}

test('no healthy receiver waits for a broken one', options, async () => {
  // Other programs may delay a run. Who waits for a broken receiver waits in each.
  let calm = await open();
  for (let run = 1; run < maxRuns && slowest(calm) >= maxLatencyMs; run += 1) {
    await calm.close();
    calm = await open();
  }
  expect(slowest(calm)).toBeLessThan(maxLatencyMs);
  expect((await compare(calm, events)).differences).toEqual([]);
  // It is new until its first attempt has ended, and then it fails.
  const slow = calm.receivers.find(({ fault }) => fault === 'slow');
  expect(slow?.log.size).toBeGreaterThan(0);
  expect(slow?.most).toBeLessThanOrEqual(2);
});

test('every healthy receiver gets each event, although writers and senders are killed', options, async () => {
  const { workers, kills } = killedWorkers(0.01);
  const killed = await open(workers);
  expect(kills()).toBeGreaterThan(10);
  expect((await compare(killed, events)).differences).toEqual([]);
});

type Attempt = StormDelivery['attempts'][number];

/** The sender was killed before it knew how the attempt ended, or the attempt is under way. */
const isInterrupted = ({ error }: Attempt): boolean => error === 'interrupted';

/** How an attempt ends: the status and the error. */
const outcomes = {
  healthy: [200, null],
  dead: [null, 'connection_failed'],
  slow: [null, 'timeout'],
  redirecting: [307, 'redirect'],
  resetting: [null, 'connection_failed'],
  wrong: [500, null],
} as const;

/**
 * Compares what the receivers of a storm have got with the lists of deliveries.
 * @param events how many were sent
 * @returns the number of interrupted attempts, and what is wrong, in sentences: an event that a healthy receiver has not got,
 *   a delivery that is not listed, and an attempt that the receiver knows nothing of, or that is not listed
 */
async function compare(
  { receivers, deliveries, latencies, deadLetters }: Storm,
  events: number,
): Promise<{ differences: string[]; interrupted: number }> {
  let interrupted = 0;
  const found = deadLetters.map(({ worker, notice }) => `${worker} has given up ${notice.id}`);
  const ids = new Set(latencies.map(({ eventId }) => eventId));
  if (ids.size !== events) found.push(`${ids.size} of ${events} events have arrived`);
  for (const receiver of receivers) {
    const name = receiver.fault ?? 'healthy';
    const listed = new Map((await deliveries(receiver)).map((one) => [one.eventId, one]));
    for (const { attempts } of listed.values()) interrupted += attempts.filter(isInterrupted).length;
    for (const id of ids) {
      const delivery = listed.get(id);
      const got = receiver.log.get(id)?.length ?? 0;
      if (name === 'healthy' && got === 0) found.push(`${id} has not arrived`);
      if (!delivery) found.push(`${id}: its delivery to the ${name} receiver is not listed`);
      else found.push(...wrongIn(delivery, name, got));
    }
    if (listed.size !== ids.size) found.push(`${listed.size} deliveries to the ${name} receiver are listed`);
  }
  return { differences: found, interrupted };
}

function wrongIn({ eventId, status, attempts }: StormDelivery, name: keyof typeof outcomes, got: number) {
  const ended = attempts.filter((attempt) => !isInterrupted(attempt));
  const [code, error] = outcomes[name];
  const isRight =
    (name === 'dead' ? got === 0 : got >= ended.length && got <= attempts.length) &&
    ended.every((attempt) => attempt.status === code && attempt.error === error) &&
    (name === 'healthy' || status !== 'succeeded');
  return isRight ? [] : [`${eventId}: ${name}, ${status}, ${got} requests, ${JSON.stringify(attempts)}`];
}
