/** The core of the pipeline for methods that read: the handler's first decision is the answer. */

import { decide, firstReadsOf } from '../decide.ts';
import { callAt } from '../stages.ts';
import type { Core } from '../types.ts';

export const readCore: Core = {
  middlewares: [],
  async answer(endpoint, runtime, at) {
    const call = callAt(at, 'validated');
    const decision = await decide(endpoint, runtime, call, firstReadsOf(call));
    if (decision.failure) throw decision.failure;
    const { outcome, steps, writes } = decision;
    if (steps.length + writes.length > 0)
      throw new Error(`${endpoint.id} is a ${endpoint.method} that writes`);
    return outcome;
  },
};
