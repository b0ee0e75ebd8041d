/** The content of the form for a rollout, and its request. Pure. */

import type {
  GuardDirection,
  RolloutGuardInput,
  RolloutOnBreach,
  RolloutStartRequest,
  RolloutStep,
  ScoreOutput,
} from '../../../../clients/typescript/src/index.ts';
import { type Scale, scaleOf } from './guard-texts.ts';

/** @returns the messages of the API about a field of the last attempt */
export type MessagesOf = (...path: string[]) => string[];

/** Numbers are texts until they are sent: the API says what is wrong with them. */
export type StepDraft = {
  percent: string;
  /** Minutes; empty for a step that waits until somebody advances it. */
  minutes: string;
};

export type GuardDraft = {
  score: string;
  better: GuardDirection;
  /** The category; empty for scores without categories. */
  value: string;
  /** The allowed harm: points of a share, or the unit of the score. */
  maxHarm: string;
  minimum: string;
  /** In percent. */
  maxUnknown: string;
};

export type RolloutDraft = {
  deploymentId: string;
  isStepped: boolean;
  percent: string;
  steps: readonly StepDraft[];
  guards: readonly GuardDraft[];
  onBreach: RolloutOnBreach;
  reason: string;
};

export const maxSteps = 10;
export const maxGuards = 5;

export const emptyDraft: RolloutDraft = {
  deploymentId: '',
  isStepped: true,
  percent: '10',
  steps: [
    { percent: '10', minutes: '60' },
    { percent: '50', minutes: '' },
  ],
  guards: [],
  onBreach: 'roll_back',
  reason: '',
};

/** @param output the values of the evaluator; undefined while they are not known */
export const newGuard = (score: string, output: ScoreOutput | undefined): GuardDraft => ({
  score,
  better: 'higher',
  value: output?.type === 'category' ? (output.values[0] ?? '') : '',
  // Without the type, the harm is sent as it is.
  maxHarm: output === undefined ? '0.05' : output.type === 'number' ? '0.1' : '5',
  minimum: '50',
  maxUnknown: '20',
});

/** @returns the unit of the allowed harm */
export const harmScale = ({ score, value }: GuardDraft, type: ScoreOutput['type'] | undefined): Scale =>
  scaleOf({ score, ...(value !== '' && { value }) }, type);

/** Divides by 100 without the noise of binary fractions. */
const ofHundred = (text: string): number => Number((Number(text) / 100).toPrecision(12));

type TypeOf = (score: string) => ScoreOutput['type'] | undefined;

function guardOf(draft: GuardDraft, typeOf: TypeOf): RolloutGuardInput {
  const { score, better, value, maxHarm, minimum, maxUnknown } = draft;
  return {
    score,
    better,
    ...(value !== '' && { value }),
    maxHarm: harmScale(draft, typeOf(score)) === 'points' ? ofHundred(maxHarm) : Number(maxHarm),
    minimum: Number(minimum),
    maxUnknown: ofHundred(maxUnknown),
  };
}

const stepOf = ({ percent, minutes }: StepDraft): RolloutStep => ({
  percent: Number(percent),
  ...(minutes.trim() === '' ? { pause: true } : { holdMinutes: Number(minutes) }),
});

/** @param typeOf the type of the scores of an evaluator; undefined if it is not known */
export const bodyOf = (draft: RolloutDraft, typeOf: TypeOf): RolloutStartRequest => ({
  deploymentId: draft.deploymentId,
  ...(draft.isStepped ? { steps: draft.steps.map(stepOf) } : { percent: Number(draft.percent) }),
  guards: draft.guards.map((guard) => guardOf(guard, typeOf)),
  onBreach: draft.onBreach,
  reason: draft.reason.trim() || null,
});
