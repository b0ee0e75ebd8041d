/**
 * aws4fetch signs the few requests that a bucket of S3 needs. No request needs XML, and @aws-sdk/client-s3 would make a bundle
 * larger than the budget.
 */

import { createHash } from 'node:crypto';
import { setTimeout as timer } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { secondMs } from '../base/time.ts';
import { functionClientConfig } from './function-client.ts';

const maxAttempts = 4;
/** Each pause is twice as long as the one before. A part of it is random, so that many functions do not return together. */
const firstPauseMs = 100;
const retryable = new Set([408, 429, 500, 502, 503, 504]);

export type Surroundings = {
  nowMs(): number;
  randomFraction(): number;
  sleep?(ms: number): Promise<unknown>;
  /** The time of one attempt, with the body of the response. */
  attemptMs?: number;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** @throws Error if a variable is missing */
function openBucket(env: Environment, variable: string) {
  const bucket = env[variable];
  if (!bucket) throw new Error(`${variable} is not set`);
  const { region, endpoint, credentials } = functionClientConfig(env, 's3');
  if (!credentials) throw new Error('there are no credentials');
  const url = new URL(endpoint);
  const isOwnEndpoint = Boolean(env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL);
  if (!isOwnEndpoint) url.hostname = `${bucket}.${url.hostname}`;
  const base = isOwnEndpoint ? `${url.origin}/${bucket}` : url.origin;
  return {
    addressOf: (key: string): string => `${base}/${key.split('/').map(encodeURIComponent).join('/')}`,
    settings: { service: 's3', region, ...credentials },
  };
}

/** The form of a time in signatures: `20260301T093000Z`. */
const signingTime = (ms: number) => new Date(ms).toISOString().replace(/[:-]|\.\d{3}/g, '');

const declaresLength = ({ headers }: Response): boolean =>
  headers.has('content-length') || headers.has('transfer-encoding');

type S3Request = { body?: Uint8Array; signal?: AbortSignal; headers?: Record<string, string> };

type S3Response = { status: number; headers: Headers; bytes: Uint8Array };

/**
 * @param env the name of the bucket, region and credentials, and optionally `AWS_ENDPOINT_URL_S3`, with which the bucket is a
 *   part of the path instead of the host. They are read at the first request
 * @param variable the name of the variable with the bucket
 */
export function s3Bucket(
  env: Environment,
  variable: string,
  { nowMs, randomFraction, sleep = timer, attemptMs = 10 * secondMs }: Surroundings,
) {
  let bucket: ReturnType<typeof openBucket> | undefined;
  const open = () => {
    bucket ??= openBucket(env, variable);
    return bucket;
  };

  async function attempt(
    method: string,
    key: string,
    { body, signal, headers: requestHeaders = {} }: S3Request,
  ): Promise<S3Response> {
    const { addressOf, settings } = open();
    const hash = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    const { url, headers } = await new AwsV4Signer({
      ...settings,
      method,
      url: addressOf(key),
      headers: { ...requestHeaders, 'x-amz-content-sha256': hash },
      datetime: signingTime(nowMs()),
    }).sign();
    const timeout = AbortSignal.timeout(attemptMs);
    const response = await fetch(url, {
      method,
      headers,
      // The memory of the body is never shared between threads.
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    // S3 always sends the length. Without it, `fetch` takes a broken connection for the end of the body.
    if (bytes.length > 0 && !declaresLength(response))
      throw new Error('S3 did not say how long its response is');
    return { status: response.status, headers: response.headers, bytes };
  }

  /**
   * All of these requests may be repeated, because they read, remove, or write the same bytes. Errors do not name the key,
   * because logs contain them.
   */
  async function send(method: string, key: string, request: S3Request = {}): Promise<S3Response> {
    // A missing setting is no failure of S3, so it is not retried.
    open();
    for (let count = 1; ; count += 1) {
      const result = await attempt(method, key, request).catch((error: unknown) => ({ error }));
      request.signal?.throwIfAborted();
      const isLast = count === maxAttempts;
      if ('error' in result) {
        if (isLast) throw new Error(`S3 did not answer a ${method}`, { cause: result.error });
      } else if (isLast || !retryable.has(result.status)) {
        return result;
      }
      await sleep(firstPauseMs * 2 ** (count - 1) * (0.5 + randomFraction() / 2));
      request.signal?.throwIfAborted();
    }
  }

  async function presign(
    method: string,
    key: string,
    seconds: number,
    headers: Record<string, string> = {},
  ): Promise<string> {
    const { addressOf, settings } = open();
    const { url } = await new AwsV4Signer({
      ...settings,
      method,
      url: `${addressOf(key)}?X-Amz-Expires=${seconds}`,
      headers,
      datetime: signingTime(nowMs()),
      signQuery: true,
      // By default, the signer leaves the length out.
      allHeaders: true,
    }).sign();
    return url.href;
  }

  /** A file that is already gone is no error. */
  async function remove(key: string): Promise<void> {
    const { status } = await send('DELETE', key);
    if (status !== 204 && status !== 404) throw new Error(`S3 answered a DELETE with ${status}`);
  }

  return { send, remove, presign };
}
