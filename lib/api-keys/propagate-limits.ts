/**
 * Passes a changed limit of a key on to the keys below it. A workload identity counts as a key here. Every key should store the
 * limits that follow from its creator. A pass writes the keys that differ, and the last pass finds no such key. Runs for
 * several keys may overlap, in any order, because each run that has written reads all keys below again. A run may be repeated
 * at any time.
 */

import { isDeepStrictEqual } from 'node:util';
import { credentialIn } from '../base/caller.ts';
import type { KeyLimit } from '../base/rate-limit.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { commitEach } from '../workers/writes.ts';
import { familyOf, type Member } from './family.ts';
import { inheritedLimits, limitsBelow } from './restrictions.ts';
import { credentials, isCredentialId, setInheritedLimits } from './store/credentials.ts';

/** More passes are needed only if somebody creates or changes keys as fast as a pass writes. Then the notice comes again. */
const maxPasses = 10;

/** @throws Error if it has to be repeated */
export async function propagateLimits(id: string, input: WorkerInput): Promise<void> {
  // A key below may have created another key after it was read and before it got the new limit. After that, it cannot create a
  // key with the old limit: a creation is committed with a check that its creator is unchanged.
  for (let pass = 1; (await passOnce(id, input)) > 0; pass += 1) {
    if (pass === maxPasses) throw new Error('the keys are still being changed');
  }
}

/** @returns the number of keys whose limits did not follow from their creators */
async function passOnce(id: string, input: WorkerInput): Promise<number> {
  const items = credentials.at(input.store);
  const key = await items.get(id);
  if (!key) return 0;
  const creatorId = credentialIn(key.createdBy);
  const creator = isCredentialId(creatorId) ? await items.get(creatorId) : undefined;
  // The limits of the keys below, by creator. A key whose creator is no longer stored (90 days after its end) keeps its limits.
  const below = new Map(creator && [[creator.id, limitsBelow(creator)]]);
  const changes: { member: Member; limitedBy: readonly KeyLimit[] }[] = [];
  for (const member of [key, ...(await familyOf(id, input))]) {
    const { createdBy, rateLimit, limitedBy: storedLimits = [] } = member;
    const above = below.get(credentialIn(createdBy));
    const limitedBy = above ? inheritedLimits(above, rateLimit) : storedLimits;
    below.set(member.id, limitsBelow({ ...member, limitedBy }));
    if (!isDeepStrictEqual(limitedBy, storedLimits)) changes.push({ member, limitedBy });
  }
  await commitEach(
    input,
    changes.map(({ member, limitedBy }) => setInheritedLimits(input.store, member, limitedBy)),
  );
  return changes.length;
}
