/** The attempts of a delivery, as they are stored. Pure. */

import type { Outcome } from '../../network/network.ts';
import type { Delivery } from '../schema/delivery.ts';

export type Attempt = Delivery['attempts'][number];

const maxKept = 20;
/** The bodies of all attempts have at most so many bytes, so that a delivery stays small. The oldest bodies are dropped. */
const maxBodyBytes = 64 * 1024;

/** @returns the attempts, with an attempt that begins now */
export const withBegun = (attempts: readonly Attempt[], at: string): Attempt[] =>
  [...attempts, { at, status: null, durationMs: null, body: null, error: 'interrupted' as const }].slice(
    -maxKept,
  );

/** @returns the attempts, with the outcome of the last attempt */
export function withOutcome(
  attempts: readonly Attempt[],
  { status, durationMs, body, error }: Outcome,
): Attempt[] {
  const last = attempts.at(-1);
  if (!last) return [];
  let remainingBytes = maxBodyBytes;
  return [...attempts.slice(0, -1), { ...last, status, durationMs, body, error }]
    .toReversed()
    .map((attempt) => {
      remainingBytes -= Buffer.byteLength(attempt.body ?? '');
      return remainingBytes < 0 ? { ...attempt, body: null } : attempt;
    })
    .toReversed();
}

/** @returns whether the attempt has not ended, or was interrupted */
export const isOpen = (attempt: Attempt | undefined): attempt is Attempt => attempt?.error === 'interrupted';

export const isSuccess = ({ status, error }: Pick<Outcome, 'status' | 'error'>): boolean =>
  error === null && status !== null && status >= 200 && status < 300;
