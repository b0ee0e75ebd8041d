/** What hooks are told. Never headers, bodies or the key: an event can be logged as it is. */

import type { PlatformError } from './errors.ts';

export type RequestEvent = {
  method: string;
  /** With the query. */
  url: string;
  /** 1, 2, 3 … */
  attempt: number;
};

export type ResponseEvent = RequestEvent & {
  status: number;
  requestId: string | undefined;
  /** From the request to the end of the body. */
  durationMs: number;
  /** The header `Deprecation` (RFC 9745), if the operation will be removed. */
  deprecation: string | undefined;
  /** The header `Sunset` (RFC 8594): when it will be removed. */
  sunset: string | undefined;
};

export type RetryEvent = RequestEvent & {
  /** Why the attempt failed. */
  error: PlatformError;
  /** The pause before the next attempt. */
  delayMs: number;
};
