/** Events to twenty receivers, five of them broken, while the workers that write and send them are killed at random. */

import { compare } from '../test/support/storm-differences.ts';
import { type Fault, faults, killedWorkers, runStorm } from '../test/support/webhook-storm.ts';
import type { Bench } from './service.ts';
import { ms, percentile, progress, table } from './statistics.ts';
import { healthy, stormApi } from './webhooks.ts';

/** The whole: `WEBHOOK_EVENTS=10000 npm run bench -- webhooks-killed`. */
const defaultEvents = 100;
/** So many events are under way. */
const ahead = 40;
/** Without broken receivers, this part of the events is enough to compare the times. */
const comparedPart = 5;
/** The part of the writes that kill their run. */
const share = 0.0005;
/** The time after which it gives up. */
const minMs = 600_000;
const msPerEvent = 1000;

export async function webhooksKilled(bench: Bench): Promise<string> {
  const events = Number(process.env.WEBHOOK_EVENTS ?? defaultEvents);
  const rows = [
    await measure(bench, { events: Math.ceil(events / comparedPart), broken: [] }),
    await measure(bench, { events, broken: faults }),
  ];
  const head = [
    'events to',
    'events',
    'killed runs',
    'interrupted attempts',
    'events/s',
    'commit to receiver, median',
    '95 of 100',
    '99 of 100',
  ];
  const note =
    'The workers are the event writer and the sender. Each write kills the run that makes it with a probability of ' +
    `${share}, before or after it takes effect; a run has up to 10 notices. ${ahead} events are under way. An attempt ` +
    'whose sender was killed is repeated after 45 seconds. Attempts under way at the end count as interrupted. Every healthy receiver got each event, and the lists of ' +
    `deliveries have what the receivers have got: the benchmark compares them. The broken receivers are ${faults.join(', ')}.`;
  return `${table(head, rows)}\n\n${note}`;
}

type Load = { events: number; broken: readonly Fault[] };

/** @returns a row of the table. @throws Error if something is lost, or a list differs from what a receiver has got */
async function measure(bench: Bench, { events, broken }: Load) {
  progress(`webhooks-killed: ${events} events to ${healthy} receivers and ${broken.length} broken ones`);
  const { workers, kills } = killedWorkers(share);
  const limitMs = minMs + events * msPerEvent;
  const storm = await runStorm(stormApi(bench), { events, healthy, broken, ahead, limitMs, workers });
  progress(`webhooks-killed: ${Math.round(storm.tookMs / 1000)} s, comparing`);
  const { differences, interrupted } = await compare(storm, events);
  if (differences.length > 0)
    throw new Error(`${differences.length}:\n${differences.slice(0, 10).join('\n')}`);
  await storm.close();
  const times = storm.latencies.map((one) => one.ms);
  return [
    `${healthy} receivers${broken.length > 0 ? `, and ${broken.length} broken ones` : ''}`,
    events.toLocaleString('en'),
    kills().toLocaleString('en'),
    interrupted.toLocaleString('en'),
    ((events * 1000) / storm.tookMs).toFixed(1),
    ...[0.5, 0.95, 0.99].map((part) => ms(percentile(times, part))),
  ];
}
