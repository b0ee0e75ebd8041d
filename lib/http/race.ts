/**
 * The loop of a race: the handler decides, then one transaction commits its writes together with the idempotency record. There
 * is no state in between. Only the steps of an import are committed before this transaction. A request that loses a race
 * decides again.
 */

import { ApiError, type ErrorCode } from '../base/errors.ts';
import { timeOfId } from '../base/ids.ts';
import { secondMs } from '../base/time.ts';
import { commit, type Refusal } from '../dynamodb/commit.ts';
import type { Write } from '../dynamodb/write.ts';
import { getIdempotencyRecord } from '../idempotency/store.ts';
import { readmit } from './admission.ts';
import { authorOf } from './author.ts';
import type { Recorded } from './call.ts';
import { decide, firstReadsOf, storeOf } from './decide.ts';
import { requireWithinLimits } from './limits.ts';
import { readLoads } from './reads.ts';
import { mayReplay, recordOutcome, restoreOutcome } from './recorded-response.ts';
import type { Endpoint, Outcome, Runtime } from './types.ts';

/** A request that reaches one of these limits gets 503. esbuild would leave a product in bundles that need no race. */
const maxAttempts = 60;
const patienceMs = 20_000;
/** After this time, the credential and the project are checked again. */
const admissionMs = secondMs;

/** Decides and commits, until a commit succeeds, the handler refuses, or a duplicate request has been faster. */
export async function race(endpoint: Endpoint, runtime: Runtime, call: Recorded): Promise<Outcome> {
  const store = storeOf(call);
  const { sender, recording, params } = call;
  const callingKeyId = sender.kind === 'public' ? undefined : sender.claim.keyId;
  const author = authorOf(endpoint, call, sender.id);
  const clock = clockOf(runtime, call);
  const admission = admissionOf(endpoint, runtime, call);
  let reads = firstReadsOf(call);

  const readRecord = async () =>
    recording && (await getIdempotencyRecord(store, recording.recordKey, call.nowMs));
  const duplicateOutcome = async (): Promise<Outcome | undefined> => {
    const record = await readRecord();
    return record && recording && restoreOutcome(record, recording);
  };

  async function commitEach(transactions: readonly (readonly Write[])[], changedAfterMs: number | undefined) {
    for (const [index, transaction] of transactions.entries()) {
      if (index > 0) await admission.check();
      const refusal = await commit(call.session, transaction, { ...author, changedAfterMs });
      if (refusal) return refusal;
    }
    return undefined;
  }

  let losses = 0;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    await admission.check();
    if (attempt > 1) reads = { ...reads, finders: await readLoads(endpoint, store, params, callingKeyId) };
    const decision = await decide(endpoint, runtime, call, reads);
    if (decision.failure) {
      // A duplicate's success may cause this failure: a restored project cannot be restored again.
      const record = await readRecord();
      if (record && recording && mayReplay(record, recording)) return restoreOutcome(record, recording);
      throw decision.failure;
    }
    const { outcome, record } = recording
      ? recordOutcome(decision.outcome, recording, store, endpoint, runtime, call.nowMs)
      : { outcome: decision.outcome, record: undefined };
    const lastTransaction = record ? [...decision.writes, record] : decision.writes;
    const transactions = [...decision.steps, lastTransaction].filter(({ length }) => length > 0);
    if (transactions.length === 0) return outcome;
    if (sender.limits) await requireWithinLimits(sender);

    // If a commit now would only make other requests retry, this request waits for them, and then retries.
    const moment = { ...clock(), fraction: runtime.randomFraction() };
    const queueMs = contentionPauseMs(transactions.flat(), moment);
    if (queueMs > 0) {
      await runtime.sleep(queueMs);
      continue;
    }
    const changedAfterMs = attempt > 1 ? Math.round(clock().waitedMs) : undefined;
    const refusal = await commitEach(transactions, changedAfterMs);
    if (!refusal) return outcome;

    losses += 1;
    const pauseMs = backoffMs(losses, runtime.randomFraction());
    const { isConflict, mayBeDuplicate, error } = meaningOf(refusal, record);
    // The other transaction may belong to a duplicate request. Then its record will exist in a moment.
    if (isConflict) await runtime.sleep(pauseMs);
    const duplicate = mayBeDuplicate ? await duplicateOutcome() : undefined;
    if (duplicate) return duplicate;
    if (error) throw error;
    if (!isConflict) await runtime.sleep(pauseMs);
  }
  throw new ApiError('service_unavailable');
}

/** @returns the meaning of a refused commit. Without an error, the request decides again */
function meaningOf({ failed }: Refusal, record: Write | undefined) {
  const failure = failed.find(({ onConditionFailed }) => onConditionFailed !== 'retry');
  const isConflict = failed.length === 0;
  return {
    /** Another transaction is running on one of the items. */
    isConflict,
    mayBeDuplicate: isConflict || failure !== undefined || (record !== undefined && failed.includes(record)),
    error: failure && (failure.error ?? new ApiError(failure.onConditionFailed as ErrorCode)),
  };
}

/** @returns a function that returns the time, and how long the request has taken */
const clockOf =
  (runtime: Runtime, { nowMs, begunMs }: Recorded) =>
  () => {
    const waitedMs = runtime.elapsedMs() - begunMs;
    return { nowMs: nowMs + waitedMs, waitedMs };
  };

/** Admits a request again while it takes long. */
function admissionOf(endpoint: Endpoint, runtime: Runtime, call: Recorded) {
  const clock = clockOf(runtime, call);
  let admittedMs = 0;
  return {
    /** @throws ApiError service_unavailable if its time is over, or the error that a new request would get */
    check(): Promise<void> | undefined {
      const { nowMs, waitedMs } = clock();
      if (waitedMs > patienceMs) throw new ApiError('service_unavailable');
      if (waitedMs - admittedMs <= admissionMs) return undefined;
      admittedMs = waitedMs;
      return readmit(endpoint, runtime, call, nowMs);
    },
  };
}

/** A request waits for most of the time that earlier requests waited. With all of it, the queue would never end. */
const share = 0.75;
/** A shorter wait is not worth another read. */
const leastMs = 15;

type Moment = {
  nowMs: number;
  /** The time since the start of the request. */
  waitedMs: number;
  /** A random number from 0 to 1, so that requests that collided once do not collide again. */
  fraction: number;
};

/**
 * Requests that change the same item at the same time run in separate processes, so they communicate through the item. A change
 * that had to wait stores the length of its wait (`changedAfterMs`). A request that finds such a change waits about as long before
 * it writes. So earlier requests finish first, and few requests write at once. When no change had to wait, no request waits.
 * @param writes the writes of the request; the condition `unchanged` has the version that it read
 * @returns how long to wait before the retry; 0 to write now
 */
export function contentionPauseMs(writes: readonly Write[], { nowMs, waitedMs, fraction }: Moment): number {
  const waits = writes.map(({ condition }) => {
    if (condition.kind !== 'unchanged' || condition.changedAfterMs === undefined) return 0;
    const { changedIn, changedAfterMs } = condition;
    // The id of that request contains its start. Clocks of two machines may differ slightly.
    const agoMs = Math.max(nowMs - timeOfId(changedIn) - changedAfterMs, 0);
    return changedAfterMs - agoMs;
  });
  const leftMs = share * Math.max(0, ...waits) - waitedMs;
  return leftMs < leastMs ? 0 : leftMs * (0.8 + 0.4 * fraction);
}

/** @returns how long to wait after a number of lost races: up to 20 ms, doubling to at most 160 ms */
export const backoffMs = (losses: number, fraction: number): number =>
  fraction * 20 * 2 ** Math.min(losses - 1, 3);
