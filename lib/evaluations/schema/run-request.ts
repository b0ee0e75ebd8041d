/** What an evaluation run is asked for. */

import * as z from 'zod';
import { sentFilters } from '../../conversations/schema/sent-filters.ts';
import { text } from '../../schema/text.ts';
import { output } from '../../scores/output.ts';
import { evaluatorRule, newEvaluatorModel } from './evaluator.ts';

export const maxRunEvaluators = 50;
/** One request reads the results of a preview, each of which is an item. */
export const maxPreviewEvaluators = 10;
export const maxPreviewed = 10;

export const evaluationFilter = z
  .strictObject(sentFilters)
  .meta({ id: 'EvaluationFilter', description: 'Which conversations to evaluate. Empty for all.' });

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
