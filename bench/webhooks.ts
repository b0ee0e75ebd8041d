/** Events to fifteen receivers, with and without five broken ones; and the time from a commit to a single receiver. */

import { call } from '../scripts/local/call.ts';
import { routesOf } from '../scripts/local/service.ts';
import { type Fault, faults, runStorm } from '../test/support/webhook-storm.ts';
import type { Findings } from './findings.ts';
import { inTurn } from './rounds.ts';
import type { Bench } from './service.ts';
import { percentile, spread } from './statistics.ts';

const rounds = 5;
const events = 20;
const healthy = 15;
/** So many events are under way. */
const ahead = 5;
const msPerEvent = 10_000;

type Measured = { tookMs: number; latencies: number[] };

export async function webhooks(bench: Bench): Promise<Findings> {
  const measured = await inTurn(
    {
      healthy: () => measure(bench, { events, healthy, broken: [], ahead }),
      broken: () => measure(bench, { events, healthy, broken: faults, ahead }),
      single: () => measure(bench, { events, healthy: 1, broken: [], ahead: 0 }),
    },
    { what: 'webhooks', rounds },
  );
  const row = (what: string, all: readonly Measured[]) => {
    const latencies = all.flatMap((one) => one.latencies);
    return [
      what,
      spread(
        all.map(({ tookMs }) => (events * 1000) / tookMs),
        '',
        1,
      ),
      spread(latencies, 'ms', 0),
      `${percentile(latencies, 0.99).toFixed(0)} ms`,
    ];
  };
  return {
    head: ['events to', 'events/s', 'commit to receiver', '99 of 100'],
    rows: [
      row(`${healthy} receivers`, measured.healthy),
      row(`${healthy} receivers, and ${faults.length} broken ones`, measured.broken),
      row('one receiver, one event at a time', measured.single),
    ],
    notes:
      'The workers and the feed of the dev server, with DynamoDB Local and the receivers on the same machine. In the first two ' +
      `rows, ${ahead} events are under way. The broken receivers are ${faults.join(', ')}; only healthy ones are counted.`,
    rounds: `${rounds} rounds of ${events} events, the rows in turn`,
    budgeted: [],
  };
}

type Load = { events: number; healthy: number; broken: readonly Fault[]; ahead: number };

async function measure(bench: Bench, load: Load): Promise<Measured> {
  const storm = await runStorm(stormApi(bench), { ...load, limitMs: load.events * msPerEvent });
  await storm.close();
  const latencies = storm.latencies.map(({ ms: tookMs }) => tookMs);
  if (latencies.length < load.events * load.healthy) throw new Error('an event has not arrived');
  return { tookMs: storm.tookMs, latencies };
}

/** The API, whose webhooks may be on this machine. */
function stormApi({ key, organisationId, endpoint, ...bench }: Bench) {
  const runtime = { ...bench.runtime, network: { ...bench.runtime.network, allowLoopback: true } };
  const routes = routesOf(runtime);
  const send: Bench['send'] = (method, path, options) => call(routes, method, path, { key, ...options });
  return { runtime, organisationId, send, endpoint };
}
