/**
 * Which units get the candidate of a rollout. The hash of the rollout and the unit is a fraction of 1. A unit whose fraction is below
 * the percent has the candidate, so it keeps the candidate while the percent rises. Pure. Clients compute the same, so the test vectors
 * in docs/deployments.md bind this file.
 */

import { hash } from 'node:crypto';
import { ulidPattern } from '../base/ids.ts';

export type Variant = 'current' | 'candidate';

/** The unit itself is in no assignment: it may be personal data. */
export type Assignment = {
  rolloutId: string;
  /** The number of the span of constant percent, from 1. */
  span: number;
  variant: Variant;
  /** 16 hexadecimal digits. */
  hash: string;
};

export const maxSpans = 20;

const hashPattern = '[0-9a-f]{16}';
const form = new RegExp(`^(rol_${ulidPattern})\\.([1-9]|1\\d|20)\\.(current|candidate)\\.(${hashPattern})$`);

/** The pattern of an assignment: `<rollout id>.<span>.<variant>.<16 hex digits>`. */
export const assignmentPattern = form;

/** @returns the first 8 bytes, in hex, of SHA-256 over the id of the rollout, a zero byte, and the unit in UTF-8 */
export const unitHash = (rolloutId: string, unit: string): string =>
  hash('sha256', `${rolloutId}\0${unit}`).slice(0, 16);

/** A percent has at most two decimals. */
const percentParts = 10_000n;
const whole = 2n ** 64n;

/** @returns the variant of a unit: the candidate if its hash, as a fraction of 2^64, is below the percent */
export const variantOf = (unitHash: string, percent: number): Variant =>
  BigInt(`0x${unitHash}`) * percentParts < BigInt(Math.round(percent * 100)) * whole
    ? 'candidate'
    : 'current';

type Running = { id: string; span: number; percent: number };

export function assign({ id, span, percent }: Running, unit: string): Assignment {
  const hash = unitHash(id, unit);
  return { rolloutId: id, span, variant: variantOf(hash, percent), hash };
}

export const showAssignment = ({ rolloutId, span, variant, hash }: Assignment): string =>
  `${rolloutId}.${span}.${variant}.${hash}`;

/** @returns undefined for a text of another form */
export function parseAssignment(text: string): Assignment | undefined {
  const [, rolloutId, span, variant, hash] = form.exec(text) ?? [];
  if (rolloutId === undefined || hash === undefined) return undefined;
  return { rolloutId, span: Number(span), variant: variant === 'candidate' ? 'candidate' : 'current', hash };
}

/** @returns whether the rollout has made this assignment: the span exists, and the hash has this variant in it */
export const isConsistent = (
  { spans }: { spans: readonly { percent: number }[] },
  { span, variant, hash }: Assignment,
): boolean => {
  const percent = spans[span - 1]?.percent;
  return percent !== undefined && variantOf(hash, percent) === variant;
};
