/** The time of a step. Changes may arrive twice, late or out of order: a run uses the current state of the rollout. */

import { listEnvironments } from '../avatars/deployments/store/environments.ts';
import { pagesOf } from '../base/pages.ts';
import { activeTimeEndMs } from '../organisations/suspensions.ts';
import { getProject, projects } from '../projects/store.ts';
import type { Change } from '../workers/change.ts';
import { type ScheduleInput, schedule, type Target, unschedule } from '../workers/schedule/schedule.ts';
import { isActive } from '../workers/suspension.ts';
import { actOnRollout, mover, type ReadSums } from './act.ts';
import { isOpen } from './moves.ts';
import { type ProjectStore, rolloutPlace } from './store.ts';

const timerOf = ({ projectId }: ProjectStore, id: string): Target => ({
  worker: mover,
  table: 'deployments',
  partition: [projectId, rolloutPlace],
  id,
});

/** @returns whether the project is active again, or new: its rollouts have not moved while it was archived or deleted */
export const revives = ({ partition, id, before, after }: Change): boolean =>
  partition.length === 0 &&
  id.startsWith('proj_') &&
  after !== undefined &&
  projects.read(after).status === 'active' &&
  (before === undefined || projects.read(before).status !== 'active');

/** Moves the rollouts of a project that have not ended, if it is time. An environment has at most one. */
export async function moveAll(store: ProjectStore, input: ScheduleInput, readSums: ReadSums): Promise<void> {
  for await (const some of pagesOf((after) => listEnvironments(store, { after, limit: 100 })))
    for (const { rollout } of some) if (rollout) await moveWhenHeld(store, rollout.id, input, readSums);
}

/** Moves the rollout if it is time. Otherwise ensures that it has a timer if, and only if, a time is held. */
export async function moveWhenHeld(
  store: ProjectStore,
  id: string,
  input: ScheduleInput,
  readSums: ReadSums,
): Promise<void> {
  const rollout = await actOnRollout(store, id, input, readSums);
  const timer = timerOf(store, id);
  const [organisation, project] = await Promise.all([
    input.readOrganisation(),
    getProject(store, store.projectId),
  ]);
  // A project that becomes active again has a notice of its own.
  if (!rollout || !isOpen(rollout) || !organisation || project?.status !== 'active')
    return unschedule(store, timer, input);
  // The notice comes when the organisation is resumed: the time may have been over before, or a guard may decide then.
  if (!isActive(organisation)) return schedule(store, timer, Number.POSITIVE_INFINITY, input);
  if (!rollout.hold) return unschedule(store, timer, input);
  const { since, ms } = rollout.hold;
  return schedule(store, timer, activeTimeEndMs(organisation, Date.parse(since), ms), input);
}

/** Lets the guards decide on what was just counted. While the organisation is suspended, the decision waits for its resumption. */
export async function decideCounted(
  store: ProjectStore,
  id: string,
  input: ScheduleInput,
  readSums: ReadSums,
): Promise<void> {
  const rollout = await actOnRollout(store, id, input, readSums);
  if (!rollout || !isOpen(rollout) || isActive(await input.readOrganisation())) return;
  await schedule(store, timerOf(store, id), Number.POSITIVE_INFINITY, input);
}
