/**
 * What the pipeline reads for a request. The reads of the first round trip start together, before the service knows whether the
 * caller may see any of them. So each result, even an error, is hidden until a later step opens it, after all checks that may
 * refuse the request.
 */

import type { Identified } from '../credentials/kind.ts';
import type { Get } from '../dynamodb/load.ts';
import { bindStore, type Store } from '../dynamodb/store.ts';
import { getIdempotencyRecord } from '../idempotency/store.ts';
import { getProject } from '../projects/store.ts';
import { readCaller } from './admission.ts';
import type { Addressed, Closed, Finders, FirstReads, IdempotencyKey, LoadContext, Params } from './call.ts';
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

  const caller = close(readCaller(call, identified, nowMs));
  const record = idempotency && close(getIdempotencyRecord(store, idempotency.recordKey, nowMs));
  const project =
    endpoint.project && projectId !== undefined ? close(getProject(store, projectId)) : undefined;
  const loads = params && close(readLoads(endpoint, store, params, identified.keyId));
  return {
    caller: await caller,
    record: record ? await record : nothing,
    project: project ? await project : nothing,
    loads: loads ? await loads : noFinders,
  };
}

/**
 * Hides the result of a read until `open`. Most requests have two of the four reads, so `Promise.allSettled` of all four would add 3 % to
 * the CPU time of a GET.
 */
const close = <Value>(read: Promise<Value>): Promise<Closed<Value>> =>
  read.then(
    (value) => ({ status: 'fulfilled', value }),
    (reason) => ({ status: 'rejected', reason }),
  );

const nothing = { status: 'fulfilled', value: undefined } as const;
const noFinders = { status: 'fulfilled', value: {} } as const;

/** @throws the error of the read */
export function open<Value>(closed: Closed<Value>): Value {
  if (closed.status === 'rejected') throw closed.reason;
  return closed.value;
}

/** Reads the items that an endpoint loads. */
export async function readLoads(
  { loads }: Endpoint,
  store: Store,
  params: Params,
  callingKeyId: string | undefined,
): Promise<Finders> {
  const entries = Object.entries(loads);
  if (entries.length === 0) return {};
  // Without a project in the path, the loads name no project. A project without an id has no items.
  const projectStore = store.inProject(projectIdIn(params) ?? '');
  const get: Get = (from, id, ...parents) => from.at(projectStore, ...parents).get(id);
  const finders: Record<string, Finders[string]> = {};
  await Promise.all(
    entries.map(async ([name, load]) => {
      finders[name] = await load.read(get, params, callingKeyId);
    }),
  );
  return finders;
}

/** @returns the loaded items that the caller may see, by the handler's name; undefined if one is missing and not optional */
export function findLoaded(
  { loads }: Endpoint,
  finders: Finders,
  context: LoadContext,
): Readonly<Record<string, unknown>> | undefined {
  const loaded: Record<string, unknown> = {};
  for (const [name, find] of Object.entries(finders)) {
    loaded[name] = find(context);
    if (loaded[name] === undefined && !loads[name]?.isOptional) return undefined;
  }
  return loaded;
}
