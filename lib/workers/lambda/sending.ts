/** What the functions share that send notices to all workers. */

import { type BaseRuntime, createBaseRuntime } from '../../runtime/base-runtime.ts';
import { functionClientConfig, type Variables } from '../../runtime/function-client.ts';
import type { Sender } from '../dispatcher.ts';
import { createSender, openQueueClient } from '../sqs.ts';

/** @param env the environment of the function (infra/dispatcher.ts, infra/scheduler.ts) */
export function openSending(env: Variables): { runtime: BaseRuntime; sender: Sender } {
  const runtime = createBaseRuntime(env, functionClientConfig(env));
  const queues = openQueueClient(functionClientConfig(env, 'sqs'));
  return { runtime, sender: createSender(queues, env, runtime.sleep) };
}
