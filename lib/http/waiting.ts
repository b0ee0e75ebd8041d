/**
 * A request can wait for a change, such as a new message or the end of a job. It then holds a lease (see
 * lib/limits/waits/store.ts). The credential and the project are checked after each read, so data that was stored after the
 * response to a revocation is never delivered. Only the functions of endpoints that declare `waits: bindWait` load this file.
 */

import { ApiError } from '../base/errors.ts';
import { secondMs, ttlSeconds } from '../base/time.ts';
import { commit } from '../dynamodb/commit.ts';
import { findLease, type Lease, returnLease, takeLease } from '../limits/waits/store.ts';
import { readmit } from './admission.ts';
import { authorOf } from './author.ts';
import { requireWithinLimits } from './limits.ts';
import { findLoaded, readLoads } from './reads.ts';
import { inBackground } from './stages.ts';
import { streamLeaseMs } from './stream-times.ts';
import type { BindWait } from './types.ts';

const pollEveryMs = secondMs;

/** The lease is longer than the longest wait and the function's timeout. */
export const leaseMs = 30 * secondMs;

/** The caller of a stream is admitted again after this time, if there is nothing new. */
const admitEveryMs = secondMs;
/** A stream reads again after the shorter pause when there was something new, and then more and more rarely. */
const pausesMs = { shortest: 100, longest: 500, growth: 1.1 };

/** Attempts to take a lease, if other requests take leases at the same time. */
const maxTries = 12;
const maxPauseMs = 50;

export const bindWait: BindWait = (endpoint, runtime, call, { store, project, loaded: firstLoads }) => {
  const { sender, session, report } = call;
  if (sender.kind === 'public') throw new Error(`${endpoint.id} is public, so it cannot wait`);
  const { caller, claim } = sender;
  const elapsedMs = () => runtime.elapsedMs() - call.begunMs;
  const nowMs = () => call.nowMs + elapsedMs();
  const author = authorOf(endpoint, call, sender.id);
  const quota = runtime.limits[caller.mode].quotas.waits;

  /** The time that the caller has asked to wait is not part of the duration of the request. */
  async function sleep(ms: number): Promise<void> {
    const beganMs = runtime.elapsedMs();
    await runtime.sleep(ms);
    report.waitedMs += runtime.elapsedMs() - beganMs;
  }

  async function load() {
    const finders = await readLoads(endpoint, store, call.params, claim.keyId);
    return findLoaded(endpoint, finders, { caller, project, nowMs: nowMs() });
  }

  async function acquire(forMs: number): Promise<Lease | undefined> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const chance = runtime.randomFraction();
      const lease = await findLease(store, caller.id, { nowMs: nowMs(), chance, quota });
      if (!lease) return undefined;
      const times = { nowMs: nowMs(), untilSeconds: ttlSeconds(nowMs() + forMs) };
      if (!(await commit(session, takeLease(store, lease, times), author))) return lease;
      await runtime.sleep(chance * maxPauseMs);
    }
    return undefined;
  }

  async function release(lease: Lease): Promise<void> {
    await Promise.all(returnLease(store, lease, call.id).map((write) => commit(session, [write], author)));
  }

  return {
    async until(read, isDone, seconds) {
      let result = await read(nowMs(), firstLoads);
      const leftMs = () => seconds * secondMs - elapsedMs();
      if (isDone(result) || leftMs() <= 0) return result;
      await requireWithinLimits(sender);
      const lease = await acquire(leaseMs);
      if (!lease) {
        report.isWaitLimited = true;
        return result;
      }
      try {
        while (!isDone(result) && leftMs() > 0) {
          await sleep(Math.min(pollEveryMs, leftMs()));
          const loaded = await load();
          if (loaded) result = await read(nowMs(), loaded);
          // This check comes after the read: a caller that is admitted now may see the items that were read.
          await readmit(endpoint, runtime, call, nowMs());
          if (!loaded) throw new ApiError('not_found');
        }
        return result;
      } finally {
        inBackground(call, release(lease));
      }
    },

    async follow(read, { isDone, isNew, seconds }) {
      const first = await read(nowMs(), firstLoads);
      const leftMs = () => seconds * secondMs - elapsedMs();
      if (isDone(first)) return () => once(first);
      await requireWithinLimits(sender);
      const lease = await acquire(streamLeaseMs);
      if (!lease) throw new ApiError('rate_limited', tooManyWait, { retryAfterSeconds: 2 });
      return async function* follow(signal) {
        try {
          yield first;
          let pauseMs = pausesMs.shortest;
          let loaded = firstLoads;
          let admittedMs = elapsedMs();
          while (leftMs() > 0 && !signal.aborted) {
            await sleep(Math.min(pauseMs, leftMs()));
            if (signal.aborted) return;
            const result = await read(nowMs(), loaded);
            const hasNews = isNew(result) || isDone(result);
            pauseMs = hasNews ? pausesMs.shortest : Math.min(pauseMs * pausesMs.growth, pausesMs.longest);
            if (!hasNews && elapsedMs() - admittedMs < admitEveryMs) continue;
            // As above, the checks come after the read.
            const [current] = await Promise.all([load(), readmit(endpoint, runtime, call, nowMs())]);
            if (!current) throw new ApiError('not_found');
            loaded = current;
            admittedMs = elapsedMs();
            yield result;
            if (isDone(result)) return;
          }
        } finally {
          inBackground(call, release(lease));
        }
      };
    },
  };
};

async function* once<Value>(value: Value) {
  yield value;
}

const tooManyWait =
  'Too many other requests wait or stream at the same time. Send the request again when one of them has ended.';
