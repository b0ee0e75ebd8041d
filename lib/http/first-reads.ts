/**
 * The reads of the first round trip. They start together, before the service knows whether the caller may see any of them. So
 * each result, even an error, is hidden until a later step opens it, after all checks that may refuse the request.
 */

import type { Identified } from '../credentials/kind.ts';
import { bindStore } from '../dynamodb/store.ts';
import { getIdempotencyRecord } from '../idempotency/store.ts';
import { getProject } from '../projects/store.ts';
import { readCaller } from './admission.ts';
import type { Addressed, FirstReads, IdempotencyKey } from './call.ts';
import { readLoads } from './loads.ts';
import { projectIdIn } from './stages.ts';
import type { Endpoint } from './types.ts';

/** Reads everything in parallel. If the path is malformed, only the credential is read. */
export async function readFirst(
  endpoint: Endpoint,
  call: Addressed,
  identified: Identified,
  idempotency: IdempotencyKey | undefined,
): Promise<FirstReads> {
  const { session, nowMs } = call;
  const { params } = call.parsedPath;
  const store = bindStore(session, identified.tenant);
  const projectId = projectIdIn(params);

  const [caller, record, project, loads] = await Promise.allSettled([
    readCaller(call, identified, nowMs),
    idempotency && getIdempotencyRecord(store, idempotency.recordKey, nowMs),
    endpoint.project && projectId !== undefined ? getProject(store, projectId) : undefined,
    params ? readLoads(endpoint, store, params, identified.keyId) : {},
  ]);
  return { caller, record, project, loads };
}

/** @throws the error of the read */
export function open<Value>(closed: PromiseSettledResult<Value>): Value {
  if (closed.status === 'rejected') throw closed.reason;
  return closed.value;
}
