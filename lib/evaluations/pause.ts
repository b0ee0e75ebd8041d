/** Pauses the evaluators of credentials that have ended with everything that they have started. */

import { timestamp } from '../base/time.ts';
import { type PauseInput, pauseSetBy } from '../workers/pause-set.ts';
import { Evaluator } from './schema/evaluator.ts';
import { changeEvaluator, evaluatorSetters, getEvaluator } from './store/evaluators.ts';

/** A run that one of the keys has requested ends by itself. A repeated call changes nothing. */
export const pauseEvaluatorsOf = (keys: ReadonlySet<string>, input: PauseInput): Promise<void> =>
  pauseSetBy(
    {
      setters: evaluatorSetters,
      get: getEvaluator,
      pause(store, evaluator) {
        const after = Evaluator.parse({
          ...evaluator,
          paused: true,
          pausedReason: 'key_revoked',
          version: evaluator.version + 1,
          updatedAt: timestamp(input.nowMs()),
        });
        return changeEvaluator(store, evaluator, after, 'worker:key-revoker');
      },
    },
    keys,
    input,
  );
