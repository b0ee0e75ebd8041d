/**
 * Waits for a change: a new message, or the end of a job. A waiting request holds a lease (see lib/limits/waits/store.ts). The
 * credential and the project are checked after each read, so data that was stored after the response to a revocation
 * is never delivered. An endpoint that waits declares `waits: bindWait`, so that no other function loads this file.
 */

import { ApiError } from '../base/errors.ts';
import { secondMs, ttlSeconds } from '../base/time.ts';
import { commit } from '../dynamodb/commit.ts';
import { findLease, type Lease, returnLease, takeLease } from '../limits/waits/store.ts';
import { readmit } from './admission.ts';
import { authorOf } from './author.ts';
import { inBackground } from './background.ts';
import { requireWithinLimits } from './limits.ts';
import { findLoaded, readLoads } from './loads.ts';
import type { BindWait } from './types.ts';

const pollEveryMs = secondMs;

/** The lease is longer than the longest wait and the function's timeout. */
export const leaseMs = 30 * secondMs;

/** Attempts to take a place, if other requests take places at the same time. */
const maxTries = 12;
const maxPauseMs = 50;

export const bindWait: BindWait = (endpoint, runtime, call, { store, project, loaded: first }) => {
  const { sender, session, report } = call;
  if (sender.kind === 'public') throw new Error(`${endpoint.id} is public, so it cannot wait`);
  const { caller, claim } = sender;
  const elapsedMs = () => runtime.elapsedMs() - call.begunMs;
  const nowMs = () => call.nowMs + elapsedMs();
  const author = authorOf(endpoint, call, sender.id);
  const quota = runtime.limits[caller.mode].quotas.waits;

  /** The requested waiting time is not part of the request's duration. */
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
      let last = await read(nowMs(), first);
      const leftMs = () => seconds * secondMs - elapsedMs();
      if (isDone(last) || leftMs() <= 0) return last;
      await requireWithinLimits(sender);
      const lease = await acquire();
      if (!lease) {
        report.isWaitLimited = true;
        return last;
      }
      try {
        while (!isDone(last) && leftMs() > 0) {
          await sleep(Math.min(pollEveryMs, leftMs()));
          const loaded = await load();
          if (loaded) last = await read(nowMs(), loaded);
          // Checked after the read: a caller that is admitted now may see the items that were read.
          await readmit(endpoint, runtime, call, nowMs());
          if (!loaded) throw new ApiError('not_found');
        }
        return last;
      } finally {
        inBackground(call, release(lease));
      }
    },
  };
};
