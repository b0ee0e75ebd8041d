/**
 * Passes a changed limit of a key on to the keys below it. A workload identity counts as a key here. Every key should store the
 * limits that follow from its creator. A pass over the keys that were created after the changed key writes those that differ, and
 * the last pass finds no such key. Runs for several keys may overlap, in any order, because each run that has written reads all
 * of these keys again. A run may be repeated at any time.
 */

import { isDeepStrictEqual } from 'node:util';
import { credentialIn } from '../base/caller.ts';
import type { WorkerInput, Write } from '../workers/worker.ts';
import { commitEach } from '../workers/writes.ts';
import { inPasses } from './passes.ts';
import { inheritedLimits, limitsBelow } from './restrictions.ts';
import { credentials, type StoredCredential, setInheritedLimits } from './store/credentials.ts';
import { creatorsOf } from './store/passes.ts';

/** @throws TurnOver, or Error if it has to be repeated */
export const propagateLimits = (id: string, input: WorkerInput): Promise<void> =>
  inPasses(
    {
      kind: 'limits',
      id,
      async read() {
        const subject = await credentials.at(input.store).get(id);
        return subject && { version: JSON.stringify(limitsBelow(subject)), subject };
      },
      async decide(keys) {
        const writes = await decideLimits(keys, input);
        return { changes: writes.length > 0, act: (sum) => commitEach(input, writes).then(() => sum) };
      },
      end: async () => true,
    },
    input,
  );

/** @returns the writes of the keys whose limits do not follow from their creators */
async function decideLimits(
  keys: readonly StoredCredential[],
  { store }: Pick<WorkerInput, 'store'>,
): Promise<Write[]> {
  // A key whose creator is no longer stored (90 days after its end) keeps its limits.
  const below = new Map((await creatorsOf(store, keys)).map((creator) => [creator.id, limitsBelow(creator)]));
  return keys.flatMap((key) => {
    const above = below.get(credentialIn(key.createdBy));
    const limitedBy = above ? inheritedLimits(above, key.rateLimit) : (key.limitedBy ?? []);
    below.set(key.id, limitsBelow({ ...key, limitedBy }));
    return isDeepStrictEqual(limitedBy, key.limitedBy ?? [])
      ? []
      : [setInheritedLimits(store, key, limitedBy)];
  });
}
