/**
 * Twenty receivers, five of which are broken, while the writers and the senders are killed at random: every healthy one gets each
 * event, none waits for a broken one, and the deliveries list what the receivers have got. `npm run bench -- webhooks` does it
 * with more events.
 */

import { afterEach, expect, inject, test } from 'vitest';
import { minuteMs, secondMs } from '../../../lib/time.ts';
import eventWriter from '../../../workers/event-writer.ts';
import webhookSender from '../../../workers/webhook-sender.ts';
import { openApi } from '../../support/api.ts';
import { chanceOf } from '../../support/killable.ts';
import {
  faults,
  killedAtRandom,
  runStorm,
  type Storm,
  type StormDelivery,
} from '../../support/webhook-storm.ts';

const events = 60;
const healthy = 15;
/** An attempt at a broken receiver takes 15 seconds: who waits for one would not get an event earlier. */
const maxLatencyMs = 10 * secondMs;
/** An attempt whose sender was killed is repeated after 45 seconds, and may be killed again. */
const limitMs = 6 * minuteMs;

let storm: Storm | undefined;
afterEach(async () => {
  await storm?.close();
});

const isInterrupted = ({ error }: StormDelivery['attempts'][number]) => error === 'interrupted';

test('events to twenty receivers', { tags: ['long'], timeout: 10 * minuteMs }, async () => {
  const api = await openApi(() => ({ allowLoopback: true }));
  const chance = chanceOf(7);
  let kills = 0;
  const counted = () => {
    const fate = chance();
    if (fate < 0.01) kills += 1;
    return fate;
  };
  const workers = [eventWriter, webhookSender].map((worker) => killedAtRandom(worker, 0.01, counted));
  const endpoint = inject('dynamodbEndpoint');
  const send: typeof api.call = (method, path, options) => api.call(method, path, options);
  const options = { events, healthy, broken: faults, ahead: 5, limitMs, workers };
  storm = await runStorm({ ...api, send, endpoint }, options);
  const { receivers, latencies } = storm;
  expect(kills).toBeGreaterThan(10);
  expect(storm.deadLetters).toEqual([]);

  const sound = receivers.filter(({ fault }) => fault === undefined);
  const ids = new Set(latencies.map(({ eventId }) => eventId));
  expect(ids.size).toBe(events);
  for (const { log } of sound) expect(new Set(log.keys())).toEqual(ids);

  const repeated = new Set<string>();
  for (const receiver of receivers) {
    const deliveries = await storm.deliveries(receiver);
    // The last requests may have arrived before their outcome is stored.
    expect(new Set(deliveries.map(({ eventId }) => eventId))).toEqual(ids);
    for (const { eventId, attempts, status } of deliveries) {
      const got = receiver.log.get(eventId)?.length ?? 0;
      const about = `${receiver.fault ?? 'healthy'} ${eventId} ${status} ${JSON.stringify(attempts)}`;
      const ended = attempts.filter((attempt) => !isInterrupted(attempt));
      if (attempts.length > 1) repeated.add(`${receiver.path} ${eventId}`);
      if (receiver.fault === 'dead') expect([got, about]).toEqual([0, about]);
      else {
        expect(got, about).toBeGreaterThanOrEqual(ended.length);
        expect(got, about).toBeLessThanOrEqual(attempts.length);
      }
      const expected = {
        healthy: [200, null],
        dead: [null, 'connection_failed'],
        slow: [null, 'timeout'],
        redirecting: [307, 'redirect'],
        resetting: [null, 'connection_failed'],
        wrong: [500, null],
      }[receiver.fault ?? 'healthy'];
      for (const { status: code, error } of ended) expect([code, error], about).toEqual(expected);
      if (status === 'succeeded') expect([receiver.fault, got > 0], about).toEqual([undefined, true]);
    }
  }
  // A slow one is new until its first attempt has ended, and then it fails.
  const slow = receivers.find(({ fault }) => fault === 'slow');
  expect(slow?.log.size).toBeGreaterThan(0);
  expect(slow?.most).toBeLessThanOrEqual(2);

  // What was killed waits because of that.
  const undisturbed = latencies
    .filter(({ path, eventId }) => !repeated.has(`${path} ${eventId}`))
    .map(({ ms }) => ms)
    .toSorted((one, other) => one - other);
  expect(undisturbed.length).toBeGreaterThan(0.8 * events * healthy);
  expect(undisturbed[Math.floor(undisturbed.length * 0.99)]).toBeLessThan(maxLatencyMs);
});
