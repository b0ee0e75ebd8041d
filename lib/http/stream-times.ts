/** How long a streamed response takes. */

import { secondMs } from '../base/time.ts';

/** A stream ends by itself after this time, from the start of the request. The client resumes it. */
export const maxStreamSeconds = 100;

/** The timeout of a function that streams events: the last reads of a stream may take three attempts of three seconds, twice. */
export const streamTimeoutSeconds = 120;

/** The lease of a stream is longer than the timeout of its function. */
export const streamLeaseMs = 130 * secondMs;
