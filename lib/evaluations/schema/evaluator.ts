import * as z from 'zod';
import { channel, tag } from '../../conversations/schema/values.ts';
import { id, shownCredential, shownTime } from '../../schema/common.ts';
import { scoreName } from '../../schema/names.ts';
import { text } from '../../schema/text.ts';
import { output } from '../../scores/output.ts';
import { rule } from '../rules/schema.ts';

export const evaluatorName = scoreName;

export const evaluatorDescription = text(500).nullable().meta({
  description: 'What it is about. Null for nothing.',
  example: 'Whether the user got what they asked for.',
});

export const evaluatorKind = z.enum(['rule', 'model', 'external']).meta({
  id: 'EvaluatorKind',
  description:
    'Where its scores come from: the service checks a `rule`, a `model` answers a question, or you send them (`external`).',
  example: 'rule',
});

export const evaluatorRule = rule.meta({ description: 'The condition that a conversation meets or not.' });

const model = {
  modelId: text(200).min(1, 'must not be empty').meta({
    description: 'The model: one of the models that the service lists.',
    example: 'eu.amazon.nova-lite-v1:0',
  }),
  prompt: text(8000).min(1, 'must not be empty').meta({
    description: 'The question to the model. The service adds the transcript and the form of the answer.',
    example: 'Did the avatar answer the question of the user?',
  }),
};

const temperature = z
  .number()
  .min(0)
  .max(1)
  .multipleOf(0.01, 'must have at most two decimals')
  .nullable()
  .meta({ description: 'The temperature of the model. Null for the default of the model.', example: 0 });

export const newEvaluatorModel = z
  .strictObject({ ...model, temperature: temperature.default(null) })
  .meta({ id: 'EvaluatorModelInput', description: 'A model to give the score, and its question.' });

const evaluatorModel = z
  .strictObject({ ...model, temperature })
  .meta({ id: 'EvaluatorModel', description: 'The model that gives the score, and its question.' });

export const appliesTo = z
  .strictObject({
    avatarId: id('avatar').exactOptional().meta({ description: 'Only conversations with this avatar.' }),
    deploymentId: id('deployment')
      .exactOptional()
      .meta({ description: 'Only conversations with this deployment.' }),
    channel: channel.exactOptional().meta({ description: 'Only conversations on this channel.' }),
    tag: tag.exactOptional().meta({ description: 'Only conversations with this tag.' }),
  })
  .meta({
    id: 'EvaluatorScope',
    description: 'The conversations that it is for. All given values must be equal. Empty for all.',
  });

export const evaluatorStatus = z.enum(['active', 'archived']).meta({
  id: 'EvaluatorStatus',
  description:
    'Whether it is used: an `archived` evaluator scores no further conversations by itself or in runs.',
  example: 'active',
});

/** What a version freezes. */
export const evaluatorContent = {
  description: evaluatorDescription,
  rule: evaluatorRule.nullable().meta({ description: 'Null unless `kind` is `rule`.' }),
  model: evaluatorModel.nullable().meta({ description: 'Null unless `kind` is `model`.' }),
  appliesTo,
  status: evaluatorStatus,
  paused: z.boolean().meta({
    description: 'Whether it scores no conversations, in spite of its status.',
    example: false,
  }),
};

export const evaluatorVersion = z.int().min(1).meta({
  description: 'The version of the evaluator, which increases by one with each change.',
  example: 3,
});

export const Evaluator = z
  .object({
    id: id('evaluator'),
    name: evaluatorName,
    kind: evaluatorKind,
    output,
    ...evaluatorContent,
    pausedReason: z
      .enum(['requested', 'key_revoked', 'restored'])
      .meta({ id: 'EvaluatorPausedReason', isOpen: true, description: 'Why an evaluator is paused.' })
      .nullable()
      .meta({
        description:
          'A request has `requested` it, the key that has set it was revoked with `children=true` (`key_revoked`), or it was lost ' +
          'and came back from a backup (`restored`). Null if it is not paused.',
        example: null,
      }),
    version: evaluatorVersion,
    createdAt: shownTime().meta({ description: 'When it was created.' }),
    updatedAt: shownTime().meta({ description: 'When it was last changed.' }),
    createdBy: shownCredential().meta({ description: 'The credential that created it.' }),
    setBy: shownCredential().meta({
      description:
        'The credential on whose behalf it scores conversations by itself: the last one that has set its rule, its model, ' +
        '`appliesTo`, `status` or `paused`.',
    }),
  })
  .meta({ id: 'Evaluator', description: 'A way to score conversations.' });

export type Evaluator = z.infer<typeof Evaluator>;

export const EvaluatorVersion = z
  .object({
    evaluatorId: id('evaluator'),
    version: evaluatorVersion,
    name: evaluatorName,
    kind: evaluatorKind,
    output,
    ...evaluatorContent,
    createdAt: shownTime().meta({ description: 'When the version was created.' }),
    createdBy: shownCredential().meta({
      description:
        'The credential that made this change, or `worker:` and the name of the worker that has paused it.',
    }),
  })
  .meta({
    id: 'EvaluatorVersion',
    description: 'An evaluator as it was after one change. Versions never change.',
  });

export type EvaluatorVersion = z.infer<typeof EvaluatorVersion>;

/** The number of a version in a path. */
export const evaluatorVersionInUrl = z
  .string()
  .regex(/^[1-9]\d{0,9}$/)
  .transform(Number)
  .meta({
    description: 'The version of the evaluator.',
    documentedAs: { type: 'integer', minimum: 1 },
  });
