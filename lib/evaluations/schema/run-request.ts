/** What an evaluation run is asked for, and the evaluators that the request names. Pure. */

import * as z from 'zod';
import { invalidField } from '../../base/errors.ts';
import { sentFilters } from '../../conversations/schema/filters.ts';
import { text } from '../../schema/text.ts';
import { type Output, output } from '../../scores/output.ts';
import { type Evaluator, evaluatorRule, newEvaluatorModel } from './evaluator.ts';

export const maxRunEvaluators = 50;
/** One request reads the results of a preview, each of which is an item. */
const maxPreviewEvaluators = 10;
export const maxPreviewed = 10;

export const evaluationFilter = z
  .strictObject({
    ...sentFilters,
    test: z.boolean().exactOptional().meta({
      description: 'Whether to evaluate test conversations instead of the others. Default: false.',
      example: false,
    }),
  })
  .meta({
    id: 'EvaluationFilter',
    description: 'Which conversations to evaluate. Empty for all that are no tests.',
  });

export type EvaluationFilter = z.infer<typeof evaluationFilter>;

export const evaluatorDraft = z
  .strictObject({
    kind: z.enum(['rule', 'model']).meta({
      id: 'EvaluatorDraftKind',
      description: 'Where its scores come from.',
      example: 'rule',
    }),
    output: output.exactOptional().meta({
      description: 'The values of its scores. Required, except for a rule: its output is boolean.',
    }),
    rule: evaluatorRule.nullable().default(null).meta({ description: 'Required for a `rule`.' }),
    model: newEvaluatorModel.nullable().default(null).meta({ description: 'Required for a `model`.' }),
  })
  .meta({ id: 'EvaluatorDraft', description: 'An evaluator that is not stored.' });

const maxUsd = 1_000_000;

export const EvaluationRunRequest = z
  .strictObject({
    filter: evaluationFilter.default({}),
    evaluators: z
      .array(
        text(64)
          .min(1, 'must not be empty')
          .meta({ description: 'The name or the id of an evaluator.', example: 'goal_reached' }),
      )
      .min(1, 'must name an evaluator')
      .max(maxRunEvaluators, `must name at most ${maxRunEvaluators} evaluators`)
      .exactOptional()
      .meta({
        description:
          'The evaluators, by name or id. Default: all active evaluators of the kinds `rule` and `model` that are not paused.',
        example: ['goal_reached'],
      }),
    draft: evaluatorDraft.exactOptional().meta({
      description: 'Only with `preview`: an evaluator that is not stored, instead of `evaluators`.',
    }),
    dryRun: z.boolean().default(false).meta({
      description:
        'Whether it only counts: the result has what a run would do, with an estimate of its cost.',
      example: false,
    }),
    preview: z
      .boolean()
      .default(false)
      .meta({
        description:
          `Whether it evaluates only the newest conversations, at most ${maxPreviewed}, with at most ${maxPreviewEvaluators} ` +
          'evaluators, and stores no score: `result.preview` of the job has the scores, for an hour.',
        example: false,
      }),
    maxCostUsd: z
      .number()
      .positive('must be above 0')
      .max(maxUsd, `must be at most ${maxUsd}`)
      .exactOptional()
      .meta({
        description:
          'The most that the run may cost, in US dollars. A call whose highest possible cost does not fit ends the run. Required ' +
          'if a model is used, except for a dry run.',
        example: 5,
      }),
  })
  .meta({ id: 'EvaluationRunRequest', description: 'What to evaluate.' });

export type EvaluationRunRequest = z.infer<typeof EvaluationRunRequest>;

export type DraftedEvaluator = Pick<Evaluator, 'rule' | 'model'> & {
  kind: 'rule' | 'model';
  output: Output;
};

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
