/**
 * A caller may read an event if it may read the resource in its data. Each kind of resource declares the scope of its GET (a
 * test compares them).
 */

import { allScopes, missingScopes, type Scope } from '../base/scopes.ts';
import { type JobType, jobTypes, scopeOf, scopesOfJobs } from '../jobs/types.ts';
import { type EventFamily, type EventType, eventTypeNames, familyOf, typesMatching } from './types.ts';

type Data = Readonly<Record<string, unknown>>;

/** All events of a type have one scope, or the data decides which of several scopes an event needs. */
type FamilyScopes = Scope | { all: readonly Scope[]; of(data: Data): Scope | undefined };

const isJobType = (type: unknown): type is JobType =>
  typeof type === 'string' && Object.hasOwn(jobTypes, type);

const scopesOfFamilies: Readonly<Record<EventFamily, FamilyScopes>> = {
  project: 'projects:read',
  api_key: 'api-keys:read',
  workload_identity: 'api-keys:read',
  avatar: 'avatars:read',
  document: 'knowledge:read',
  source: 'knowledge:read',
  job: {
    all: scopesOfJobs('read'),
    of: ({ type }) => (isJobType(type) ? scopeOf({ type }, 'read') : undefined),
  },
  deployment: 'deploy:read',
  environment: 'deploy:read',
  rollout: 'deploy:read',
  conversation: 'conversations:read',
  evaluator: 'conversations:read',
  webhook: 'webhooks:read',
};

const isFamily = (family: string): family is EventFamily => Object.hasOwn(scopesOfFamilies, family);

/**
 * @param type the type of an event; a type that this version does not know needs every scope
 * @param data undefined for any event of the type. If the data does not decide, the event needs all scopes of its type
 * @returns the scopes that reading the event needs
 */
export function scopesOfEvent(type: string, data?: Data): readonly Scope[] {
  const family = familyOf(type);
  if (!isFamily(family)) return allScopes;
  const familyScopes = scopesOfFamilies[family];
  if (typeof familyScopes === 'string') return [familyScopes];
  const scope = data && familyScopes.of(data);
  return scope ? [scope] : familyScopes.all;
}

/** @returns whether a caller with these scopes may read the event */
export const mayReadEvent = (
  callerScopes: readonly string[],
  { type, data }: { type: string; data: Data },
): boolean => missingScopes(callerScopes, scopesOfEvent(type, data)).length === 0;

/** @returns the types of which a caller with these scopes may read some events */
export const readableTypes = (callerScopes: readonly string[]): EventType[] =>
  eventTypeNames.filter((type) => {
    const scopes = scopesOfEvent(type);
    return missingScopes(callerScopes, scopes).length < scopes.length;
  });

/**
 * @param patterns types, `project.*` or `*`
 * @returns the scopes that reading all events of these types needs, in the order of all scopes
 */
export function scopesOfTypes(patterns: readonly string[]): Scope[] {
  const needed = new Set(patterns.flatMap(typesMatching).flatMap((type) => scopesOfEvent(type)));
  return allScopes.filter((scope) => needed.has(scope));
}
