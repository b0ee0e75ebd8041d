/** The decision about a request: the checks right before the handler, and its result. Nothing is written here. */

import { ApiError } from '../base/errors.ts';
import { allowOnly } from '../base/files.ts';
import { noDownloads } from '../downloads/types.ts';
import { bindStore, type Store } from '../dynamodb/store.ts';
import type { Write } from '../dynamodb/write.ts';
import { recordRef } from '../idempotency/store.ts';
import type { StoredProject } from '../projects/store.ts';
import { projectRefusal, requireScopesForLoaded } from './admission.ts';
import type { Call, Finders, Recorded, Validated } from './call.ts';
import { bindCursors } from './cursor.ts';
import { anyVersion, noVersion } from './entity-tags.ts';
import { namesOwnEnvironments } from './environments.ts';
import { noOwnApi } from './own-api.ts';
import { findLoaded, open } from './reads.ts';
import { projectIdIn } from './stages.ts';
import type { Endpoint, Input, Outcome, Reply, Runtime, Waiting } from './types.ts';

export type Reads = { project: StoredProject | undefined; finders: Finders };

/** The outcome takes effect when the writes are committed: first each of the steps, then all other writes together. */
type Decision =
  | { failure: ApiError }
  | {
      failure?: never;
      outcome: Outcome;
      steps: readonly (readonly Write[])[];
      writes: readonly Write[];
    };

type Ready = Validated | Recorded;
type AnyInput = Input<unknown, unknown, unknown, unknown>;

/** @returns the items that the first round trip has read for the handler */
export const firstReadsOf = ({ sender }: Ready): Reads =>
  sender.kind === 'public'
    ? { project: undefined, finders: {} }
    : { project: open(sender.claim.firstReads.project), finders: open(sender.claim.firstReads.loads) };

/** @returns the tables, as far as the sender may reach */
export const storeOf = ({ session, sender }: Ready): Store => bindStore(session, sender.tenant);

/** @throws ApiError if the request may not see these items */
export async function decide(
  endpoint: Endpoint,
  runtime: Runtime,
  call: Ready,
  reads: Reads,
): Promise<Decision> {
  const reply = await handle(endpoint, runtime, call, reads);
  if (reply instanceof ApiError) return { failure: reply };
  if ('error' in reply) {
    return { failure: new ApiError(reply.error, reply.message, { details: reply.details }) };
  }
  const { status, writes = [], steps = [] } = reply;
  const data = endpoint.responses[status]?.parse(reply.data);
  if (data === undefined) throw new Error(`${endpoint.id} answered an undeclared status ${status}`);
  return { outcome: { status, data, replayed: false }, steps, writes };
}

/** @returns no promise of its own, so that the handler is awaited once */
function handle(
  endpoint: Endpoint,
  runtime: Runtime,
  call: Ready,
  { project, finders }: Reads,
): Promise<Reply | ApiError> | ApiError {
  const { sender, nowMs } = call;
  const refusal = projectRefusal(endpoint, project);
  if (refusal) return refusal;
  const loaded = findLoaded(endpoint, finders, { caller: sender.caller, project, nowMs });
  if (!loaded) return new ApiError('not_found');
  requireScopesForLoaded(endpoint, sender, loaded);
  const input = inputOf(endpoint, runtime, call, { project, loaded });
  return sender.caller?.environments ? handleBound(endpoint, input) : endpoint.handle(input);
}

/** The sender is bound to environments. */
async function handleBound(endpoint: Endpoint, input: AnyInput): Promise<Reply | ApiError> {
  return (await namesOwnEnvironments(endpoint, input)) ? endpoint.handle(input) : new ApiError('not_found');
}

type Subject = { project: StoredProject | undefined; loaded: Readonly<Record<string, unknown>> };

function inputOf(endpoint: Endpoint, runtime: Runtime, call: Ready, { project, loaded }: Subject): AnyInput {
  const { params, query, body, sender, headers, nowMs } = call;
  const store = storeOf(call);
  const projectId = endpoint.project && projectIdIn(params);
  return {
    params,
    query,
    body,
    caller: sender.caller,
    project,
    loaded,
    matches: headers.ifMatch.state === 'valid' ? headers.ifMatch.value : anyVersion,
    isKnown: headers.ifNoneMatch.state === 'valid' ? headers.ifNoneMatch.value : noVersion,
    store: projectId === undefined ? store : store.inProject(projectId),
    nowMs,
    newId: (kind, atMs) => runtime.newId(kind, nowMs, atMs),
    randomBytes: runtime.randomBytes,
    secretBox: runtime.secretBox,
    models: endpoint.models ? runtime.models.listed : [],
    network: runtime.network,
    version: runtime.version,
    commit: runtime.commit,
    signIn: runtime.signIn,
    uploadOrigin: runtime.uploadOrigin,
    wait: endpoint.waits?.(endpoint, runtime, call, { store, project, loaded }) ?? noWait,
    elapsedMs: () => runtime.elapsedMs() - call.begunMs,
    cursor: bindCursors(endpoint, call),
    // A public endpoint reads no limits, so any limits fit.
    limits: runtime.limits[sender.kind === 'public' ? 'live' : sender.caller.mode],
    files: allowOnly(runtime.files, endpoint.files),
    downloads: endpoint.downloads ? runtime.downloads : noDownloads,
    api: endpoint.forwards ? runtime.api : noOwnApi,
    headerValues: call.headerValues,
    baseUrl: () => baseUrlOf(endpoint, call),
    recordRef: recordRefOf(call, nowMs + runtime.retentionMs),
  };
}

const notDeclared = () => Promise.reject(new Error('the endpoint does not declare that it waits'));
const noWait: Waiting = { until: notDeclared, follow: notDeclared };

const recordRefOf = (call: Ready, expiresAtMs: number) =>
  call.stage === 'recorded' && call.recording
    ? recordRef(call.recording.recordKey, call.id, expiresAtMs)
    : undefined;

/** A gateway on the caller's own machine has no TLS. */
const isLocal = (host: string): boolean =>
  /^(127\.0\.0\.1|\[::1\]|([a-z0-9-]+\.)*localhost)(:\d+)?$/i.test(host);

/** @returns the base URL, without a slash at its end; without a host, only its path */
function baseUrlOf(
  { path: pattern }: Pick<Endpoint, 'path'>,
  { host, path }: Pick<Call, 'host' | 'path'>,
): string {
  const below = pattern.split('/').length - 1;
  const base = path.split('/').slice(0, -below).join('/');
  return host === undefined ? base : `${isLocal(host) ? 'http' : 'https'}://${host}${base}`;
}
