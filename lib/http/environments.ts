/** A credential that is bound to environments stays in them: what other environments have does not exist for it. */

import { isWithin } from '../avatars/deployments/store/deployments.ts';
import { environmentNamePattern } from '../base/ids.ts';
import { setsIn } from '../base/scopes.ts';
import type { ProjectStore } from '../dynamodb/store.ts';
import type { Endpoint, Input } from './types.ts';

/** The resources that belong to environments, or show what happens in all of them. */
const resources = ['deploy', 'conversations', 'events', 'webhooks', 'audit'];

/** @returns whether an endpoint with these scopes has to say how it keeps a credential in its environments */
export const concernsEnvironments = ({ auth }: Pick<Endpoint, 'auth'>): boolean =>
  setsIn(auth)
    .flat()
    .some((scope) => resources.includes(scope.split(':')[0] ?? ''));

/** @returns why the endpoint refuses a credential that is bound to environments; undefined if it does not */
export function refusalOfBound(endpoint: Pick<Endpoint, 'auth' | 'environments'>): string | undefined {
  const { environments = concernsEnvironments(endpoint) ? 'refused' : 'none' } = endpoint;
  if (environments === 'refused')
    return 'This request reaches all environments. Your credential is bound to some.';
  return typeof environments === 'object' ? environments.refused : undefined;
}

/** @returns whether everything that the request names is in the environments of the caller */
export async function namesOwnEnvironments(
  { environments }: Pick<Endpoint, 'environments'>,
  input: Input<unknown, unknown, unknown, unknown>,
): Promise<boolean> {
  const { caller, store } = input;
  const bound = (caller as { environments: readonly string[] | null } | undefined)?.environments ?? null;
  if (bound === null || typeof environments !== 'function') return true;
  const places = environments(input).filter((place) => typeof place === 'string');
  const names = places.filter((place) => environmentNamePattern.test(place));
  if (!names.every((name) => bound.includes(name))) return false;
  const deploymentIds = [...new Set(places)].filter((place) => !names.includes(place));
  const found = await Promise.all(
    deploymentIds.map((id) => isWithin(store as ProjectStore, { environments: bound }, id)),
  );
  return found.every((one) => one);
}
