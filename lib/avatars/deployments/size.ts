/** What a caller shortens when the avatars of a deployment are too large for one response. */

import type { ErrorDetail } from '../../base/errors.ts';
import { maxResponseBytes, responseBytes } from '../../base/json.ts';
import type { FrozenAvatar } from './schema.ts';

const maxNamed = 5;

type SizedAvatar = Pick<FrozenAvatar, 'id' | 'name'>;

/** @returns undefined if the avatars fit; otherwise the message, and a detail for each of the largest avatars, with its id as the path */
export function tooLarge(
  avatars: readonly SizedAvatar[],
): { message: string; details: ErrorDetail[] } | undefined {
  const total = responseBytes(avatars);
  if (total <= maxResponseBytes) return undefined;
  const details = avatars
    .map((avatar) => ({ ...avatar, bytes: responseBytes(avatar) }))
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, maxNamed)
    .map(({ id, name, bytes }) => ({ path: id, message: `${name}: ${kilobytes(bytes)}` }));
  const message =
    `The ${avatars.length} active avatars have ${kilobytes(total)} as JSON inside JSON, and a response has at most ` +
    `${kilobytes(maxResponseBytes)}. Archive some avatars, or shorten them. The largest: ` +
    `${details.map((detail) => detail.message).join('; ')}.`;
  return { message, details };
}

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1024)} KB`;
