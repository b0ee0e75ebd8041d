/** A process reaches URLs of callers through its network, which is bound at its start (runtime/base-runtime.ts). */

import { secondMs } from '../base/time.ts';
import type { UrlRules } from './addresses.ts';

/** Only development sets this variable. With it, requests may go to this machine, without TLS. */
export const loopbackVariable = 'WEBHOOKS_TO_LOOPBACK';

/** @returns all addresses of a name. @throws Error if it has no address */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<string[]>;

export type Network = UrlRules & {
  resolveName: ResolveName;
  elapsedMs: () => number;
  timeoutMs?: number;
  /** Trusted certificates, for tests. */
  ca?: string;
  /** The real target of a connection to this checked address, for tests. */
  via?: (address: string, port: number) => { address: string; port: number };
};

/** The time limit of a whole request: the name, the connection, the headers and the body. */
export const requestTimeoutMs = 15 * secondMs;

export const sendErrors = [
  'name_not_found',
  'address_not_allowed',
  'connection_failed',
  'tls_failed',
  'timeout',
  'redirect',
  'invalid_response',
] as const;
export type SendError = (typeof sendErrors)[number];

export type Outcome = {
  /** The status is null if there was no response. */
  status: number | null;
  durationMs: number;
  /** The beginning of the response's body, as text. Null if there was no response. */
  body: string | null;
  /** The error is null after a response that is no redirect. */
  error: SendError | null;
  retryAfter: string | undefined;
};

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
