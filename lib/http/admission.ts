/** Admission checks a request at its start, and again while it waits. */

import type { Caller } from '../base/caller.ts';
import { ApiError } from '../base/errors.ts';
import { holds, namedLack, type RequiredScopes, setsIn } from '../base/scopes.ts';
import type { Identified } from '../credentials/kind.ts';
import { identify } from '../credentials/kind.ts';
import { bindStore } from '../dynamodb/store.ts';
import { getProject, type StoredProject } from '../projects/store.ts';
import type { Begun, Recorded, Sender, Validated } from './call.ts';
import { refusalOfBound } from './environments.ts';
import { inBackground, projectIdIn } from './stages.ts';
import type { Endpoint, Runtime } from './types.ts';

/**
 * @returns the caller, by a strongly consistent read of the credential
 * @throws ApiError unauthorized
 */
export async function readCaller(
  call: Pick<Begun, 'session' | 'sourceAddress' | 'background'>,
  { verify }: Identified,
  nowMs: number,
): Promise<Caller> {
  const { caller, background } = await verify(call, nowMs);
  if (background) inBackground(call, background);
  return caller;
}

/**
 * Checks the declared scopes and the project in the path. For a credential that is bound to other projects, the project
 * does not exist.
 * @param caller undefined for the public
 * @throws ApiError unauthorized, insufficient_scope or not_found
 */
export function requireAuthorized(
  endpoint: Endpoint,
  caller: Caller | undefined,
  projectId: string | undefined,
): void {
  const { auth } = endpoint;
  if (auth === 'public') return;
  if (!caller) throw new ApiError('unauthorized');
  if (auth !== 'any') requireScopes(auth, caller);
  const refusal = caller.environments === null ? undefined : refusalOfBound(endpoint);
  if (refusal) throw new ApiError('insufficient_scope', refusal);
  if (projectId && caller.projectIds && !caller.projectIds.includes(projectId)) {
    throw new ApiError('not_found');
  }
}

/** @throws ApiError insufficient_scope if the request requires scopes that the sender does not have */
export function requireScopesFor(
  { scopesFor }: Endpoint,
  { caller }: Sender,
  request: { query: unknown; body: unknown },
): void {
  requireScopes(scopesFor?.(request), caller);
}

/** @throws ApiError insufficient_scope if the loaded items require scopes that the sender does not have */
export function requireScopesForLoaded(
  { scopesForLoaded }: Endpoint,
  sender: Sender,
  loaded: Readonly<Record<string, unknown>>,
): void {
  requireScopes(scopesForLoaded?.(loaded), sender.caller);
}

function requireScopes(required: RequiredScopes | undefined, caller: Caller | undefined): void {
  const scopes = caller?.scopes ?? [];
  if (required === undefined || holds(scopes, required)) return;
  throw new ApiError('insufficient_scope', `This request requires ${namedLack(scopes, required)}.`);
}

/**
 * A runtime sees only the conversations that its credential has created, and a bound credential only those of its environments.
 * @returns what the caller may see of the resources of the endpoint; undefined for everything in its projects
 */
export function reachOf({ auth }: Endpoint, { id, scopes, environments }: Caller): string | undefined {
  const sets = setsIn(auth);
  const wide = sets.filter((set) => !set.includes('runtime:write'));
  const isRuntime = wide.length < sets.length && !holds(scopes, wide);
  if (!isRuntime && environments === null) return undefined;
  return [isRuntime ? id : '', ...(environments?.toSorted() ?? [])].join(' ');
}

/**
 * Everything below a project follows its state: nothing exists below a deleted one, and nothing changes below an
 * archived one. Every request reads the state, so the first request after archiving is refused.
 * @returns not_found or project_archived, if the request is refused
 */
export function projectRefusal(
  { project: declaredState }: Endpoint,
  project: StoredProject | undefined,
): ApiError | undefined {
  if (declaredState === undefined) return undefined;
  if (!project) return new ApiError('not_found');
  return declaredState === 'active' && project.status !== 'active'
    ? new ApiError('project_archived')
    : undefined;
}

/** @throws ApiError the error that a new request would get */
export async function readmit(
  endpoint: Endpoint,
  { credentials }: Runtime,
  call: Validated | Recorded,
  nowMs: number,
): Promise<void> {
  const { sender, params, session } = call;
  if (sender.kind === 'public') return requireAuthorized(endpoint, undefined, undefined);
  const identified = await identify(credentials, sender.claim.credential, nowMs);
  const id = projectIdIn(params);
  const [caller, project] = await Promise.all([
    readCaller(call, identified, nowMs),
    endpoint.project && id ? getProject(bindStore(session, identified.tenant), id) : undefined,
  ]);
  requireAuthorized(endpoint, caller, id);
  requireScopes(endpoint.scopesFor?.(call), caller);
  const refusal = projectRefusal(endpoint, project);
  if (refusal) throw refusal;
}
