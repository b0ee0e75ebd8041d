/** The guards of a rollout name evaluators. */

import { invalidField } from '../base/errors.ts';
import type { Output } from '../scores/output.ts';
import { getEvaluatorNames, getEvaluators, type ProjectStore } from './store/evaluators.ts';

/** What evaluators decide of a guard. */
type Guard = { score: string; value?: string | boolean; maxHarm: number };

/** @throws ApiError validation_error for an evaluator that does not exist or is archived, or whose scores cannot be compared */
export async function assertGuards(store: ProjectStore, guards: readonly Guard[]): Promise<void> {
  if (guards.length === 0) return;
  const names = await getEvaluatorNames(
    store,
    guards.map(({ score }) => score),
  );
  const evaluators = await getEvaluators(
    store,
    names.map(({ evaluatorId }) => evaluatorId),
  );
  for (const [at, guard] of guards.entries()) {
    const evaluator = evaluators.find(({ name }) => name === guard.score);
    if (!evaluator)
      throw invalidField(`guards.${at}.score`, 'must be the name of an evaluator of the project');
    if (evaluator.status === 'archived')
      throw invalidField(`guards.${at}.score`, 'must be the name of an evaluator that is not archived');
    const [field, message] = faultOf(guard, evaluator.output) ?? [];
    if (field && message) throw invalidField(`guards.${at}.${field}`, message);
  }
}

/** @returns the field that does not fit the scores, and why */
function faultOf({ value, maxHarm }: Guard, output: Output): [field: string, message: string] | undefined {
  if (output.type === 'text' || output.type === 'object')
    return ['score', `must not be a score of the type ${output.type}, which has no share and no mean`];
  if (output.type === 'category') {
    if (value === undefined) return ['value', 'is required for a score of categories'];
    if (!output.values.some((category) => category === value))
      return ['value', `must be one of ${output.values.join(', ')}`];
  } else if (value !== undefined) {
    return ['value', `must be left out for a score of the type ${output.type}`];
  }
  if (output.type !== 'number' && maxHarm > 1) return ['maxHarm', 'must be at most 1, because it is a share'];
  return undefined;
}
