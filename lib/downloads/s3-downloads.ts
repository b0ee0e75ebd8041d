import { type Environment, type Surroundings, s3Bucket } from '../runtime/s3.ts';
import { type DownloadStore, downloadsVariable } from './types.ts';

/** `sam local` has no bucket, so it keeps no earlier releases. */
export const noBucket = 'no-bucket';

const noStore: DownloadStore = {
  read: async () => undefined,
  write: async () => true,
  remove: async () => {},
};

/** @param env see `s3Bucket` */
export function s3Downloads(env: Environment, surroundings: Surroundings): DownloadStore {
  if (env[downloadsVariable] === noBucket) return noStore;
  const { send, remove } = s3Bucket(env, downloadsVariable, surroundings);
  return {
    async read(name) {
      const { status, headers, bytes } = await send('GET', name);
      // S3 answers 403 for a missing file if the caller may not list the bucket.
      if (status === 404 || status === 403) return undefined;
      if (status !== 200) throw new Error(`S3 answered a GET with ${status}`);
      return { bytes, version: headers.get('etag') ?? '' };
    },
    async write(name, body, ifVersion) {
      // The conditions are from "How to prevent object overwrites with conditional writes", Amazon S3 User Guide.
      const headers: Record<string, string> =
        ifVersion === undefined ? { 'if-none-match': '*' } : { 'if-match': ifVersion };
      const { status } = await send('PUT', name, { body, headers });
      // A 409 means that another conditional write is under way.
      if (status === 412 || status === 409) return false;
      if (status !== 200) throw new Error(`S3 answered a PUT with ${status}`);
      return true;
    },
    remove,
  };
}
