import { type Files, filesVariable } from '../base/files.ts';
import { type Environment, type Surroundings, s3Bucket } from './s3.ts';

/** @param env see `s3Bucket` */
export function s3Files(env: Environment, surroundings: Surroundings): Files {
  const { send, remove, presign } = s3Bucket(env, filesVariable, surroundings);
  return {
    async put(key, body, signal) {
      const { status } = await send('PUT', key, { body, ...(signal && { signal }) });
      if (status !== 200) throw new Error(`S3 answered a PUT with ${status}`);
    },
    remove,
    async read(key, from, length) {
      const headers = { range: `bytes=${from}-${from + length - 1}` };
      const { status, headers: received, bytes } = await send('GET', key, { headers });
      // S3 answers 403 for a missing file if the caller may not list the bucket, and 416 for an empty file.
      if (status === 404 || status === 403 || status === 416) return undefined;
      const size = /\/(\d+)$/.exec(received.get('content-range') ?? '')?.[1];
      if (status !== 206 || size === undefined) throw new Error(`S3 answered a GET with ${status}`);
      return { bytes, size: Number(size), version: received.get('etag') ?? '' };
    },
    link: (key, seconds) => presign('GET', key, seconds),
    // The length is signed, so S3 accepts no other.
    uploadLink: (key, seconds, bytes) => presign('PUT', key, seconds, { 'content-length': String(bytes) }),
  };
}
