/**
 * The cores of the pipeline, for methods that read and for methods that change something. A function has only the core of its
 * own endpoint (lib/http/lambda). A process with all endpoints chooses the core of each.
 */

import { decide, firstReadsOf } from '../decide.ts';
import { race } from '../race.ts';
import { callAt } from '../stages.ts';
import type { Core, Endpoint } from '../types.ts';
import { repeatedId } from './repeated-id.ts';
import { replay } from './replay.ts';

/** The first decision of the handler is the answer. */
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

export const changeCore: Core = {
  middlewares: [repeatedId, replay],
  answer: (endpoint, runtime, call) => race(endpoint, runtime, callAt(call, 'recorded')),
};

const cores = { read: readCore, change: changeCore } satisfies Record<string, Core>;

export const coreNameOf = ({ method }: Pick<Endpoint, 'method'>): keyof typeof cores =>
  method === 'GET' ? 'read' : 'change';

export const coreOf = (endpoint: Endpoint): Core => cores[coreNameOf(endpoint)];
