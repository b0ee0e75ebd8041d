/** Rounds of measurements. */

import { watchMachine } from './machine.ts';
import { progress } from './statistics.ts';

/** A ratio needs at least so many pairs. */
export const pairs = 15;

type Rounds = {
  what: string;
  rounds: number;
  warmUps?: number;
  /** After a round, the service's workers are busy for so long. */
  settleMs?: number;
};

/**
 * Measures several ways in turn, and in every second round in the reverse order, so that other load affects all of them.
 * @param what is shown as progress
 * @param warmUps so many rounds come first and are not counted
 */
export async function inTurn<Name extends string, Result>(
  ways: Readonly<Record<Name, () => Promise<Result>>>,
  { what, rounds, warmUps = 1, settleMs }: Rounds,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(ways) as Name[];
  const results: Partial<Record<Name, Result[]>> = {};
  for (const name of names) results[name] = [];
  for (let round = -warmUps; round < rounds; round += 1) {
    progress(`${what}: round ${Math.max(0, round + 1)} of ${rounds}`);
    await watchMachine(settleMs);
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const result = await ways[name]();
      if (round >= 0) results[name]?.push(result);
    }
  }
  return results as Record<Name, Result[]>;
}
