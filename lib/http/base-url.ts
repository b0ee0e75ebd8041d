import type { Call } from './call.ts';
import type { Endpoint } from './types.ts';

/** A gateway on the caller's own machine has no TLS. */
const isLocal = (host: string): boolean =>
  /^(127\.0\.0\.1|\[::1\]|([a-z0-9-]+\.)*localhost)(:\d+)?$/i.test(host);

/** @returns the base URL, without a slash at its end; without a host, only its path */
export function baseUrlOf(
  { path: pattern }: Pick<Endpoint, 'path'>,
  { host, path }: Pick<Call, 'host' | 'path'>,
): string {
  const below = pattern.split('/').length - 1;
  const base = path.split('/').slice(0, -below).join('/');
  return host === undefined ? base : `${isLocal(host) ? 'http' : 'https'}://${host}${base}`;
}
