/** What a run is asked for: the evaluators that it names. Pure. */

import { invalidField } from '../../base/errors.ts';
import type { Evaluator } from '../schema/evaluator.ts';
import { type EvaluationRunRequest, maxPreviewEvaluators } from '../schema/run-request.ts';
import type { DraftedEvaluator } from '../store/runs.ts';

/**
 * @returns the evaluator that is not stored; undefined if the request has none
 * @throws ApiError validation_error
 */
export function draftOf({
  draft,
  preview,
  evaluators,
}: Pick<EvaluationRunRequest, 'draft' | 'preview' | 'evaluators'>): DraftedEvaluator | undefined {
  if (!draft) return undefined;
  if (!preview) throw invalidField('draft', 'must not be set without preview');
  if (evaluators) throw invalidField('evaluators', 'must not be set together with draft');
  const output = draft.output ?? (draft.kind === 'rule' ? { type: 'boolean' as const } : undefined);
  if (!output) throw invalidField('draft.output', `is required for the kind ${draft.kind}`);
  return { ...draft, output };
}

type EvaluatorSummary = Pick<Evaluator, 'id' | 'name' | 'kind' | 'status' | 'paused' | 'model'>;

/**
 * @param all the evaluators of the project
 * @param models the models that the stage lists
 * @returns the evaluators that the request names, each once, or all that can run
 * @throws ApiError validation_error if one of them cannot run, or if there is none
 */
export function chooseEvaluators<One extends EvaluatorSummary>(
  { evaluators: named, preview }: Pick<EvaluationRunRequest, 'evaluators' | 'preview'>,
  all: readonly One[],
  models: readonly { id: string }[],
): One[] {
  const evaluators = named
    ? named.map((text, index) => namedIn(all, text, `evaluators.${index}`))
    : all.filter((one) => whyNot(one) === undefined);
  if (evaluators.length === 0)
    throw invalidField('evaluators', 'there is no active evaluator of the kinds rule and model');
  const distinct = [...new Set(evaluators)];
  for (const { name, model } of distinct) {
    if (model && !models.some(({ id }) => id === model.modelId))
      throw invalidField(
        'evaluators',
        `${name} uses the model ${model.modelId}, which the service does not list`,
      );
  }
  if (preview && distinct.length > maxPreviewEvaluators)
    throw invalidField('evaluators', `must be at most ${maxPreviewEvaluators} for a preview`);
  return distinct;
}

function namedIn<One extends EvaluatorSummary>(all: readonly One[], text: string, path: string): One {
  const evaluator = all.find(({ id, name }) => id === text || name === text);
  if (!evaluator) throw invalidField(path, `names the evaluator ${text}, which does not exist`);
  const reason = whyNot(evaluator);
  if (reason !== undefined) throw invalidField(path, `names the evaluator ${text}, which ${reason}`);
  return evaluator;
}

function whyNot({ kind, status, paused }: EvaluatorSummary): string | undefined {
  if (kind === 'external') return 'is external: its scores come through the API';
  if (status === 'archived') return 'is archived';
  return paused ? 'is paused' : undefined;
}
