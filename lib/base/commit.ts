/** The commit is an environment variable, not a constant of the bundle, so that unchanged bundles are not uploaded again. */
export const commitVariable = 'COMMIT';

export const unknownCommit = 'unknown';
