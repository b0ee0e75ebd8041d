/**
 * A worker whose work may have to wait for the end of a suspension: work that sends something out, or that costs and removes
 * nothing. It throws `Suspended` before it changes anything. Then its notices wait in the schedule, and come again when the
 * organisation is resumed (release.ts). Nothing polls in the meantime.
 */

import { inBatches } from '../../base/batches.ts';
import type { Store } from '../../dynamodb/store.ts';
import { mergeAccess } from '../../dynamodb/tables.ts';
import type { Notice } from '../notice.ts';
import { isActive, Suspended } from '../stop-if-suspended.ts';
import { defineWorker, type Worker, type WorkerInput } from '../worker.ts';
import { untilResumedMs } from './due.ts';
import { schedule, type Target, unschedule } from './schedule.ts';

const atOnce = 10;

/**
 * The target waits for the end of the suspension. The organisation is read after the write: a resumption that this read does not
 * see releases the target.
 * @returns whether it waits; false if the organisation is active again
 */
export async function waitForResumption(
  store: Store,
  target: Target,
  input: Pick<WorkerInput, 'commit' | 'sleep' | 'nowMs' | 'readOrganisation'>,
): Promise<boolean> {
  await schedule(store, target, untilResumedMs, input);
  if (!isActive(await input.readOrganisation())) return true;
  await unschedule(store, target, input);
  return false;
}

export function defineWaitingWorker(declaration: Parameters<typeof defineWorker>[0]): Worker {
  const { id: worker, handle, access } = declaration;
  const targetOf = ({ table, partition, id }: Notice): Target => ({ worker, table, partition, id });
  return defineWorker({
    ...declaration,
    access: mergeAccess(access, { schedule: ['GetItem', 'PutItem', 'DeleteItem'] }),
    async handle(notices, input) {
      for (let { organisation } = input; ; ) {
        try {
          return await handle(notices, { ...input, organisation });
        } catch (error) {
          if (!(error instanceof Suspended)) throw error;
        }
        const wait = (notice: Notice) => waitForResumption(input.store, targetOf(notice), input);
        const waiting = await inBatches(notices, atOnce, wait);
        if (waiting.every((isWaiting) => isWaiting)) return;
        // It has been resumed in the meantime.
        organisation = (await input.readOrganisation()) ?? organisation;
      }
    },
  });
}
