import manifest from '../../package.json' with { type: 'json' };

/** The version of the service, from package.json. */
export const version: string = manifest.version;
