/** The events that hooks get. They never have headers, bodies or the key, so an event can be logged as it is. */

import type { PlatformError } from './errors.ts';

export type RequestEvent = {
  method: string;
  /** The URL with the query. */
  url: string;
  /** The number of the attempt: 1, 2, 3 … */
  attempt: number;
};

export type ResponseEvent = RequestEvent & {
  status: number;
  requestId: string | undefined;
  /** The time from the request to the end of the body. */
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
