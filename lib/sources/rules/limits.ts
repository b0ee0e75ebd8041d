/** The sizes and times of a refresh. */

import { dayMs, hourMs, minuteMs, secondMs } from '../../base/time.ts';

export const maxPageBytes = 5 * 1024 * 1024;
/** As much as an upload of a document may have. */
export const maxFileBytes = 25 * 1024 * 1024;
/** A file that comes has so many times the time of a page, in addition. */
export const fileTimes = 2;
/** A file that has ended the process of its refresh so often is not read again in this refresh. */
export const maxStarts = 2;
/** A longer pause ends the turn. */
export const maxSleepMs = 2 * secondMs;
/** A host that wants a longer pause, or has given no answer in longer pauses together, is not waited for: the refresh ends. */
export const maxPauseMs = hourMs;
const firstSilenceMs = 30 * secondMs;
const maxSilenceMs = 15 * minuteMs;

/**
 * @param silentMs the pauses so far of a host that gives no answer
 * @param fraction a random number from 0 to below 1: hosts that fall silent together are asked again one by one
 * @returns the next pause, about twice as long as the last one
 */
export const silencePauseMs = (silentMs: number, fraction: number): number =>
  Math.min(firstSilenceMs + silentMs, maxSilenceMs) * (1 + fraction);
/** A host gets no request for as long as it wants, and at most for this time. */
export const maxHostPauseMs = dayMs;
/** A request that fails for a while is repeated this often. */
export const maxRetries = 2;
/** Pages that are added in one transaction. */
export const pagesAtOnce = 30;
export const maxSitemaps = 80;
/** A page, robots.txt and a sitemap may each redirect so often. */
export const maxRedirects = 5;
