/**
 * Ends the keys and identities that an ended key or identity created, directly or through others, disables the webhooks of all
 * of them, and pauses the sources, evaluators and rollouts that act on their behalf. Jobs end by themselves: they read the key that
 * requested them (lib/jobs/run.ts). "Key" stands for both here. The work may be repeated at any time.
 */

import { credentialIn, withinProjects } from '../base/caller.ts';
import { timestamp } from '../base/time.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { commitEach, commitPatiently } from '../workers/writes.ts';
import { mayEnd } from './grants.ts';
import { inPasses, ttlOfWork } from './passes.ts';
import {
  type ChildrenRevocation,
  credentials,
  endOf,
  endWork,
  noteChildrenRevocation,
  revoke,
  type StoredCredential,
} from './store/credentials.ts';
import { knownBelow, noteBelow, type Sum } from './store/passes.ts';

type Input = WorkerInput & {
  /** @returns the webhooks that are disabled for one of the keys, now or earlier */
  disableWebhooksOf(
    keys: ReadonlySet<string>,
    input: WorkerInput,
  ): Promise<{ id: string; projectIds: string[] | null }[]>;
  pauseSourcesOf(keys: ReadonlySet<string>, input: WorkerInput): Promise<void>;
  pauseEvaluatorsOf(keys: ReadonlySet<string>, input: WorkerInput): Promise<void>;
  pauseRolloutsOf(keys: ReadonlySet<string>, input: WorkerInput): Promise<void>;
};

const maxWebhookIds = 50;

/** @throws TurnOver, or Error if it has to be repeated */
export async function revokeChildren(id: string, input: Input): Promise<void> {
  const { store, nowMs } = input;
  const read = async () => {
    const key = await credentials.at(store).get(id);
    const request = key?.childrenRevocation;
    if (!key || !request || request.finishedAt !== null) return undefined;
    return { version: request.requestedAt, subject: { key, request } };
  };
  if (!(await read())) return;
  // However many keys the key has created, its webhooks, sources, evaluators and rollouts stop first.
  await stopWorkOf(new Set([id]), input);
  const work = {
    kind: 'children' as const,
    id,
    read,
    decide: (keys: readonly StoredCredential[], subject: Subject) => decideEnds(subject, keys, input),
    async end(sum: Sum, { key, request }: Subject) {
      const note = { ...request, ...sum, finishedAt: timestamp(nowMs()) };
      return (await commitPatiently(input, [noteChildrenRevocation(store, key, note)])) === undefined;
    },
  };
  await inPasses(work, input);
}

type Subject = { key: StoredCredential; request: ChildrenRevocation };

/**
 * Decides on a page of keys. Each pass also stops the work of the keys that have ended already: a key that has ended by itself may
 * have started something before.
 */
async function decideEnds({ key: top, request }: Subject, keys: readonly StoredCredential[], input: Input) {
  const { store, nowMs } = input;
  const ids = keys.flatMap(({ id, createdBy }) => [id, credentialIn(createdBy)]);
  const known = await knownBelow(store, top.id, ids);
  const found: string[] = [];
  for (const { id, createdBy } of keys) {
    if (known.has(id) || !known.has(credentialIn(createdBy))) continue;
    known.add(id);
    found.push(id);
  }
  const family = keys.filter(({ id }) => known.has(id) && id !== top.id);
  const isActive = (key: StoredCredential) => endOf(key, nowMs()) === 'active';
  const ending = family.filter((key) => mayEnd(request, key));
  const revoked = ending.filter(isActive);
  const workEnded = ending.filter((key) => !isActive(key) && key.workEndedBy === undefined);
  const ended = new Set([...ending, ...keys.filter(({ id }) => id === top.id)].map(({ id }) => id));
  return {
    // The next pass finds a key whose id is lower than that of its creator.
    changes: found.length + revoked.length > 0,
    async act(sum: Sum): Promise<Sum> {
      await commitEach(
        input,
        found.map((id) => noteBelow(store, top.id, id, ttlOfWork(input))),
      );
      await commitEach(input, [
        ...revoked.map((key) => revoke(store, key, timestamp(nowMs()), top.id)),
        ...workEnded.map((key) => endWork(store, key, top.id)),
      ]);
      // A revoked key cannot change a webhook, a source, an evaluator or a rollout: such a change is committed with a check of the key.
      const webhooks = ended.size > 0 ? await stopWorkOf(ended, input) : [];
      // A caller that can see the key can see the webhooks of its projects.
      const visible = webhooks.filter(({ projectIds }) => withinProjects(top, projectIds));
      const webhookIds = new Set([...sum.webhookIds, ...visible.map(({ id }) => id)]);
      const isRevoked = ({ revokedAt }: StoredCredential) => revokedAt && revokedAt >= request.requestedAt;
      return {
        revoked: sum.revoked + family.filter(isRevoked).length,
        skipped: sum.skipped + family.filter((key) => isActive(key) && !mayEnd(request, key)).length,
        webhookIds: [...webhookIds].slice(0, maxWebhookIds),
      };
    },
  };
}

async function stopWorkOf(keys: ReadonlySet<string>, input: Input) {
  const disabled = await input.disableWebhooksOf(keys, input);
  await input.pauseSourcesOf(keys, input);
  await input.pauseEvaluatorsOf(keys, input);
  await input.pauseRolloutsOf(keys, input);
  return disabled;
}
