/** A caller that uses a method that a path does not support learns which methods the path supports. */

import type { Endpoint } from './types.ts';

/**
 * @param others the endpoints of the path
 * @returns the methods that the path supports, for `Allow`, and the message
 */
export function otherMethod(others: readonly Pick<Endpoint, 'method' | 'otherMethods'>[], method: string) {
  const allowed = others.map((endpoint) => endpoint.method).join(', ');
  const hints = others.flatMap(({ otherMethods }) =>
    Object.entries(otherMethods).flatMap(([other, hint]) => (other === method ? [hint] : [])),
  );
  return { allowed, message: [`This path supports ${allowed}, not ${method}.`, ...hints].join(' ') };
}
