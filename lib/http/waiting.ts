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
import type { BindWait } from './types.ts';

const pollEveryMs = secondMs;

/** The lease is longer than the longest wait and the function's timeout. */
export const leaseMs = 30 * secondMs;

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

  async function acquire(): Promise<Lease | undefined> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const chance = runtime.randomFraction();
      const lease = await findLease(store, caller.id, { nowMs: nowMs(), chance, quota });
      if (!lease) return undefined;
      const times = { nowMs: nowMs(), untilSeconds: ttlSeconds(nowMs() + leaseMs) };
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
      const lease = await acquire();
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
  };
};
