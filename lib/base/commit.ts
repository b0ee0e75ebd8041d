/** The commit from which a function was built. */

/** An environment variable, and not a constant of the bundle: bundles that have not changed are not uploaded again. */
export const commitVariable = 'COMMIT';

export const unknownCommit = 'unknown';
