/**
 * The pipeline's core: the handler decides, then its writes and the idempotency record are committed together, in one
 * step. There is nothing in between, so nothing can be left half done.
 */

import { refuseProject } from './admission.ts';
import type { Call, Outcome } from './call.ts';
import { cursorsOf } from './cursor.ts';
import type { Endpoint, Input } from './endpoint.ts';
import { ApiError } from './errors.ts';
import { anyVersion, noVersion } from './if-match.ts';
import { outcomeOf, recordOf } from './recorded-answer.ts';
import type { Runtime } from './runtime.ts';
import { commit } from './store/commit.ts';
import { getIdempotencyRecord, recordRefOf } from './store/idempotency.ts';
import { bindStore, type Store } from './store/store.ts';
import type { Write } from './store/write.ts';
import { waitingOf } from './waiting.ts';

/** So often, and so long, is a request decided that keeps losing races; after that the caller is asked to come again. */
const maxAttempts = 60;
const patienceMs = 10_000;

export async function decide(endpoint: Endpoint, runtime: Runtime, call: Call): Promise<Outcome> {
  const store = bindStore(call.session, call.caller?.tenant ?? 'public');
  const stamp = { changedBy: call.caller?.id ?? 'public', changedIn: call.id };
  const input = inputOf(endpoint, runtime, call, store);

  for (let attempt = 1; ; attempt += 1) {
    const reply = refuseProject(endpoint, call) ?? (await endpoint.handle(input));
    if ('error' in reply) {
      // It may be a duplicate's own success that stands in the way: a project that is restored cannot be restored.
      const record = await storedRecord(call, store);
      if (record) return outcomeOf(record, call);
      throw new ApiError(reply.error, reply.message);
    }
    const data = endpoint.responses[reply.status]?.parse(reply.data);
    if (data === undefined) throw new Error(`${endpoint.id} answered an undeclared status ${reply.status}`);
    const outcome = { status: reply.status, data, replayed: false };
    const writes = [...(reply.writes ?? []), ...recordOf(endpoint, runtime, call, store, outcome)];
    if (writes.length === 0) return outcome;
    const refusal = await commit(call.session, writes, stamp);
    if (!refusal) return outcome;

    // A duplicate that was faster has left its record; what it answered is the answer. A transaction that is still
    // under way shows as a conflict: its record comes in a moment.
    const isConflict = refusal.failed.length === 0;
    if (isConflict) await runtime.sleep(backoffMs(attempt, runtime));
    const record = await storedRecord(call, store);
    if (record) return outcomeOf(record, call);
    const code = meaningOf(refusal.failed);
    if (code) throw new ApiError(code);
    const waitedMs = runtime.elapsedMs() - call.begunMs;
    if (attempt === maxAttempts || waitedMs > patienceMs) throw new ApiError('service_unavailable');
    if (!isConflict) await runtime.sleep(backoffMs(attempt, runtime));
  }
}

function inputOf(
  endpoint: Endpoint,
  runtime: Runtime,
  call: Call,
  store: Store,
): Input<unknown, unknown, unknown, unknown> {
  const { params, query, body, caller, project, matches = anyVersion, isKnown = noVersion, nowMs } = call;
  return {
    params,
    query,
    body,
    caller,
    project,
    matches,
    isKnown,
    store,
    nowMs,
    newId: (kind, atMs) => runtime.newId(kind, nowMs, atMs),
    randomBytes: runtime.randomBytes,
    wait: waitingOf(endpoint, runtime, call, store),
    elapsedMs: () => runtime.elapsedMs() - call.begunMs,
    cursor: cursorsOf(endpoint, call),
    recordRef: call.idempotency && recordRefOf(call.idempotency.place, call.id, nowMs + runtime.retentionMs),
  };
}

const storedRecord = async (call: Call, store: Store) =>
  call.idempotency && getIdempotencyRecord(store, call.idempotency.place, call.nowMs);

const meaningOf = (failed: readonly Write[]) =>
  failed.map((write) => write.onConditionFailed).find((meaning) => meaning !== 'decide_again');

/** Up to 20 ms, doubling to 320 ms at most, at random: those that collided once must not keep step. */
function backoffMs(attempt: number, runtime: Runtime): number {
  const [byte = 0] = runtime.randomBytes(1);
  return (byte / 255) * 20 * 2 ** Math.min(attempt - 1, 4);
}
