/** The maximum number of requests that wait at the same time, per credential and per tenant. */
export const maxWaitsPerCaller = 10;
export const maxWaitsPerTenant = 50;

/** A waiting function is occupied, and the gateway gives up after 29 seconds. */
export const maxWaitSeconds = 20;
