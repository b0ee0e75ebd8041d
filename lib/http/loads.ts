/** Reads the items that endpoints load, and selects those that the caller may see at this time. */

import type { Get } from '../dynamodb/load.ts';
import type { Store } from '../dynamodb/store.ts';
import { projectIdIn } from './admission.ts';
import type { Call } from './call.ts';
import type { Endpoint } from './endpoint.ts';
import type { LoadContext } from './handler.ts';

export type Finders = Readonly<Record<string, (context: LoadContext) => unknown>>;

/** Reads all items that the endpoint loads, in parallel. */
export async function readLoads(
  { loads }: Endpoint,
  store: Store,
  { params, callingKeyId }: Pick<Call, 'params' | 'callingKeyId'>,
): Promise<Finders> {
  const projectStore = store.inProject(projectIdIn(params) ?? '');
  const get: Get = (from, id, ...parents) => from.at(projectStore, ...parents).get(id);
  const read = Object.entries(loads).map(
    async ([name, load]) => [name, await load.read(get, params, callingKeyId)] as const,
  );
  return Object.fromEntries(await Promise.all(read));
}

/** @returns the handler's items by name, or undefined if one is missing that is not optional */
export function findLoaded(
  { loads }: Endpoint,
  finders: Finders,
  { caller, project }: Pick<Call, 'caller' | 'project'>,
  nowMs: number,
): Readonly<Record<string, unknown>> | undefined {
  const loaded: Record<string, unknown> = {};
  for (const [name, find] of Object.entries(finders)) {
    loaded[name] = find({ caller, project, nowMs });
    if (loaded[name] === undefined && !loads[name]?.isOptional) return undefined;
  }
  return loaded;
}
