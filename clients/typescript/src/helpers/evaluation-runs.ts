/** Runs whose jobs have a type: `jobs.waitForSuccess(evaluationRuns.create(…))` returns an `EvaluateResult`. */

import type { PostOptions } from '../core/options.ts';
import type { ApiPromise } from '../core/promise.ts';
import { EvaluationRunsMethods } from '../generated/methods.ts';
import type { EvaluationRunCreateRequest } from '../generated/types.ts';
import type { JobOf } from './jobs.ts';

export class EvaluationRuns extends EvaluationRunsMethods {
  override create(
    body?: EvaluationRunCreateRequest,
    options?: PostOptions,
  ): ApiPromise<JobOf<'conversations.evaluate'>> {
    return super.create(body, options) as ApiPromise<JobOf<'conversations.evaluate'>>;
  }
}
