import { secondMs } from '../base/time.ts';
import type { ResolveName } from './network.ts';

const resolverOptions = { timeout: 2 * secondMs, tries: 2 };

/** Asks the name servers. `dns.lookup` needs a thread, so a name whose servers do not respond would delay other names. */
export const resolveName: ResolveName = async (name, signal) => {
  // Only development gets here. In production, a check has refused the URL.
  if (name === 'localhost') return ['127.0.0.1'];
  // The resolver is loaded on demand, because every function has a network, and few use it.
  const { Resolver } = await import('node:dns/promises');
  signal.throwIfAborted();
  const resolver = new Resolver(resolverOptions);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (addresses.length === 0) throw new Error('the name has no address');
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};
