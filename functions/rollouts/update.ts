import * as z from 'zod';
import { requireCaller } from '../../lib/api-keys/store/credentials.ts';
import { environmentInPath } from '../../lib/avatars/deployments/store/environments.ts';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { entityTag, versionHeader } from '../../lib/http/entity-tags.ts';
import { type Actor, changePercent, heldMs, type Moved, pause, resume } from '../../lib/rollouts/moves.ts';
import { moveRunning } from '../../lib/rollouts/running.ts';
import { moveReason, percent, Rollout } from '../../lib/rollouts/schema.ts';
import { showRollout } from '../../lib/rollouts/show.ts';
import type { RolloutItem } from '../../lib/rollouts/store.ts';
import { id } from '../../lib/schema/common.ts';
import { environmentName } from '../../lib/schema/names.ts';

const body = z
  .strictObject({
    percent: percent.exactOptional(),
    paused: z.boolean().exactOptional().meta({
      description:
        'Whether the rollout is paused: every unit keeps its side, new units are assigned, and no time is held.',
    }),
    reason: moveReason,
  })
  .refine(({ percent, paused }) => percent !== undefined || paused !== undefined, {
    error: 'must have percent or paused',
  });

export default defineEndpoint({
  id: 'rollouts.update',
  method: 'PATCH',
  path: '/projects/{project_id}/environments/{name}/rollout',
  summary: 'Change a rollout',
  description:
    'Raises the percent, pauses the rollout, or lets it go on. The percent only rises, so that a unit that has the candidate keeps ' +
    'it. Each change of the percent begins a span, and a rollout has at most 20. A rollout that goes on acts on behalf of the ' +
    'credential that sends this request. A breach that had paused it pauses it no more.',
  auth: 'deploy:write',
  project: 'active',
  loads: { environment: environmentInPath },
  environments: ({ params }) => [params.name],
  ifMatch: true,
  request: { params: z.strictObject({ project_id: id('project'), name: environmentName }), body },
  causes: ['rollout.advanced', 'rollout.paused', 'rollout.resumed'],
  responses: { 200: Rollout },
  headers: versionHeader,
  errors: [
    'not_found',
    'rollout_ended',
    'rollout_only_forward',
    'rollout_too_many_changes',
    'version_mismatch',
    'service_unavailable',
  ],
  access: {
    deployments: ['GetItem', 'Query', 'BatchGetItem', 'PutItem', 'DeleteItem'],
    apiKeys: ['ConditionCheckItem'],
  },

  async handle({ loaded: { environment }, body, caller, matches, store, nowMs }) {
    const actor = { at: timestamp(nowMs), by: caller.principal, reason: body.reason };
    const isExpected = (version: number) => matches(entityTag(version));
    const moved = await moveRunning(store, environment, isExpected, (rollout) => {
      const raised = body.percent === undefined ? { rollout } : changePercent(rollout, body.percent, actor);
      if ('refused' in raised) return raised;
      return setPaused(raised.rollout, body.paused, {
        actor,
        setBy: caller.id,
        suspensions: caller.suspensions,
      });
    });
    if ('refused' in moved) return fail(moved.refused);
    const { before, rollout, writes } = moved;
    // A key that is being revoked starts nothing any more.
    const goesOn = rollout.setBy === before.setBy ? [] : requireCaller(store, caller);
    return { status: 200, data: showRollout(rollout, caller), writes: [...writes, ...goesOn] };
  },
});

type Context = { actor: Actor; setBy: string; suspensions: Parameters<typeof heldMs>[1]['suspensions'] };

function setPaused(
  rollout: RolloutItem,
  paused: boolean | undefined,
  { actor, setBy, suspensions = [] }: Context,
): Moved<'rollout_ended'> {
  if (paused === undefined) return { rollout };
  if (!paused) return resume(rollout, setBy, actor);
  return pause(rollout, heldMs(rollout, { suspensions }, Date.parse(actor.at)), actor);
}
