/**
 * Waits for a change: a new message, or the end of a job. A waiting request holds a lease (see lib/limits/waits/store.ts). The
 * credential and the project are checked after each read, so data that was stored after the response to a revocation
 * is never delivered.
 */

import { ApiError } from '../base/errors.ts';
import { secondMs, ttlSeconds } from '../base/time.ts';
import { commit } from '../dynamodb/commit.ts';
import type { Store } from '../dynamodb/store.ts';
import { findLease, type Lease, returnLease, takeLease } from '../limits/waits/store.ts';
import { readmit } from './admission.ts';
import { authorOf } from './author.ts';
import { type Call, inBackground } from './call.ts';
import type { Endpoint } from './endpoint.ts';
import { requireWithinLimits } from './limits.ts';
import { findLoaded, readLoads } from './loads.ts';
import type { Runtime } from './runtime.ts';

const pollEveryMs = secondMs;

/** The lease is longer than the longest wait and the function's timeout. */
export const leaseMs = 30 * secondMs;

/** Attempts to take a place, if others take places at the same time. */
const maxTries = 12;
const maxPauseMs = 50;

export type Waiting<Loaded = unknown> = {
  /**
   * Reads at once, and then every second until `isDone` or until the time is up. If too many others wait, it reads only
   * once.
   * @param read gets the endpoint's current loads, and the time in epoch milliseconds
   * @param seconds how long to wait, from the start of the request; nothing is written if it does not wait
   * @returns the last result of `read`
   * @throws ApiError unauthorized, insufficient_scope, not_found or rate_limited, if a new request would get it, or
   *   quota_exceeded if the tenant's own quota of waits is used up
   */
  until<Read>(
    read: (nowMs: number, loaded: Loaded) => Promise<Read> | Read,
    isDone: (read: Read) => boolean,
    seconds: number,
  ): Promise<Read>;
};

export function bindWait(endpoint: Endpoint, runtime: Runtime, call: Call, store: Store): Waiting {
  const elapsedMs = () => runtime.elapsedMs() - call.begunMs;
  const nowMs = () => call.nowMs + elapsedMs();
  const author = authorOf(endpoint, call);
  const quota = runtime.limits[call.caller?.mode ?? 'live'].quotas.waits;

  /** The requested waiting time is not part of the request's duration. */
  async function sleep(ms: number): Promise<void> {
    const beganMs = runtime.elapsedMs();
    await runtime.sleep(ms);
    call.waitedMs += runtime.elapsedMs() - beganMs;
  }

  async function load() {
    const finders = await readLoads(endpoint, store, call);
    return findLoaded(endpoint, finders, call, nowMs());
  }

  async function acquire(): Promise<Lease | undefined> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const chance = runtime.randomFraction();
      const lease = await findLease(store, author.changedBy, { nowMs: nowMs(), chance, quota });
      if (!lease) return undefined;
      const times = { nowMs: nowMs(), untilSeconds: ttlSeconds(nowMs() + leaseMs) };
      if (!(await commit(call.session, takeLease(store, lease, times), author))) return lease;
      await runtime.sleep(chance * maxPauseMs);
    }
    return undefined;
  }

  async function release(lease: Lease): Promise<void> {
    await Promise.all(
      returnLease(store, lease, call.id).map((write) => commit(call.session, [write], author)),
    );
  }

  return {
    async until(read, isDone, seconds) {
      let last = await read(nowMs(), call.loaded);
      const leftMs = () => seconds * secondMs - elapsedMs();
      if (isDone(last) || leftMs() <= 0) return last;
      await requireWithinLimits(call);
      const lease = await acquire();
      if (!lease) {
        call.isWaitLimited = true;
        return last;
      }
      try {
        while (!isDone(last) && leftMs() > 0) {
          await sleep(Math.min(pollEveryMs, leftMs()));
          const loaded = await load();
          if (loaded) last = await read(nowMs(), loaded);
          // Checked after the read: a caller that is admitted now may see what was read.
          await readmit(endpoint, runtime, call, nowMs());
          if (!loaded) throw new ApiError('not_found');
        }
        return last;
      } finally {
        inBackground(call, release(lease));
      }
    },
  };
}
