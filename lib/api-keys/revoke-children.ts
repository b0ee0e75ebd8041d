/** Revokes the keys that a revoked key created, and the keys that those created. May be repeated at any time. */

import { withinProjects } from '../caller.ts';
import { firstIdAt, idRangeOf, timeOfId } from '../ids.ts';
import { missingScopes } from '../scopes.ts';
import { minuteMs, timestamp } from '../time.ts';
import { commitPatiently } from '../workers/commit-each.ts';
import type { WorkerInput } from '../workers/worker.ts';
import {
  apiKeyStatus,
  apiKeys,
  type ChildrenRevocation,
  noteChildrenRevocation,
  revokeApiKey,
} from './store.ts';

const pageSize = 100;
/** More passes than this need an attacker who creates keys as fast as they are revoked. Then the notice comes again. */
const maxPasses = 10;
/** Ids have the time of the function that made them, and the clocks of two functions differ a little. */
const clockSkewMs = 5 * minuteMs;

/** @throws Error if it has to be repeated */
export async function revokeChildren(id: string, input: WorkerInput): Promise<void> {
  const { store, nowMs } = input;
  const key = await apiKeys.at(store).get(id);
  const request = key?.childrenRevocation;
  if (!key || !request || request.finishedAt !== null) return;

  for (let pass = 1; ; pass += 1) {
    const { revokedNow, ...result } = await revokeFamily(id, request, input);
    // A key may have created another one after its creations were read and before it was revoked. A revoked key cannot: a
    // creation is committed with a check of its creator. So the pass after which nothing was left to revoke is the last one.
    if (revokedNow === 0) {
      const note = { ...request, finishedAt: timestamp(nowMs()), ...result };
      if (await commitPatiently(input, [noteChildrenRevocation(store, key, note)])) {
        throw new Error('the key has changed');
      }
      return;
    }
    if (pass === maxPasses) throw new Error('keys are still being created');
  }
}

/** One pass. @returns how many keys it has revoked, how many the request has revoked so far, and how many it may not revoke */
async function revokeFamily(id: string, request: ChildrenRevocation, input: WorkerInput) {
  const { store, nowMs } = input;
  const found = { revokedNow: 0, revoked: 0, skipped: 0 };
  for (const member of await familyOf(id, input)) {
    const key = await apiKeys.at(store).get(member);
    if (key?.revokedAt && key.revokedAt >= request.requestedAt) found.revoked += 1;
    if (!key || apiKeyStatus(key, nowMs()) !== 'active') continue;
    const mayEnd =
      missingScopes(request.scopes, key.scopes).length === 0 &&
      withinProjects({ projectIds: request.projectIds }, key.projectIds);
    if (mayEnd) {
      await commitPatiently(input, [revokeApiKey(store, key, timestamp(nowMs()))]);
      found.revokedNow += 1;
    } else {
      found.skipped += 1;
    }
  }
  return found;
}

/** @returns the keys that this key created, and theirs, in the order of their generations */
async function familyOf(id: string, { store }: WorkerInput): Promise<string[]> {
  const createdBy = new Map<string, string[]>();
  const from = firstIdAt('apiKey', timeOfId(id) - clockSkewMs);
  const { last: to } = idRangeOf('apiKey');
  for (let after: string | undefined | null; after !== null; ) {
    const { items, next } = await apiKeys
      .at(store)
      .page({ from, to, order: 'oldest', after, limit: pageSize });
    for (const one of items) createdBy.set(one.createdBy, [...(createdBy.get(one.createdBy) ?? []), one.id]);
    after = next;
  }
  const family = [id];
  // The loop also visits what it adds. A key has one creator, so it is added once.
  for (const member of family) family.push(...(createdBy.get(member) ?? []));
  return family.slice(1);
}
