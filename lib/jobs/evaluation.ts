/** What an evaluation run counts, and where its next step continues. */

import * as z from 'zod';
import { id, shownCount } from '../schema/common.ts';
import { scoreName } from '../schema/names.ts';

const count = shownCount();

const evaluationCounts = {
  conversations: count.meta({
    description: 'The number of conversations that match the filter, and are done.',
    example: 120,
  }),
  evaluated: count.meta({
    description:
      'The number of scores that were stored. A preview counts those that it has, and a dry run those that a run would store.',
    example: 118,
  }),
  unchanged: count.meta({
    description:
      'The number of scores that were stored before, by the same versions about the same messages.',
    example: 2,
  }),
  unknown: count.meta({
    description: 'The number of these stored scores without a value, because the model has given none.',
    example: 1,
  }),
  failed: count.meta({
    description:
      'The number of scores that are missing, because the model did not answer. Another run gives them.',
    example: 0,
  }),
  calls: count.meta({ description: 'The number of calls of models.', example: 118 }),
  inputTokens: count.meta({ description: 'The tokens that the models have read.', example: 141_600 }),
  outputTokens: count.meta({ description: 'The tokens that the models have written.', example: 11_800 }),
};

const PreviewScore = z
  .object({
    name: scoreName.nullable().meta({
      description: 'The name of the evaluator. Null for a draft.',
      example: 'goal_reached',
    }),
    version: z
      .int()
      .nullable()
      .meta({ description: 'The version of the evaluator. Null for a draft.', example: 3 }),
    value: z.unknown().meta({
      description: 'A value of the output of the evaluator. Null if it is unknown: `reason` says why.',
      example: true,
    }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why there is no value. Null if there is a value.', example: null }),
    rationale: z
      .string()
      .nullable()
      .meta({ description: 'Why it has this value.', example: 'The user thanks the avatar.' }),
    evidence: z
      .array(count.meta({ description: 'The `seq` of a message.', example: 3 }))
      .meta({ description: 'The messages that show it, by their `seq`.' }),
    messageCount: count.meta({
      description: 'The number of messages of the conversation that it is about.',
      example: 4,
    }),
    inputTokens: count.nullable().meta({ description: 'Null unless a model gave it.', example: null }),
    outputTokens: count.nullable().meta({ description: 'Null unless a model gave it.', example: null }),
    costUsd: z.number().nullable().meta({ description: 'Null unless a model gave it.', example: null }),
  })
  .meta({ id: 'PreviewScore', description: 'A score that is not stored.' });

export type PreviewScore = z.infer<typeof PreviewScore>;

const PreviewedConversation = z
  .object({
    conversationId: id('conversation'),
    scores: z.array(PreviewScore).meta({ description: 'Its scores, in the order of the evaluators.' }),
  })
  .meta({ id: 'PreviewedConversation', description: 'A conversation, with scores that are not stored.' });

export type PreviewedConversation = z.infer<typeof PreviewedConversation>;

export const stopReasons = ['max_cost_usd', 'model_cost_quota'] as const;
export type StopReason = (typeof stopReasons)[number];

export const EvaluateResult = z
  .object({
    ...evaluationCounts,
    costUsd: z.number().meta({
      description:
        'What the calls have cost by the prices of the stage, in US dollars. A call whose answer was lost counts as the most ' +
        'that it can have cost. A dry run estimates it.',
      example: 0.0123,
    }),
    stoppedBecause: z
      .enum(stopReasons)
      .meta({ id: 'EvaluationStopReason', isOpen: true, description: 'Why a run stopped before its end.' })
      .nullable()
      .meta({
        description:
          'Why it stopped before its end: its `maxCostUsd` does not suffice for the next call, or the quota `modelCostUsd` of ' +
          'the day does not. Its scores stay. Null if it has done everything.',
        example: null,
      }),
    preview: z
      .array(PreviewedConversation)
      .nullable()
      .optional()
      .meta({
        description:
          'The conversations of a preview with their scores, newest first. Null an hour after they were evaluated. Only ' +
          '`GET …/jobs/{job_id}` has it.',
      }),
  })
  .meta({ id: 'EvaluateResult', description: 'The result of `conversations.evaluate`.' });

export type EvaluateResult = z.infer<typeof EvaluateResult>;
export type EvaluationCounts = Omit<EvaluateResult, 'costUsd' | 'stoppedBecause' | 'preview'>;

/** The progress of a run. Each step continues here. */
export type EvaluationState = {
  /** Only runs of the version before turns change this number. A change starts their next turn. */
  step?: number;
  kind: 'run' | 'dry_run' | 'preview';
  /** The last conversation that is done. Empty before the first. */
  position: string;
  /** The facts of conversations after the position that have failed. They are not tried again. */
  failed: readonly string[];
  /** How often the facts that are asked again were asked. */
  tries?: Readonly<Record<string, number>>;
  counts: EvaluationCounts;
  /** The money that is spent or reserved. */
  spentMicroUsd: number;
  /** The conversations of a preview, newest first. Undefined before they are chosen. */
  previewed?: readonly string[];
  /** The number of evaluators of a preview. */
  previewedBy?: number;
};

export const newEvaluation = (kind: EvaluationState['kind']): EvaluationState => ({
  kind,
  position: '',
  failed: [],
  counts: {
    conversations: 0,
    evaluated: 0,
    unchanged: 0,
    unknown: 0,
    failed: 0,
    calls: 0,
    inputTokens: 0,
    outputTokens: 0,
  },
  spentMicroUsd: 0,
});
