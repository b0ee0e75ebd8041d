/** The time of a step. Changes may arrive twice, late or out of order: a run uses the current state of the rollout. */

import { activeTimeEndMs } from '../organisations/suspensions.ts';
import { type ScheduleInput, schedule, type Target, unschedule } from '../workers/schedule/schedule.ts';
import { actOnRollout, mover, type ReadSums } from './act.ts';
import { isOpen } from './moves.ts';
import { type ProjectStore, rolloutPlace } from './store.ts';

const timerOf = ({ projectId }: ProjectStore, id: string): Target => ({
  worker: mover,
  table: 'deployments',
  partition: [projectId, rolloutPlace],
  id,
});

/** Moves the rollout if it is time. Otherwise ensures that it has a timer if, and only if, a time is held. */
export async function moveWhenHeld(
  store: ProjectStore,
  id: string,
  input: ScheduleInput,
  readSums: ReadSums,
): Promise<void> {
  const rollout = await actOnRollout(store, id, input, readSums);
  const timer = timerOf(store, id);
  const organisation = await input.readOrganisation();
  if (!rollout?.hold || !isOpen(rollout) || !organisation) return unschedule(store, timer, input);
  const { since, ms } = rollout.hold;
  // While the organisation is suspended, this is infinity: the notice comes when the organisation is resumed.
  return schedule(store, timer, activeTimeEndMs(organisation, Date.parse(since), ms), input);
}
