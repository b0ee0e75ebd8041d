/** Resolves names in the public DNS. */

import { secondMs } from '../base/time.ts';
import type { ResolveName } from './network.ts';

const resolverOptions = { timeout: 2 * secondMs, tries: 2 };

/**
 * Asks the name servers of the system. Unlike `dns.lookup`, it needs no thread: a name whose servers do not respond delays no
 * other name.
 */
export const resolveName: ResolveName = async (name, signal) => {
  // In development. In production, a check has refused the URL.
  if (name === 'localhost') return ['127.0.0.1'];
  // Every function has a network, and few use it.
  const { Resolver } = await import('node:dns/promises');
  signal.throwIfAborted();
  const resolver = new Resolver(resolverOptions);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (addresses.length === 0) throw new Error('the name has no address');
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};
