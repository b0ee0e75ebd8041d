import type { Variables } from '../../runtime/function-client.ts';
import { createDispatcher, type Dispatcher } from '../dispatcher.ts';
import type { Worker } from '../worker.ts';
import { openSending } from './sending.ts';

export function compose(workers: readonly Worker[], env: Variables): Dispatcher {
  const { runtime, sender } = openSending(env);
  return createDispatcher(workers, runtime, sender);
}
