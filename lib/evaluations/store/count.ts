/** Counts the evaluators that act on behalf of credentials. */

import type { Caller } from '../../base/caller.ts';
import { countSetBy } from '../../dynamodb/setters.ts';
import type { Store } from '../../dynamodb/store.ts';
import { evaluatorSetters, getEvaluators, runsByItself } from './evaluators.ts';

/** @returns the number of evaluators that score conversations by themselves; see lib/dynamodb/setters.ts */
export const countEvaluatorsOf = (
  store: Store,
  caller: Pick<Caller, 'projectIds'>,
  keys: ReadonlySet<string>,
): Promise<number> =>
  countSetBy(evaluatorSetters, store, caller, keys, async (project, ids) =>
    (await getEvaluators(project, ids)).filter(runsByItself),
  );
