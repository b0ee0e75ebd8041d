/** How many requests may wait at the same time: those of one credential, and those of one tenant. */
export const maxWaitsPerCaller = 10;
export const maxWaitsPerTenant = 50;

/** A function that waits is occupied, and the gateway gives up after 29 seconds. */
export const maxWaitSeconds = 20;
