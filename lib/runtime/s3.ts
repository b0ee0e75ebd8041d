/**
 * A bucket of S3. aws4fetch signs the few requests that are needed: no request needs XML, and @aws-sdk/client-s3 would make a
 * bundle larger than the budget.
 */

import { createHash } from 'node:crypto';
import { setTimeout as timer } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { secondMs } from '../base/time.ts';
import { functionClientConfig } from './function-client.ts';

const maxAttempts = 4;
/**
 * The first pause; each further pause is twice as long. A part of it is random, so that many functions do not return together.
 */
const firstPauseMs = 100;
const retryable = new Set([408, 429, 500, 502, 503, 504]);

export type Surroundings = {
  nowMs(): number;
  /** A number from 0 to below 1. */
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

/** A time as signatures have it: `20260301T093000Z`. */
const signingTime = (ms: number) => new Date(ms).toISOString().replace(/[:-]|\.\d{3}/g, '');

const saysWhereItEnds = ({ headers }: Response): boolean =>
  headers.has('content-length') || headers.has('transfer-encoding');

type S3Request = { body?: Uint8Array; signal?: AbortSignal; headers?: Record<string, string> };

type S3Response = { status: number; headers: Headers; bytes: Uint8Array };

/**
 * @param env the name of the bucket, region and credentials, and optionally `AWS_ENDPOINT_URL_S3`: then the bucket is a part
 *   of the path instead of the host. They are read at the first request
 * @param variable names the bucket
 */
export function s3Bucket(
  env: Environment,
  variable: string,
  { nowMs, randomFraction, sleep = timer, attemptMs = 10 * secondMs }: Surroundings,
) {
  let opened: ReturnType<typeof openBucket> | undefined;
  const open = () => {
    opened ??= openBucket(env, variable);
    return opened;
  };

  /** One attempt. @throws Error if there was no complete response in time */
  async function attempt(
    method: string,
    key: string,
    { body, signal, headers: added = {} }: S3Request,
  ): Promise<S3Response> {
    const { addressOf, settings } = open();
    const hash = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    const { url, headers } = await new AwsV4Signer({
      ...settings,
      method,
      url: addressOf(key),
      headers: { ...added, 'x-amz-content-sha256': hash },
      datetime: signingTime(nowMs()),
    }).sign();
    const timeout = AbortSignal.timeout(attemptMs);
    const response = await fetch(url, {
      method,
      headers,
      // Its memory is never shared between threads.
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    // S3 always says it. Without it, `fetch` takes a broken connection for the end of the body.
    if (bytes.length > 0 && !saysWhereItEnds(response))
      throw new Error('S3 did not say how long its response is');
    return { status: response.status, headers: response.headers, bytes };
  }

  /**
   * All of these requests may be repeated: they read, remove, or write the same bytes. Errors do not name the key, because logs
   * contain them.
   */
  async function send(method: string, key: string, request: S3Request = {}): Promise<S3Response> {
    // A setting that is missing is no failure of S3.
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
      // Also the length, which it would leave out.
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
