/** Counts the sources that act on behalf of credentials. */

import type { Caller } from '../../base/caller.ts';
import { countSetBy } from '../../dynamodb/setters.ts';
import type { Store } from '../../dynamodb/store.ts';
import { sourceSetters, sources } from './sources.ts';

/** @returns the number of sources that are not paused; see lib/dynamodb/setters.ts */
export const countSourcesOf = (
  store: Store,
  caller: Pick<Caller, 'projectIds'>,
  keys: ReadonlySet<string>,
): Promise<number> =>
  countSetBy(sourceSetters, store, caller, keys, async (project, ids) =>
    (await sources.at(project).getMany(ids)).filter(({ paused }) => !paused),
  );
