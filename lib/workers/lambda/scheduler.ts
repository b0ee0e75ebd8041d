import type { Variables } from '../../runtime/function-client.ts';
import { runSchedule } from '../schedule/scheduler.ts';
import type { Worker } from '../worker.ts';
import { openSending } from './sending.ts';

export function compose(workers: readonly Worker[], env: Variables): () => Promise<number> {
  const { runtime, sender } = openSending(env);
  const ids = workers.map(({ id }) => id);
  return () => runSchedule(ids, runtime, sender);
}
