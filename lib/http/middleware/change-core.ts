/** The core of the pipeline for methods that change something. */

import { race } from '../race.ts';
import { callAt } from '../stages.ts';
import type { Core } from '../types.ts';
import { repeatedId } from './repeated-id.ts';
import { replay } from './replay.ts';

export const changeCore: Core = {
  middlewares: [repeatedId, replay],
  answer: (endpoint, runtime, call) => race(endpoint, runtime, callAt(call, 'recorded')),
};
