/**
 * The cores of the pipeline, for methods that read, for methods that change something, and for responses that are streamed. A function has only the core of its
 * own endpoint (lib/http/lambda). A process with all endpoints chooses the core of each.
 */

import { decide, firstReadsOf } from '../decide.ts';
import type { StreamedEvents } from '../handler-result.ts';
import { race } from '../race.ts';
import { callAt } from '../stages.ts';
import { guardedEvents } from '../streaming.ts';
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

/** The handler has read, and decides what is streamed. */
export const streamCore: Core = {
  middlewares: [],
  async answer(endpoint, runtime, call) {
    const outcome = await readCore.answer(endpoint, runtime, call);
    const streamed = outcome.data as StreamedEvents;
    return { ...outcome, events: (signal) => guardedEvents(endpoint, runtime, call, streamed, signal) };
  },
};

const cores = { read: readCore, change: changeCore, stream: streamCore } satisfies Record<string, Core>;

export function coreNameOf({ method, raw }: Pick<Endpoint, 'method' | 'raw'>): keyof typeof cores {
  if (raw === 'events') return 'stream';
  return method === 'GET' ? 'read' : 'change';
}

export const coreOf = (endpoint: Endpoint): Core => cores[coreNameOf(endpoint)];
