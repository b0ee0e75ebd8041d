/** Events to twenty receivers, with and without five broken ones; and the time from a commit to a receiver. */

import { call } from '../scripts/local/call.ts';
import { routesOf } from '../scripts/local/service.ts';
import { type Fault, faults, runStorm, type Storm } from '../test/support/webhook-storm.ts';
import type { Bench } from './service.ts';
import { ms, percentile, progress, table } from './statistics.ts';

const rounds = 2;
/** The whole: `WEBHOOK_EVENTS=10000 npm run bench -- webhooks`. */
const defaultEvents = 80;
export const healthy = 15;
/** So many events are under way. */
const ahead = 5;
const alone = 100;
const msPerEvent = 10_000;

type Measured = { events: number; tookMs: number; latencies: number[] };

export async function webhooks(bench: Bench): Promise<string> {
  const eventsPerRound = Math.ceil(Number(process.env.WEBHOOK_EVENTS ?? defaultEvents) / rounds);
  const without: Measured[] = [];
  const withBroken: Measured[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    progress(`webhooks: round ${round} of ${rounds}, ${healthy} receivers`);
    without.push(await measure(bench, { events: eventsPerRound, healthy, broken: [], ahead }));
    progress(`webhooks: round ${round} of ${rounds}, ${healthy} receivers and ${faults.length} broken ones`);
    withBroken.push(await measure(bench, { events: eventsPerRound, healthy, broken: faults, ahead }));
  }
  progress('webhooks: one receiver');
  const single = await measure(bench, { events: alone, healthy: 1, broken: [], ahead: 0 });
  const row = (what: string, all: readonly Measured[]) => {
    const latencies = all.flatMap((one) => one.latencies);
    const events = all.reduce((sum, one) => sum + one.events, 0);
    const seconds = all.reduce((sum, one) => sum + one.tookMs, 0) / 1000;
    return [
      what,
      events,
      latencies.length,
      (events / seconds).toFixed(1),
      (latencies.length / seconds).toFixed(0),
      ms(percentile(latencies, 0.5)),
      ms(percentile(latencies, 0.99)),
    ];
  };
  const rows = [
    row(`${healthy} receivers`, without),
    row(`${healthy} receivers, and ${faults.length} broken ones`, withBroken),
    row('one receiver, one event at a time', [single]),
  ];
  const head = [
    'events to',
    'events',
    'deliveries to healthy receivers',
    'events/s',
    'deliveries/s',
    'commit to receiver, median',
    '99 of 100',
  ];
  const note =
    'The workers and the feed of the dev server, with DynamoDB Local and the receivers on the same machine. In the first two ' +
    `rows, ${ahead} events are under way, and the rounds alternate. The broken receivers are ${faults.join(', ')}.`;
  return `${table(head, rows)}\n\n${note}`;
}

type Load = { events: number; healthy: number; broken: readonly Fault[]; ahead: number };

async function measure(bench: Bench, load: Load): Promise<Measured> {
  const storm: Storm = await runStorm(stormApi(bench), { ...load, limitMs: load.events * msPerEvent });
  await storm.close();
  const latencies = storm.latencies.map(({ ms: tookMs }) => tookMs);
  if (latencies.length < load.events * load.healthy) throw new Error('an event has not arrived');
  return { events: load.events, tookMs: storm.tookMs, latencies };
}

/** The API, whose webhooks may be on this machine. */
export function stormApi({ key, organisationId, endpoint, ...bench }: Bench) {
  const runtime = { ...bench.runtime, network: { ...bench.runtime.network, allowLoopback: true } };
  const routes = routesOf(runtime);
  const send: Bench['send'] = (method, path, options) => call(routes, method, path, { key, ...options });
  return { runtime, organisationId, send, endpoint };
}
