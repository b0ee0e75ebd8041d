/**
 * The core of the pipeline: the handler decides, then one transaction commits its writes together with the idempotency
 * record. There is no state in between. Only the steps of an import are committed before.
 */

import { ApiError, type ErrorCode } from '../base/errors.ts';
import { allowOnly } from '../base/files.ts';
import { secondMs } from '../base/time.ts';
import { commit, type Refusal } from '../dynamodb/commit.ts';
import { bindStore, type Store } from '../dynamodb/store.ts';
import type { Write } from '../dynamodb/write.ts';
import { getIdempotencyRecord, recordRef } from '../idempotency/store.ts';
import { projectIdIn, readmit, refuseProject, requireScopeForLoaded } from './admission.ts';
import { authorOf } from './author.ts';
import type { Call, Outcome } from './call.ts';
import { backoffMs, standBackMs } from './contention.ts';
import { bindCursors } from './cursor.ts';
import type { Endpoint, Reply } from './endpoint.ts';
import { anyVersion, noVersion } from './entity-tags.ts';
import { open } from './first-reads.ts';
import { fail, type Input } from './handler.ts';
import { requireWithinLimits } from './limits.ts';
import { type Finders, findLoaded, readLoads } from './loads.ts';
import { recordOutcome, restoreOutcome } from './recorded-response.ts';
import type { Runtime } from './runtime.ts';
import { bindWait } from './waiting.ts';

/** Retry limits. After that, answer 503. */
const maxAttempts = 60;
const patienceMs = 20 * secondMs;
/** After this time, the credential and the project are checked again. */
const admissionMs = secondMs;

type AnyInput = Input<unknown, unknown, unknown, unknown>;

export async function decide(endpoint: Endpoint, runtime: Runtime, call: Call): Promise<Outcome> {
  const store = bindStore(call.session, call.caller?.tenant ?? 'public');
  if (call.firstReads) call.project = open(call.firstReads.project);
  let finders = call.firstReads ? open(call.firstReads.loads) : {};
  const author = authorOf(endpoint, call);
  const input = handlerInput(endpoint, runtime, call, store);
  const waitedMs = () => runtime.elapsedMs() - call.begunMs;
  const turn = runtime.turns.open();
  let lost = 0;
  let admittedMs = 0;
  const admitAgain = async () => {
    if (waitedMs() > patienceMs) throw new ApiError('service_unavailable');
    if (waitedMs() - admittedMs <= admissionMs) return;
    admittedMs = waitedMs();
    await readmit(endpoint, runtime, call, call.nowMs + admittedMs);
  };

  try {
    for (let attempt = 1; ; attempt += 1) {
      if (attempt > maxAttempts) throw new ApiError('service_unavailable');
      await admitAgain();
      if (attempt > 1) finders = await readLoads(endpoint, store, call);
      const reply = refuseProject(endpoint, call) ?? (await handleLoaded(endpoint, call, finders, input));
      if ('error' in reply) {
        // A duplicate's success may cause this error: a restored project cannot be restored again.
        const record = await storedRecord(call, store);
        if (record) return restoreOutcome(record, call);
        throw new ApiError(reply.error, reply.message, { details: reply.details });
      }
      const data = endpoint.responses[reply.status]?.parse(reply.data);
      if (data === undefined) throw new Error(`${endpoint.id} answered an undeclared status ${reply.status}`);
      const outcome = { status: reply.status, data, replayed: false };
      const recording = recordOutcome(outcome, { endpoint, runtime, call, store });
      const last = [...(reply.writes ?? []), ...recording];
      const transactions = [...(reply.steps ?? []), last].filter(({ length }) => length > 0);
      const writes = transactions.flat();
      if (writes.length === 0) return outcome;
      await requireWithinLimits(call);

      // If a commit now would only make other requests retry, this one waits for them, and then retries.
      if (await turn.queue(writes.map(itemKey))) continue;
      const nowMs = call.nowMs + waitedMs();
      const behindMs = standBackMs(writes, {
        nowMs,
        waitedMs: waitedMs(),
        fraction: runtime.randomFraction(),
      });
      if (behindMs > 0) {
        await runtime.sleep(behindMs);
        continue;
      }
      const changedAfterMs = attempt > 1 ? Math.round(waitedMs()) : undefined;
      let refusal: Refusal | undefined;
      for (const [index, transaction] of transactions.entries()) {
        if (index > 0) await admitAgain();
        refusal = await commit(call.session, transaction, { ...author, changedAfterMs });
        if (refusal) break;
      }
      if (!refusal) return outcome;

      lost += 1;
      const pauseMs = backoffMs(lost, runtime.randomFraction());
      const [failed] = refusal.failed;
      // Another transaction is running. If it belongs to a duplicate request, its record will exist in a moment.
      if (!failed) await runtime.sleep(pauseMs);
      const refused = refusal.failed.find(({ onConditionFailed }) => onConditionFailed !== 'retry');
      // A duplicate request may have been faster. Then the response is in its record.
      if (!failed || refused || recording.some((write) => refusal.failed.includes(write))) {
        const record = await storedRecord(call, store);
        if (record) return restoreOutcome(record, call);
      }
      if (refused) throw refused.error ?? new ApiError(refused.onConditionFailed as ErrorCode);
      if (failed && !(await turn.take(itemKey(failed)))) await runtime.sleep(pauseMs);
    }
  } finally {
    turn.end();
  }
}

/** Calls the handler with the loaded items, if all of them exist. */
async function handleLoaded(
  endpoint: Endpoint,
  call: Call,
  finders: Finders,
  input: Omit<AnyInput, 'loaded'>,
): Promise<Reply> {
  const loaded = findLoaded(endpoint, finders, call, call.nowMs);
  if (!loaded) return fail('not_found');
  requireScopeForLoaded(endpoint, call, loaded);
  call.loaded = loaded;
  return endpoint.handle({ ...input, loaded });
}

const itemKey = ({ table, key }: Write): string => `${table} ${key.tenant} ${key.id}`;

function handlerInput(
  endpoint: Endpoint,
  runtime: Runtime,
  call: Call,
  store: Store,
): Omit<AnyInput, 'loaded'> {
  const { params, query, body, caller, project, headers, nowMs } = call;
  const projectId = endpoint.project && projectIdIn(params);
  return {
    params,
    query,
    body,
    caller,
    project,
    matches: headers.ifMatch.state === 'valid' ? headers.ifMatch.value : anyVersion,
    isKnown: headers.ifNoneMatch.state === 'valid' ? headers.ifNoneMatch.value : noVersion,
    store: projectId === undefined ? store : store.inProject(projectId),
    nowMs,
    newId: (kind, atMs) => runtime.newId(kind, nowMs, atMs),
    randomBytes: runtime.randomBytes,
    secretBox: runtime.secretBox,
    network: runtime.network,
    commit: runtime.commit,
    wait: bindWait(endpoint, runtime, call, store),
    elapsedMs: () => runtime.elapsedMs() - call.begunMs,
    cursor: bindCursors(endpoint, call),
    limits: runtime.limits[caller?.mode ?? 'live'],
    files: allowOnly(runtime.files, endpoint.files),
    recordRef:
      call.idempotency && recordRef(call.idempotency.recordKey, call.id, nowMs + runtime.retentionMs),
  };
}

const storedRecord = async (call: Call, store: Store) =>
  call.idempotency && getIdempotencyRecord(store, call.idempotency.recordKey, call.nowMs);
