/** Moves a rollout by itself: a worker calls this when a score was counted, or when a step has been held. */

import { credentials, isCredentialId } from '../api-keys/store/credentials.ts';
import { getEnvironment } from '../avatars/deployments/store/environments.ts';
import { credentialIn } from '../base/caller.ts';
import { again, retry } from '../base/retry.ts';
import { holds } from '../base/scopes.ts';
import { timestamp } from '../base/time.ts';
import { getProject } from '../projects/store.ts';
import { isActive } from '../workers/suspension.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { commitPatiently } from '../workers/writes.ts';
import { judgeAll } from './comparison.ts';
import type { RolloutSum } from './contribution.ts';
import { decide, heldMs, isOpen } from './moves.ts';
import { getRollout, type ProjectStore, type RolloutItem, type StoredRollout } from './store.ts';
import { writeMove } from './write-move.ts';

/** The worker that moves rollouts, in `by`. */
export const mover = 'rollout-mover';

export type ActInput = Pick<WorkerInput, 'commit' | 'sleep' | 'nowMs' | 'readOrganisation'>;
export type ReadSums = (store: ProjectStore, rollout: RolloutItem) => Promise<readonly RolloutSum[]>;

/**
 * Each move is one transaction on condition of the version, so two workers and a person at the same moment make one move. While the
 * organisation is suspended, or the project is archived or deleted, nothing moves.
 * @param readSums reads the sums of the conversations
 * @returns the rollout after the move; undefined if it does not exist
 */
export async function actOnRollout(
  store: ProjectStore,
  id: string,
  input: ActInput,
  readSums: ReadSums,
): Promise<StoredRollout | RolloutItem | undefined> {
  const attempt = async () => {
    const rollout = await getRollout(store, id);
    if (!rollout || !isOpen(rollout)) return rollout;
    const [organisation, project, environment, sums, mayAct] = await Promise.all([
      input.readOrganisation(),
      getProject(store, store.projectId),
      getEnvironment(store, rollout.environment),
      readSums(store, rollout),
      mayStillDeploy(store, rollout),
    ]);
    if (!isActive(organisation) || project?.status !== 'active') return rollout;
    // The rollout ends just now, or a restore has brought it back without its environment.
    if (environment?.rollout?.id !== id) return rollout;
    const nowMs = input.nowMs();
    const actor = { at: timestamp(nowMs), by: `worker:${mover}` };
    const judged = judgeAll(rollout, sums);
    const after = decide(rollout, judged, heldMs(rollout, organisation, nowMs), mayAct, actor);
    if (after === rollout) return rollout;
    const writes = await writeMove(store, { rollout, environment }, after);
    return (await commitPatiently(input, writes)) ? again : after;
  };
  return retry(attempt, { failure: () => new Error(`${id} is being moved by others`) });
}

/**
 * A rollout goes on after the expiry and the plain revocation of its credential. It does not go on if the credential was revoked with
 * everything that it has started, or has lost the scope, the project or the environment.
 */
async function mayStillDeploy(store: ProjectStore, { setBy, environment }: RolloutItem): Promise<boolean> {
  const id = credentialIn(setBy);
  const credential = isCredentialId(id) ? await credentials.at(store).get(id) : undefined;
  if (!credential) return true;
  const { childrenRevocation, workEndedBy, scopes, projectIds, environments } = credential;
  return (
    (childrenRevocation ?? workEndedBy) === undefined &&
    holds(scopes, 'deploy:write') &&
    (projectIds === null || projectIds.includes(store.projectId)) &&
    (environments === undefined || environments.includes(environment))
  );
}
