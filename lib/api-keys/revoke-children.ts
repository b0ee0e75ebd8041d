/**
 * Ends the keys and identities that an ended key or identity created, directly or through others, disables the webhooks of all
 * of them, and pauses the sources and evaluators that act on their behalf. Jobs end by themselves: they read the key that
 * requested them (lib/jobs/run.ts). "Key" stands for both here. The work may be repeated at any time.
 */

import { withinProjects } from '../base/caller.ts';
import { timestamp } from '../base/time.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { commitPatiently } from '../workers/writes.ts';
import { familyOf } from './family.ts';
import { mayEnd } from './grants.ts';
import {
  type ChildrenRevocation,
  credentials,
  endOf,
  endWork,
  noteChildrenRevocation,
  revoke,
} from './store/credentials.ts';

/** More passes are needed only if an attacker creates keys as fast as they are revoked. Then the notice comes again. */
const maxPasses = 10;

type Input = WorkerInput & {
  /** @returns the webhooks that are disabled for one of the keys, now or earlier */
  disableWebhooksOf(
    keys: ReadonlySet<string>,
    input: WorkerInput,
  ): Promise<{ id: string; projectIds: string[] | null }[]>;
  pauseSourcesOf(keys: ReadonlySet<string>, input: WorkerInput): Promise<void>;
  pauseEvaluatorsOf(keys: ReadonlySet<string>, input: WorkerInput): Promise<void>;
};

const maxWebhookIds = 50;

/** @throws Error if it has to be repeated */
export async function revokeChildren(id: string, input: Input): Promise<void> {
  const { store, nowMs } = input;
  const key = await credentials.at(store).get(id);
  const request = key?.childrenRevocation;
  if (!key || !request || request.finishedAt !== null) return;

  // However many keys the key has created, its webhooks, sources and evaluators stop first.
  await input.disableWebhooksOf(new Set([id]), input);
  await input.pauseSourcesOf(new Set([id]), input);
  await input.pauseEvaluatorsOf(new Set([id]), input);
  for (let pass = 1; ; pass += 1) {
    const { revokedNow, ended, ...result } = await revokeFamily(id, request, input);
    // A key may have created another key after its creations were read and before it was revoked. A revoked key cannot create a
    // key: a creation is committed with a check of its creator. So the first pass that finds no key to revoke is the last pass.
    if (revokedNow === 0) {
      // A revoked key cannot change a webhook, a source or an evaluator either: such a change is committed with the same check.
      await input.pauseSourcesOf(new Set([id, ...ended]), input);
      await input.pauseEvaluatorsOf(new Set([id, ...ended]), input);
      const disabledWebhooks = await input.disableWebhooksOf(new Set([id, ...ended]), input);
      // A caller that can see the key can see the webhooks of its projects.
      const visibleWebhooks = disabledWebhooks.filter(({ projectIds }) => withinProjects(key, projectIds));
      const webhookIds = visibleWebhooks.map((webhook) => webhook.id).slice(0, maxWebhookIds);
      const note = { ...request, finishedAt: timestamp(nowMs()), ...result, webhookIds };
      if (await commitPatiently(input, [noteChildrenRevocation(store, key, note)])) {
        throw new Error('the key has changed');
      }
      return;
    }
    if (pass === maxPasses) throw new Error('keys are still being created');
  }
}

/**
 * @returns how many keys this pass has revoked, how many the request has revoked so far, how many it may not revoke, and the
 *   ids of those that have ended, now or earlier
 */
async function revokeFamily(id: string, request: ChildrenRevocation, input: WorkerInput) {
  const { store, nowMs } = input;
  const result = { revokedNow: 0, revoked: 0, skipped: 0, ended: [] as string[] };
  for (const member of await familyOf(id, input)) {
    const key = await credentials.at(store).get(member.id);
    if (key?.revokedAt && key.revokedAt >= request.requestedAt) result.revoked += 1;
    if (!key) continue;
    const isEnding = mayEnd(request, key);
    // A key that has ended by itself may have started something before.
    if (isEnding) result.ended.push(key.id);
    const isActive = endOf(key, nowMs()) === 'active';
    if (isActive && isEnding) {
      await commitPatiently(input, [revoke(store, key, timestamp(nowMs()), id)]);
      result.revokedNow += 1;
    } else if (isActive) {
      result.skipped += 1;
    } else if (isEnding && key.workEndedBy === undefined) {
      await commitPatiently(input, [endWork(store, key, id)]);
    }
  }
  return result;
}
