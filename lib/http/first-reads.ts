/**
 * The reads of the first round trip. They start together, before it is known whether the caller may see any of them. So
 * each result, even an error, is hidden until a later step opens it, after all checks that may refuse the request.
 */

import type { Caller } from '../base/caller.ts';
import type { Identified } from '../credentials/kind.ts';
import { bindStore } from '../dynamodb/store.ts';
import { getIdempotencyRecord, type IdempotencyRecord } from '../idempotency/store.ts';
import { getProject, type StoredProject } from '../projects/store.ts';
import { projectIdIn, readCaller } from './admission.ts';
import type { Call } from './call.ts';
import type { Endpoint } from './endpoint.ts';
import { type Finders, readLoads } from './loads.ts';

type Closed<Value> = PromiseSettledResult<Value>;

export type FirstReads = {
  /** The item of the credential. Opened by `authenticate`. */
  caller: Closed<Caller>;
  /** The record of the Idempotency-Key, if one was sent. Opened by `replay`. */
  record: Closed<IdempotencyRecord | undefined>;
  /** The project in the path, for an endpoint that declares one. Opened by `decide`. */
  project: Closed<StoredProject | undefined>;
  /** The endpoint's loads. Opened by `decide`. */
  loads: Closed<Finders>;
};

/** Reads everything in parallel. With a malformed path, it reads only the credential. */
export async function readFirst(endpoint: Endpoint, call: Call, identified: Identified): Promise<FirstReads> {
  const { params, session, nowMs, idempotency } = call;
  const store = bindStore(session, identified.tenant);
  const projectId = projectIdIn(params);

  const readRecord = async () => idempotency && getIdempotencyRecord(store, idempotency.recordKey, nowMs);
  const readProject = async () =>
    endpoint.project !== undefined && projectId !== undefined ? getProject(store, projectId) : undefined;

  const [caller, record, project, loads] = await Promise.allSettled([
    readCaller(call, identified, nowMs),
    readRecord(),
    readProject(),
    params ? readLoads(endpoint, store, call) : {},
  ]);
  return { caller, record, project, loads };
}

/** @throws the error of the read */
export function open<Value>(closed: Closed<Value>): Value {
  if (closed.status === 'rejected') throw closed.reason;
  return closed.value;
}
