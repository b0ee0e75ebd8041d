import { sentNumber } from './common.ts';

/** The maximum number of requests that wait at the same time, per credential and per tenant. */
export const maxWaitsPerCaller = 10;
export const maxWaitsPerTenant = 50;

/** A waiting function is occupied, and the gateway gives up after 29 seconds. */
export const maxWaitSeconds = 20;

/** The schema of the time that a request waits for a change. Its description ends with `waitLimits`. */
export const waitSeconds = sentNumber(/^(\d|1\d|20)$/, [0, maxWaitSeconds], 0);

export const waitLimits =
  `At most ${maxWaitsPerCaller} requests per credential and ${maxWaitsPerTenant} per ` +
  'organisation and mode can wait. A further request gets its response at once, with `Retry-After`.';
