import * as z from 'zod';
import { reason as deploymentReason } from '../avatars/deployments/schema.ts';
import { id, shownCount, shownCredential, shownTime } from '../schema/common.ts';
import { environmentName, scoreName } from '../schema/names.ts';
import { text } from '../schema/text.ts';
import { assignmentPattern, maxSpans } from './assign.ts';

export const percent = z
  .number()
  .min(0.01, 'must be at least 0.01')
  .max(99.99, 'must be at most 99.99')
  .multipleOf(0.01, 'must have at most two decimals')
  // 0.1 + 0.2 is 0.3 here.
  .overwrite((percent) => Math.round(percent * 100) / 100)
  .meta({ description: 'The share of the units that get the candidate, in percent.', example: 10 });

/** The reason of a request that moves a rollout. */
export const moveReason = deploymentReason.nullable().default(null);

export const maxSteps = 10;
export const maxGuards = 5;
const maxHoldMinutes = 30 * 24 * 60;

const holdMinutes = z
  .int()
  .min(1, 'must be at least 1')
  .max(maxHoldMinutes, `must be at most ${maxHoldMinutes}`)
  .meta({ description: 'How long the percent is held, in minutes. Then the guards must pass.', example: 60 });

export const rolloutStep = z
  .strictObject({
    percent,
    holdMinutes: holdMinutes.exactOptional(),
    pause: z
      .boolean()
      // A published constant of Boolean values confuses generators.
      .refine((pause) => pause, 'must be true, or left out')
      .exactOptional()
      .meta({ description: 'In place of `holdMinutes`: the rollout waits for `advance`.' }),
  })
  .refine(({ holdMinutes, pause }) => (holdMinutes === undefined) !== (pause === undefined), {
    path: ['holdMinutes'],
    error: 'is required, or pause, and not both',
  })
  .meta({ id: 'RolloutStep', description: 'A percent, and how long it is held.' });

export type RolloutStep = z.infer<typeof rolloutStep>;

export const rolloutSteps = z
  .array(rolloutStep)
  .min(1, 'must have a step')
  .max(maxSteps, `must have at most ${maxSteps} steps`)
  .refine((steps) => steps.every((step, at) => at === 0 || step.percent > (steps[at - 1]?.percent ?? 0)), {
    error: 'must rise: each percent must be above the percent before it',
  })
  .meta({ description: 'The steps, with rising percents. In place of `percent`.' });

/** Sums are exact up to here. */
const maxScore = 1e9;

const guard = {
  score: scoreName,
  better: z
    .enum(['higher', 'lower'])
    .meta({ id: 'GuardDirection', description: 'Which values are better.', example: 'higher' }),
  value: text(40).min(1, 'must not be empty').exactOptional().meta({
    description: 'For an evaluator of categories: the category whose share is compared.',
    example: 'positive',
  }),
  maxHarm: z
    .number()
    .min(0, 'must be at least 0')
    .max(maxScore, `must be at most ${maxScore}`)
    .meta({
      description:
        'How much worse the candidate may be, in the unit of the score: for true and false and for categories, 0.05 is 5 points ' +
        'of a share.',
      example: 0.05,
    }),
};
const minimum = z
  .int()
  .min(1, 'must be at least 1')
  .max(1_000_000, 'must be at most 1000000')
  .meta({ description: 'The guard passes only with so many units on each side. Default: 50.', example: 50 });
const maxUnknown = z.number().min(0, 'must be at least 0').max(1, 'must be at most 1').meta({
  description:
    'The guard passes only if at most this share of the ended units of each side has no value of the score. Default: 0.2.',
  example: 0.2,
});

const rolloutGuardInput = z
  .strictObject({ ...guard, minimum: minimum.default(50), maxUnknown: maxUnknown.default(0.2) })
  .meta({
    id: 'RolloutGuardInput',
    description: 'A score by which the candidate may be worse only to a limit.',
  });

const rolloutGuard = z
  .object({ ...guard, minimum, maxUnknown })
  .meta({ id: 'RolloutGuard', description: 'A score by which the candidate may be worse only to a limit.' });

const rolloutGuards = z
  .array(rolloutGuardInput)
  .max(maxGuards, `must have at most ${maxGuards} guards`)
  .refine((all) => new Set(all.map(({ score, value }) => `${score}#${value ?? ''}`)).size === all.length, {
    error: 'must not have a guard twice',
  });

export const onBreach = z.enum(['roll_back', 'pause']).meta({
  id: 'RolloutOnBreach',
  description:
    'What a breached guard does. `roll_back` serves the current deployment to everybody and pins the environment. `pause` pauses ' +
    'the rollout: nothing changes for users until somebody decides.',
  example: 'roll_back',
});

export const rolloutStatus = z
  .enum([
    'running',
    'waiting_for_advance',
    'waiting_for_scores',
    'paused',
    'completed',
    'aborted',
    'rolled_back',
  ])
  .meta({
    id: 'RolloutStatus',
    description:
      'The state. A rollout that waits or is paused still assigns units. `completed`, `aborted` and `rolled_back` are final.',
    example: 'running',
  });

export type RolloutStatus = z.infer<typeof rolloutStatus>;

export const newRollout = z
  .strictObject({
    deploymentId: id('deployment').meta({
      description: 'The candidate: a deployment of this environment that is not current.',
    }),
    percent: percent.exactOptional(),
    steps: rolloutSteps.exactOptional(),
    guards: rolloutGuards.default([]).meta({
      description: 'The guards, at most 5. Without guards, nothing ends the rollout by itself.',
    }),
    onBreach: onBreach.default('roll_back'),
    reason: moveReason,
  })
  .refine(({ percent, steps }) => (percent === undefined) !== (steps === undefined), {
    path: ['percent'],
    error: 'is required, or steps, and not both',
  });

export type NewRollout = z.infer<typeof newRollout>;

const shownStatus = {
  status: rolloutStatus,
  percent,
  reason: z.string().nullable().meta({
    description:
      'Why: of the request, or `credential_revoked`, or `guard_breached`. Null if there is no reason.',
    example: 'Greets by name again.',
  }),
};
const by = shownCredential().meta({
  description: 'The credential that has moved it, or `worker:` and the name of the worker.',
});

const rolloutMove = z
  .object({ at: shownTime().meta({ description: 'When it moved.' }), by, ...shownStatus })
  .meta({ id: 'RolloutMove', description: 'The state after one move of a rollout.' });

export type RolloutMove = z.infer<typeof rolloutMove>;

const span = z.int().min(1).max(maxSpans).meta({
  description: 'The number of the span: the time from one change of the percent to the next. From 1.',
  example: 1,
});

const rolloutSpan = z
  .object({
    span,
    percent,
    from: shownTime().meta({ description: 'When the span began.' }),
    until: shownTime().nullable().meta({ description: 'When it ended. Null for the present span.' }),
  })
  .meta({ id: 'RolloutSpan', description: 'A time of constant percent. Sides are compared within spans.' });

const breachSide = z
  .object({
    units: shownCount().meta({ description: 'The units with a value.', example: 412 }),
    mean: z.number().meta({ description: 'The share, or the mean.', example: 0.71 }),
  })
  .meta({ id: 'BreachSide', description: 'One side of a breached guard.' });

const breach = z
  .object({
    score: scoreName,
    value: z.string().nullable().meta({ description: 'The category. Null for no category.', example: null }),
    current: breachSide,
    candidate: breachSide,
  })
  .meta({
    id: 'RolloutBreach',
    description: 'The guard that has ended or paused a rollout, and its figures then.',
  });

export type RolloutBreach = z.infer<typeof breach>;

const summary = {
  id: id('rollout'),
  environment: environmentName,
  deploymentId: id('deployment').meta({ description: 'The candidate.' }),
  currentDeploymentId: id('deployment').meta({
    description: 'The deployment that was current at the start.',
  }),
  ...shownStatus,
  since: shownTime().meta({ description: 'When it got this status, or its last percent.' }),
  by,
  span,
  steps: z
    .array(rolloutStep)
    .nullable()
    .meta({ description: 'The steps. Null for a rollout without steps.' }),
  step: z.int().min(1).max(maxSteps).nullable().meta({
    description: 'The number of the present step, from 1. Null without steps.',
    example: 1,
  }),
  holdUntil: shownTime()
    .nullable()
    .meta({
      description:
        'When the present step has been held. It is later by the time of a suspension of the organisation. Null if no time is held: ' +
        'without steps, in a step with `pause`, while it is paused, and at the end.',
    }),
  guards: z.array(rolloutGuard).meta({ description: 'The guards.' }),
  onBreach,
  breach: breach.nullable().meta({ description: 'The last breach of a guard. Null if there was none.' }),
  spans: z.array(rolloutSpan).meta({ description: 'The spans, the oldest first.' }),
  createdAt: shownTime().meta({ description: 'When it was started.' }),
  createdBy: shownCredential().meta({ description: 'The credential that started it.' }),
  endedAt: shownTime().nullable().meta({ description: 'When it ended. Null before.' }),
  version: z.int().min(1).meta({
    description: 'The number of its changes, for `If-Match`: it increases by one with each change.',
    example: 2,
  }),
};

export const RolloutSummary = z
  .object(summary)
  .meta({ id: 'RolloutSummary', description: 'A rollout, without its history and its comparison.' });

export const Rollout = z
  .object({
    ...summary,
    history: z.array(rolloutMove).meta({ description: 'The last 100 moves, the oldest first.' }),
  })
  .meta({ id: 'Rollout', description: 'A deployment that a part of the units of an environment gets.' });

export type Rollout = z.infer<typeof Rollout>;

const comparedSide = z
  .object({
    units: shownCount().meta({ description: 'The units, each with its first conversation.', example: 412 }),
    open: shownCount().meta({ description: 'The units whose conversation has not ended.', example: 3 }),
    unknown: z.number().nullable().meta({
      description: 'The share of the ended units that have no value. Null if no unit has ended.',
      example: 0.02,
    }),
    mean: z.number().nullable().meta({
      description: 'The share, or the mean of the values, combined over the spans. Null without values.',
      example: 0.78,
    }),
  })
  .meta({ id: 'ComparedSide', description: 'One side of a comparison.' });

const measure = {
  current: comparedSide,
  candidate: comparedSide,
  difference: z
    .number()
    .nullable()
    .meta({ description: 'Candidate less current. Null without values on both sides.', example: -0.04 }),
  low: z.number().nullable().meta({
    description:
      'The lower end of the confidence sequence of the difference, which holds at every look. Null if it has no bound yet.',
    example: -0.07,
  }),
  high: z
    .number()
    .nullable()
    .meta({ description: 'Its upper end. Null if it has no bound yet.', example: -0.01 }),
};

const comparedMeasure = z
  .object(measure)
  .meta({ id: 'ComparedMeasure', description: 'A comparison of both sides, within spans.' });

const verdict = z.enum(['passed', 'breached', 'undecided']).meta({
  id: 'GuardVerdict',
  description:
    '`breached`: the whole confidence sequence says that the candidate is worse by more than `maxHarm`. `passed`: enough units ' +
    'have values, few have none, and it is not breached. `undecided` otherwise.',
  example: 'undecided',
});

const comparedGuard = z
  .object({
    score: scoreName,
    value: z.string().nullable().meta({ description: 'The category. Null for no category.', example: null }),
    verdict,
    undecidedReason: z.enum(['nothing_evaluated', 'too_few_units', 'too_many_unknown']).nullable().meta({
      description: 'Why it is undecided. Null if it is not.',
      example: 'too_few_units',
    }),
    ...measure,
  })
  .meta({ id: 'ComparedGuard', description: 'A guard, with the comparison of its score.' });

export const RolloutComparison = z
  .object({
    units: z
      .object({
        current: shownCount().meta({ description: 'The units of the current deployment.', example: 3710 }),
        candidate: shownCount().meta({ description: 'The units of the candidate.', example: 412 }),
      })
      .meta({ id: 'ComparedUnits', description: 'The counted units of both sides.' }),
    notAssigned: shownCount().meta({
      description:
        'The conversations with one of both deployments that do not count: they have no `assignment`, or came more than 10 minutes ' +
        'after the end of its span.',
      example: 0,
    }),
    guards: z.array(comparedGuard).meta({ description: 'The guards, in their order.' }),
    durationSeconds: comparedMeasure,
    messages: comparedMeasure,
  })
  .meta({
    id: 'RolloutComparison',
    description: 'The comparison of the candidate with the current deployment, over units.',
  });

export type RolloutComparison = z.infer<typeof RolloutComparison>;

export const ComparedRollout = Rollout.extend({ comparison: RolloutComparison }).meta({
  id: 'ComparedRollout',
  description: 'A rollout, with the comparison of its candidate with the current deployment.',
});

/** Of a conversation. */
export const assignment = z
  .string()
  .regex(assignmentPattern, 'must be the assignment that the configuration of a unit has')
  .meta({
    description:
      'The `assignment` of the configuration that the user has got, while a rollout runs: `<rollout id>.<span>.<variant>.<16 hex ' +
      'digits>`. Null for no assignment.',
    example: 'rol_01JZ4Y7Q8R5T2V9W3X6B0C1D4E.1.candidate.0a1b2c3d4e5f6071',
  });

/** Conversations of earlier versions do not have it. */
export const counted = z
  .boolean()
  .default(false)
  .meta({
    description:
      'Whether it counts in the comparison of its rollout: it is the first conversation of its unit, and came at most 10 minutes ' +
      'after the end of the span of its `assignment`.',
    example: false,
  });
