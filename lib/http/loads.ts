/** Reads the items that endpoints load, and selects those that the caller may see at this time. */

import type { Get } from '../dynamodb/load.ts';
import type { Store } from '../dynamodb/store.ts';
import type { Finders, LoadContext, Params } from './call.ts';
import { projectIdIn } from './stages.ts';
import type { Endpoint } from './types.ts';

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
  const pairs = entries.map(
    async ([name, load]) => [name, await load.read(get, params, callingKeyId)] as const,
  );
  return Object.fromEntries(await Promise.all(pairs));
}

/** @returns the handler's items by name, or undefined if an item is missing and not optional */
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
