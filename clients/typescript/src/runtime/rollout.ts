/**
 * Which variant of a rollout a unit gets, as the service computes it: a session of each user costs no request. docs/deployments.md has
 * the algorithm and its test vectors.
 */

import type { EnvironmentRollout } from '../generated/types.ts';

export type Assigned = {
  variant: 'current' | 'candidate';
  /** What the conversation is created with. It does not contain the unit. */
  assignment: string;
};

/** A percent has at most two decimals. */
const percentParts = 10_000n;
const whole = 2n ** 64n;

export async function assign(
  { id, span, percent }: Pick<EnvironmentRollout, 'id' | 'span' | 'percent'>,
  unit: string,
): Promise<Assigned> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${id}\0${unit}`));
  const first = new DataView(digest).getBigUint64(0);
  const hasCandidate = first * percentParts < BigInt(Math.round(percent * 100)) * whole;
  const variant = hasCandidate ? 'candidate' : 'current';
  const hash = first.toString(16).padStart(16, '0');
  return { variant, assignment: `${id}.${span}.${variant}.${hash}` };
}
