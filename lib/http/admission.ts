/** Admission: the checks of a request at its start, and again while it waits. */

import type { Caller } from '../base/caller.ts';
import { ApiError, type ErrorCode } from '../base/errors.ts';
import { holds, type Scope } from '../base/scopes.ts';
import { identify } from '../credentials/identify.ts';
import type { Identified } from '../credentials/kind.ts';
import { bindStore } from '../dynamodb/store.ts';
import { getProject } from '../projects/store.ts';
import { type Call, inBackground } from './call.ts';
import type { Endpoint } from './endpoint.ts';
import { type Failure, fail } from './handler.ts';
import type { Runtime } from './runtime.ts';

/**
 * @returns the caller, by a strongly consistent read of the credential
 * @throws ApiError unauthorized
 */
export async function readCaller(call: Call, { verify }: Identified, nowMs: number): Promise<Caller> {
  const { caller, background } = await verify(call, nowMs);
  if (background) inBackground(call, background);
  return caller;
}

/** @returns the project in a valid path */
export const projectIdIn = (params: Call['params']): string | undefined =>
  typeof params?.project_id === 'string' ? params.project_id : undefined;

/**
 * Checks the declared scope and the project in the path. For a credential that is bound to other projects, the project
 * does not exist.
 * @throws ApiError insufficient_scope or not_found
 */
export function requireAuthorized(
  { auth, alsoFor }: Endpoint,
  caller: Caller,
  projectId: string | undefined,
): void {
  const isHeld = (scope: Scope) => holds(caller.scopes, scope);
  if (auth !== 'any' && auth !== 'public' && ![auth, ...alsoFor].some(isHeld)) {
    throw new ApiError('insufficient_scope', `This request requires the scope ${auth}.`);
  }
  if (projectId && caller.projectIds && !caller.projectIds.includes(projectId)) {
    throw new ApiError('not_found');
  }
}

/** @throws ApiError insufficient_scope if the body requires a scope that the caller does not have */
export function requireScopeFor(
  { scopeFor }: Endpoint,
  { caller, body }: Pick<Call, 'caller' | 'body'>,
): void {
  requireScope(scopeFor?.(body), caller);
}

/** @throws ApiError insufficient_scope if the loaded items require a scope that the caller does not have */
export function requireScopeForLoaded(
  { scopeForLoaded }: Endpoint,
  { caller }: Pick<Call, 'caller'>,
  loaded: Readonly<Record<string, unknown>>,
): void {
  requireScope(scopeForLoaded?.(loaded), caller);
}

function requireScope(scope: Scope | undefined, caller: Caller | undefined): void {
  if (scope && caller && !holds(caller.scopes, scope))
    throw new ApiError('insufficient_scope', `This request requires the scope ${scope}.`);
}

/**
 * Everything below a project follows its state: nothing exists below a deleted one, and nothing changes below an
 * archived one. Every request reads the state, so the first request after archiving is refused.
 */
export function refuseProject(
  endpoint: Endpoint,
  { project }: Pick<Call, 'project'>,
): Failure<ErrorCode> | undefined {
  if (endpoint.project === undefined) return undefined;
  if (!project) return fail('not_found');
  return endpoint.project === 'active' && project.status !== 'active' ? fail('project_archived') : undefined;
}

/**
 * Checks everything again, for a request that has waited.
 * @throws ApiError the error that a new request would get
 */
export async function readmit(
  endpoint: Endpoint,
  { credentials }: Runtime,
  call: Call,
  nowMs: number,
): Promise<void> {
  const identified = await identify(credentials, call.credential ?? '', nowMs);
  const id = projectIdIn(call.params);
  const [caller, project] = await Promise.all([
    readCaller(call, identified, nowMs),
    endpoint.project && id ? getProject(bindStore(call.session, identified.tenant), id) : undefined,
  ]);
  requireAuthorized(endpoint, caller, id);
  const refusal = refuseProject(endpoint, { project });
  if (refusal) throw new ApiError(refusal.error, refusal.message);
}
