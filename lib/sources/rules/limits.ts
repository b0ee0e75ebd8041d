/** The sizes and times of a refresh. */

import { dayMs, hourMs, secondMs } from '../../base/time.ts';

export const maxPageBytes = 5 * 1024 * 1024;
/** A longer pause ends the turn. */
export const maxSleepMs = 20 * secondMs;
/** A host that wants a longer pause is not waited for: the refresh ends. */
export const maxPauseMs = hourMs;
/** A host gets no request for as long as it wants, and at most for this time. */
export const maxHostPauseMs = dayMs;
/** A request that fails for a while is repeated this often. */
export const maxRetries = 2;
/** Pages that are added in one transaction. */
export const pagesAtOnce = 30;
export const maxSitemaps = 80;
/** A page, robots.txt and a sitemap may each redirect so often. */
export const maxRedirects = 5;
