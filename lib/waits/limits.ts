/** How many requests may wait at the same time: those of one credential, and those of one tenant. */
export const maxWaitsPerCaller = 10;
export const maxWaitsPerTenant = 50;
