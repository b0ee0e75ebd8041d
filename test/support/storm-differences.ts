/** Compares what the receivers of a storm have got with the lists of deliveries. */

import type { Storm, StormDelivery } from './webhook-storm.ts';

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
 * @param events how many were sent
 * @returns the number of interrupted attempts, and what is wrong, in sentences: an event that a healthy receiver has not got,
 *   a delivery that is not listed, and an attempt that the receiver knows nothing of, or that is not listed
 */
export async function compare(
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
