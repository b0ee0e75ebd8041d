/** What a caller learns who uses a method that a path does not support. */

import type { Endpoint } from './types.ts';

/**
 * @param others the endpoints of the path
 * @returns the methods that the path supports, for `Allow`, and the message
 */
export function otherMethod(others: readonly Pick<Endpoint, 'method' | 'otherMethods'>[], method: string) {
  const allowed = others.map((endpoint) => endpoint.method).join(', ');
  const hints = others.flatMap(({ otherMethods }) =>
    Object.entries(otherMethods).flatMap(([wanted, hint]) => (wanted === method ? [hint] : [])),
  );
  return { allowed, message: [`This path supports ${allowed}, not ${method}.`, ...hints].join(' ') };
}
