/** How a process reaches URLs that callers choose. It is bound where the process starts (lib/runtime/base-runtime.ts). */

import { secondMs } from '../base/time.ts';
import type { UrlRules } from './addresses.ts';

/** Set in development only: requests may go to this machine, without TLS. */
export const loopbackVariable = 'WEBHOOKS_TO_LOOPBACK';

/** @returns all addresses of a name. @throws Error if it has no address */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<string[]>;

export type Network = UrlRules & {
  resolveName: ResolveName;
  /** A monotonic clock. */
  elapsedMs: () => number;
  timeoutMs?: number;
  /** Certificates that are trusted, for tests. */
  ca?: string;
  /** Where a connection to this checked address really goes, for tests. */
  via?: (address: string, port: number) => { address: string; port: number };
};

/** Of a whole request: the name, the connection, the headers and the body. */
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

/** The outcome of a request. */
export type Outcome = {
  /** Null if there was no response. */
  status: number | null;
  durationMs: number;
  /** The beginning of the response's body, as text. Null if there was no response. */
  body: string | null;
  /** Null if there was a response that is no redirect. */
  error: SendError | null;
  /** The header of the response. */
  retryAfter: string | undefined;
};
