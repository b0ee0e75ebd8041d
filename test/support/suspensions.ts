/** Organisations that are suspended and resumed, with the work that waits for it. */

import type { Worker } from '../../lib/workers/worker.ts';
import { storedOf, type TestApi } from '../../samples/api.ts';
import { noticesOf } from '../../samples/lambda-queue.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import { resume, suspend } from '../../scripts/organisations/state.ts';
import organisationResumer from '../../workers/organisation-resumer.ts';
import { runDue } from './schedule.ts';
import { deliverInTurns } from './turns.ts';

/** What waits for the end of the suspension. */
export const waitingOf = async (api: TestApi) =>
  (await storedOf(api, 'schedule')).filter(({ tenant }) => `${tenant}`.endsWith('#waiting'));

export const suspendNow = (api: TestApi): Promise<string> => suspend(api.runtime, api.organisationId);

/** Ends the suspension. @returns the notices of it */
export async function resumeNow(api: TestApi) {
  const [before] = await storedOf(api, 'organisations');
  await resume(api.runtime, api.organisationId);
  const [after] = await storedOf(api, 'organisations');
  return noticesOf(organisationResumer, [changeRecord(before, after)]);
}

/**
 * Some notices come again after a short pause. The log names why a webhook is disabled.
 * @throws every other error
 */
export function ignorePauses(error: Error): void {
  if (!['out of time', 'failing'].includes(error.message)) throw error;
}

/** Ends the suspension, and does all work that has waited for it. */
export async function resumeAndGoOn(api: TestApi): Promise<void> {
  await deliverInTurns(api.runtime, organisationResumer, await resumeNow(api));
  await runDue(api);
}

/** Gives a worker the changes as if all items of a table had just been written. */
export async function handleAll(
  api: TestApi,
  worker: Worker,
  source: Worker['sources'][number],
  isWanted: (item: { id: string }) => boolean,
  runtime = api.runtime,
): Promise<void> {
  const items = (await storedOf(api, source)).filter((item) => isWanted({ id: `${item.id}` }));
  const notices = noticesOf(
    worker,
    items.map((item) => changeRecord(undefined, item)),
    source,
  );
  await deliverInTurns(runtime, worker, notices);
}
