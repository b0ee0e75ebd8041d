/** Rollouts as they are stored: what reads them does not need the endpoints that start and move them. */

import { getDeployment } from '../../lib/avatars/deployments/store/deployments.ts';
import {
  getEnvironment,
  putEnvironment,
  type ServedRollout,
} from '../../lib/avatars/deployments/store/environments.ts';
import { commit } from '../../lib/dynamodb/commit.ts';
import { openSession } from '../../lib/dynamodb/session.ts';
import { bindStore } from '../../lib/dynamodb/store.ts';
import type { Write } from '../../lib/dynamodb/write.ts';
import type { Runtime } from '../../lib/http/runtime.ts';
import { type RolloutItem, rollouts } from '../../lib/rollouts/store.ts';

type At = { runtime: Pick<Runtime, 'client' | 'tableNames' | 'newId' | 'nowMs'>; organisationId: string };

type Served = Omit<ServedRollout, 'candidate'> & {
  /** The candidate. */
  deploymentId: string;
};

function openStore({ runtime, organisationId }: At, projectId: string) {
  const session = openSession(runtime.client, runtime.tableNames, {
    deployments: ['GetItem', 'PutItem', 'DeleteItem'],
  });
  const store = bindStore(session, `${organisationId}#live`).inProject(projectId);
  const write = async (writes: readonly Write[]) => {
    const nowMs = runtime.nowMs();
    const author = { changedBy: 'worker:test', changedThrough: 'worker:test' };
    const refusal = await commit(session, writes, {
      ...author,
      changedIn: runtime.newId('call', nowMs),
      nowMs,
    });
    if (refusal) throw new Error('the environment was changed by somebody else');
  };
  return { store, write };
}

/** Serves the candidate to a part of the units. A rollout that is there is replaced. */
export async function serveRollout(
  at: At,
  projectId: string,
  name: string,
  { deploymentId, id, percent, span }: Served,
): Promise<void> {
  const { store, write } = openStore(at, projectId);
  const [environment, candidate] = await Promise.all([
    getEnvironment(store, name),
    getDeployment(store, deploymentId),
  ]);
  if (!environment?.serves || !candidate) throw new Error(`${name} or ${deploymentId} is not there`);
  const from = new Date(at.runtime.nowMs()).toISOString();
  const spans = Array.from({ length: span }, (_, index) => ({ span: index + 1, percent, from, until: null }));
  const move = { status: 'running', percent, reason: null, by: 'worker:test' } as const;
  const rollout: RolloutItem = {
    ...move,
    id,
    environment: name,
    deploymentId,
    currentDeploymentId: environment.serves.deploymentId,
    since: from,
    span,
    steps: null,
    step: null,
    guards: [],
    onBreach: 'roll_back',
    breach: null,
    spans,
    createdAt: from,
    createdBy: 'worker:test',
    endedAt: null,
    setBy: 'worker:test',
    version: 1,
    history: [{ at: from, ...move }],
    conversationsBefore: 0,
  };
  const { avatars, knowledgeIndexVersion, configHash } = candidate;
  const served = {
    id,
    percent,
    span,
    candidate: { deploymentId, avatars, knowledgeIndexVersion, configHash },
  };
  await write([
    rollouts.at(store).put(rollout, { condition: { kind: 'any' } }),
    putEnvironment(store, environment, { ...environment, rollout: served }),
  ]);
}

/** Serves the current deployment to everybody. */
export async function endRollout(at: At, projectId: string, name: string): Promise<void> {
  const { store, write } = openStore(at, projectId);
  const environment = await getEnvironment(store, name);
  if (!environment) throw new Error(`${name} is not there`);
  const { rollout: _, ...others } = environment;
  await write([putEnvironment(store, environment, others)]);
}

/** The rollout is not there any more, as after a restore, and its environment serves it still. */
export async function loseRollout(at: At, projectId: string, id: string): Promise<void> {
  const { store, write } = openStore(at, projectId);
  await write([rollouts.at(store).remove(id, { condition: { kind: 'any' } })]);
}
