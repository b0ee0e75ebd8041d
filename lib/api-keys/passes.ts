/**
 * Work on the keys and identities below a key or an identity, in turns. "Key" stands for both here. A pass reads all keys that
 * were created after the key, from the oldest to the newest, and stores its position after each page. A pass that has changed
 * something is followed by another pass, because a key may have created a key just before its change. After its change, it can
 * no longer do that as before: a creation is committed with a check that its creator is unchanged.
 */

import { dayMs, ttlSeconds } from '../base/time.ts';
import { checkTurn } from '../workers/turn.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { commitPatiently } from '../workers/writes.ts';
import { earliestBelow } from './family.ts';
import type { StoredCredential } from './store/credentials.ts';
import { pageFrom, positions, putPosition, type Sum } from './store/passes.ts';

/** More passes are needed only if an attacker creates keys as fast as they are changed. Then the notice comes again. */
const maxPasses = 10;

/** A notice is kept for less time. */
const keptMs = 30 * dayMs;
export const ttlOfWork = ({ nowMs }: Pick<WorkerInput, 'nowMs'>): number => ttlSeconds(nowMs() + keptMs);

type Work<Subject> = {
  kind: 'limits' | 'children';
  /** The key whose change is the reason for the work. */
  id: string;
  /** @returns what the passes are for. If its version changes, they begin again. Undefined: nothing is left to do */
  read(): Promise<{ version: string; subject: Subject } | undefined>;
  /**
   * Decides what to do with some keys. It may decide on the same keys again.
   * @returns whether a key will be changed, and the work, which returns the sum with these keys
   */
  decide(
    keys: readonly StoredCredential[],
    subject: Subject,
  ): Promise<{ changes: boolean; act(sum: Sum): Promise<Sum> }>;
  /** @returns whether the end is noted; false if it has to be tried again */
  end(sum: Sum, subject: Subject): Promise<boolean>;
};

/**
 * Several runs may do the same work at the same time. A run that has lost the race for a position goes on at the stored one.
 * @throws TurnOver, or Error if it has to be repeated
 */
export async function inPasses<Subject>(
  { kind, id, read, decide, end }: Work<Subject>,
  input: WorkerInput,
): Promise<void> {
  const items = positions.at(input.store, kind);
  const start = {
    pass: 1,
    from: earliestBelow(id),
    hasChanged: false,
    sum: { revoked: 0, skipped: 0, webhookIds: [] } as Sum,
  };
  for (;;) {
    const found = await read();
    if (!found) return;
    const { version, subject } = found;
    const stored = await items.get(id);
    const { pass, from, hasChanged, sum } = stored?.version === version ? stored : start;
    const save = (changes: Partial<typeof start>) => {
      const position = { id, version, pass, from, hasChanged, sum, ttl: ttlOfWork(input), ...changes };
      return commitPatiently(input, [putPosition(input.store, kind, position, stored)]);
    };
    const { keys, next } = await pageFrom(input.store, from);
    const { changes, act } = await decide(keys, subject);
    if (changes && !hasChanged) {
      // A run that is killed after a change must not forget it.
      await save({ hasChanged: true });
      continue;
    }
    const sumNow = await act(sum);
    if (next !== null) await save({ from: next, sum: sumNow });
    else if (!hasChanged) {
      if (!(await end(sumNow, subject))) continue;
      await commitPatiently(input, [items.remove(id, { condition: { kind: 'any' } })]);
      return;
    } else if (pass < maxPasses) await save({ ...start, pass: pass + 1 });
    else {
      await save(start);
      throw new Error('keys are still being created');
    }
    checkTurn(input);
  }
}
