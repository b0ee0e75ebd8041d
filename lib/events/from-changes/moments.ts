/** At these times something happens to a resource without a change by anybody, such as an expiry. Pure. */

import type { ApiKey } from '../../api-keys/schema.ts';
import { dayMs } from '../../base/time.ts';
import type { EventType } from '../types.ts';

export type Moment = { type: EventType; atMs: number };

export const maxNoticeMs = 7 * dayMs;
const noticeShare = 10;

/** @returns the moments of an API key, in order; empty if it does not expire or is revoked */
export function momentsOf({
  createdAt,
  expiresAt,
  revokedAt,
}: Pick<ApiKey, 'createdAt' | 'expiresAt' | 'revokedAt'>): Moment[] {
  if (expiresAt === null || revokedAt !== null) return [];
  const endMs = Date.parse(expiresAt);
  const lifeMs = endMs - Date.parse(createdAt);
  const noticeMs = Math.min(maxNoticeMs, Math.floor(lifeMs / noticeShare));
  return [
    { type: 'api_key.expiring', atMs: endMs - noticeMs },
    { type: 'api_key.expired', atMs: endMs },
  ];
}

/** @returns the latest moment that has come, and the next one */
export const around = (
  moments: readonly Moment[],
  nowMs: number,
): { latest: Moment | undefined; next: Moment | undefined } => ({
  latest: moments.findLast(({ atMs }) => atMs <= nowMs),
  next: moments.find(({ atMs }) => atMs > nowMs),
});
