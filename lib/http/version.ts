import manifest from '../../package.json' with { type: 'json' };

/** The service's version: package.json's. */
export const version: string = manifest.version;
