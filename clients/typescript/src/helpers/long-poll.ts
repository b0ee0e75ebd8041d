/** Sends a request that the server answers when there is something new. */

import { retryAfterSeconds } from '../core/backoff.ts';
import type { RequestOptions } from '../core/options.ts';
import type { WithResponse } from '../core/promise.ts';
import type { ApiRequest, Query } from '../core/resource.ts';
import { elapsedMs } from '../core/timing.ts';

/** The longest wait that the API allows. */
const maxWaitSeconds = 20;

/**
 * The least time between two requests. It also applies if something between client and server answers at once, and does not say
 * when to come back.
 */
const leastIntervalMs = 250;

/** Failures are repeated for this time. A server that restarts is back sooner. */
const patienceMs = 120_000;

type Send<Data> = (request: Pick<ApiRequest, 'query' | 'options'>) => Promise<WithResponse<Data>>;

/**
 * @param options `leftMs` limits the call as a whole. Without `deadlineMs`, failures are repeated for two minutes
 * @returns the data, and how long to pause before the next call, so that a server that does not wait is called no more often
 * than its `Retry-After` allows. A response that came after a wait needs no pause: a change in the pause would be noticed late
 */
export async function longPoll<Data>(
  send: Send<Data>,
  query: Query,
  options: RequestOptions & { leftMs?: number },
): Promise<{ data: Data; pauseMs: number }> {
  const { leftMs = Number.POSITIVE_INFINITY, ...rest } = options;
  const seconds = Math.min(maxWaitSeconds, Math.floor(leftMs / 1000));
  let sentMs = 0;
  const { data, response } = await send({
    query: (attempt) => {
      sentMs = elapsedMs();
      // A proxy may cut long requests: each attempt waits half as long as the attempt before.
      return { ...query, waitSeconds: Math.floor(seconds / 2 ** (attempt - 1)) };
    },
    options: {
      maxRetries: Number.POSITIVE_INFINITY,
      ...rest,
      deadlineMs: Math.min(rest.deadlineMs ?? patienceMs, Math.max(0, leftMs - seconds * 1000)),
    },
  });
  const retryAfterMs = (retryAfterSeconds(response.headers, Date.now()) ?? 0) * 1000;
  const pauseMs = Math.max(retryAfterMs, leastIntervalMs) - (elapsedMs() - sentMs);
  return { data, pauseMs: Math.max(0, pauseMs) };
}
