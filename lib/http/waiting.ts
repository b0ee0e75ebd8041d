/**
 * Waiting for what a caller reads to change: for a message, or for a job's end. Whoever waits holds a lease (see
 * lib/waits/store.ts). What was read behind a wait is shown only to a caller who would be let in now: the credential and the
 * project are checked after each read, so what was stored after a revocation's response is never delivered.
 */

import { commit } from '../dynamodb/commit.ts';
import type { Store } from '../dynamodb/store.ts';
import { ApiError } from '../errors.ts';
import { secondMs, ttlSeconds } from '../time.ts';
import { findLease, type Lease, returnLease, takeLease } from '../waits/store.ts';
import { readmit } from './admission.ts';
import type { Call } from './call.ts';
import type { Endpoint } from './endpoint.ts';
import { findLoaded, readLoads } from './loads.ts';
import type { Runtime } from './runtime.ts';

const pollEveryMs = secondMs;

/** The lease outlives the longest wait, and the function's time limit. */
const leaseMs = 30 * secondMs;

/** So often a request tries to take a place that others take at the same time. */
const maxTries = 4;
const maxPauseMs = 50;

export type Waiting<Loaded = unknown> = {
  /**
   * Reads at once, and then once a second until what was read is done or the time is over. Does not wait where too many wait
   * already.
   * @param read gets what the endpoint loads as it is by then, and the time, as epoch milliseconds
   * @param seconds how long the caller wants to wait, from the request's beginning; without a wait nothing is written
   * @returns what was read last
   * @throws ApiError what a new request would get: unauthorized, insufficient_scope or not_found, where the credential or the
   *   project has ended meanwhile
   */
  until<Read>(
    read: (nowMs: number, loaded: Loaded) => Promise<Read> | Read,
    isDone: (read: Read) => boolean,
    seconds: number,
  ): Promise<Read>;
};

export function waitingOf(endpoint: Endpoint, runtime: Runtime, call: Call, store: Store): Waiting {
  const elapsedMs = () => runtime.elapsedMs() - call.begunMs;
  const nowMs = () => call.nowMs + elapsedMs();

  /** What a caller asked to wait is no part of what the request took. */
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
    const stamp = { changedBy: call.caller?.id ?? 'public', changedIn: call.id };
    for (let tries = 0; tries < maxTries; tries += 1) {
      const chance = runtime.randomFraction();
      const lease = await findLease(store, stamp.changedBy, nowMs(), chance);
      if (!lease) return undefined;
      const times = { nowMs: nowMs(), untilSeconds: ttlSeconds(nowMs() + leaseMs) };
      if (!(await commit(call.session, takeLease(store, lease, times), stamp))) return lease;
      await runtime.sleep(chance * maxPauseMs);
    }
    return undefined;
  }

  async function release(lease: Lease): Promise<void> {
    const stamp = { changedBy: call.caller?.id ?? 'public', changedIn: call.id };
    await Promise.all(
      returnLease(store, lease, call.id).map((write) => commit(call.session, [write], stamp)),
    );
  }

  return {
    async until(read, isDone, seconds) {
      let last = await read(nowMs(), call.loaded);
      const leftMs = () => seconds * secondMs - elapsedMs();
      if (isDone(last) || leftMs() <= 0) return last;
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
          // Behind the read: what was there by then, the caller may see if they may now.
          await readmit(endpoint, runtime, call, nowMs());
          if (!loaded) throw new ApiError('not_found');
        }
        return last;
      } finally {
        const released = release(lease);
        released.catch(() => {});
        call.background.push(released);
      }
    },
  };
}
