/** Texts about evaluators and their runs. */

import type {
  EvaluateResult,
  Evaluator,
  Job,
  ScoreOutput,
} from '../../../../clients/typescript/src/index.ts';
import { countText } from '../../shared/amounts.ts';
import { usd } from '../../shared/score.tsx';

type Tone = 'good' | 'bad' | 'busy' | 'quiet';

export const kinds = {
  rule: 'A rule that the service checks',
  model: 'A model that answers a question',
  external: 'Your program, or people',
} as const;

/** @returns the text and the tone of the badge of an evaluator */
export function stateOf({ status, paused }: Pick<Evaluator, 'status' | 'paused'>): {
  value: string;
  tone: Tone;
} {
  if (status === 'archived') return { value: 'archived', tone: 'quiet' };
  return paused ? { value: 'paused', tone: 'busy' } : { value: 'active', tone: 'good' };
}

/** @returns the values that an evaluator gives */
export function outputText(output: ScoreOutput): string {
  switch (output.type) {
    case 'boolean':
      return 'yes or no';
    case 'number':
      return `numbers from ${output.min} to ${output.max}`;
    case 'category':
      return `one of ${output.values.join(', ')}`;
    case 'text':
      return 'texts';
    default:
      return 'objects';
  }
}

const pauses: Readonly<Record<string, string>> = {
  requested: 'Somebody has paused it.',
  key_revoked:
    'The key that has set it was revoked, with the keys that it had created. Resume it to run it on behalf of your credential.',
};

/** @returns why an evaluator does not run */
export const whyPaused = ({ pausedReason }: Pick<Evaluator, 'pausedReason'>): string =>
  (pausedReason && pauses[pausedReason]) ?? '';

const stops: Readonly<Record<string, string>> = {
  max_cost_usd: 'It stopped, because the next call could have cost more than its limit.',
  model_cost_quota: 'It stopped, because the organisation may spend no more on models today.',
};

/** @returns why a run stopped before its end */
export const whyStopped = ({ stoppedBecause }: Pick<EvaluateResult, 'stoppedBecause'>): string | undefined =>
  stoppedBecause === null ? undefined : (stops[stoppedBecause] ?? stoppedBecause.replaceAll('_', ' '));

/** @returns the result of a run, or of a preview; undefined for another job, and before its end */
export const resultOf = ({ result }: Pick<Job, 'result'>): EvaluateResult | undefined =>
  result !== null && 'evaluated' in result ? result : undefined;

/** @returns the calls, their tokens and their cost, in a line */
export const spentText = ({ calls, inputTokens, outputTokens, costUsd }: EvaluateResult): string =>
  `${countText(calls, 'call')} of models, ${countText(inputTokens + outputTokens, 'token')}, ${usd(costUsd)}`;
