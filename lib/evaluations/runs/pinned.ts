/** The evaluators of a run, in the versions that were current when it was requested. */

import type { Model } from '../../runtime/models.ts';
import {
  getAllEvaluators,
  getEvaluatorVersion,
  type ProjectStore,
  runsByItself,
} from '../store/evaluators.ts';
import type { StoredRunRequest } from '../store/runs.ts';
import { type Scorer, scorerOf } from './scorers.ts';

/**
 * @param createdBy the credential on whose behalf the run scores
 * @returns the evaluators that are active and not paused
 * @throws UnlistedModel
 */
export async function pinnedScorers(
  store: ProjectStore,
  { evaluators, draft }: Pick<StoredRunRequest, 'evaluators' | 'draft'>,
  createdBy: string,
  listed: readonly Model[],
): Promise<Scorer[]> {
  if (draft) {
    return [await scorerOf({ index: 0, evaluator: null, appliesTo: {}, createdBy, ...draft }, listed)];
  }
  const current = new Map((await getAllEvaluators(store)).map((one) => [one.id, one]));
  const scorers = await Promise.all(
    evaluators.map(async ({ id, version }, index) => {
      const evaluator = current.get(id);
      if (!evaluator || !runsByItself(evaluator)) return [];
      const content =
        evaluator.version === version ? evaluator : await getEvaluatorVersion(store, id, version);
      if (!content) return [];
      const { name, output, appliesTo, rule, model } = content;
      return [
        await scorerOf(
          { index, evaluator: { id, name, version }, output, appliesTo, createdBy, rule, model },
          listed,
        ),
      ];
    }),
  );
  return scorers.flat();
}
