/**
 * A request is sent again after the errors, the delays and within the quota of the SDK's own strategy. No clock is corrected: Lambda's
 * is right.
 */

import { isThrottlingError, isTransientError, StandardRetryStrategy } from '@smithy/core/retry';
import { abortError, type HttpResponse } from './http.ts';

/** The SDK has the same delay for DynamoDB. */
const firstDelayMs = 25;

export type Tries = { attempts: number; totalRetryDelay: number };

type SdkError = Parameters<typeof isTransientError>[0];

type Request<Output> = {
  /** @param attempt from 1 */
  send: (attempt: number, maxAttempts: number) => Promise<HttpResponse>;
  /** @throws the error that the response says */
  read: (response: HttpResponse) => Output;
  signal: AbortSignal | undefined;
};

export type Retries = { maxAttempts: number; strategy: StandardRetryStrategy };

/** The requests of a client share it, because they share a quota of retries. */
export const openRetries = (maxAttempts: number): Retries => ({
  maxAttempts,
  strategy: new StandardRetryStrategy({ maxAttempts, baseDelay: firstDelayMs }),
});

/** @throws the error of the last attempt, with the number of attempts in `$metadata`; or `AbortError` */
export async function sendWithRetries<Output>(
  { maxAttempts, strategy }: Retries,
  { send, read, signal }: Request<Output>,
): Promise<{ output: Output; tries: Tries }> {
  if (signal?.aborted) throw abortError();
  const tries: Tries = { attempts: 1, totalRetryDelay: 0 };
  let token = await strategy.acquireInitialRetryToken('');
  for (;;) {
    let response: HttpResponse | undefined;
    try {
      response = await send(tries.attempts, maxAttempts);
      const output = read(response);
      strategy.recordSuccess(token);
      return { output, tries };
    } catch (thrown) {
      const error = thrown as SdkError;
      const next = strategy.refreshRetryTokenForRetry(token, failureOf(error, response));
      const refused = () => {
        throw Object.assign(error, { $metadata: { ...error.$metadata, ...tries } });
      };
      token = await orAborted(next.catch(refused), signal);
      tries.attempts += 1;
      tries.totalRetryDelay += token.$retryLog?.acquisitionDelay ?? 0;
    }
  }
}

function failureOf(error: SdkError, response: HttpResponse | undefined) {
  const retryAfterHint = response && retryAfter(response.headers, Date.now());
  return { error, errorType: errorTypeOf(error), ...(retryAfterHint && { retryAfterHint }) };
}

function errorTypeOf(error: SdkError): 'THROTTLING' | 'TRANSIENT' | 'CLIENT_ERROR' {
  if (isThrottlingError(error)) return 'THROTTLING';
  return isTransientError(error) ? 'TRANSIENT' : 'CLIENT_ERROR';
}

/** @returns the time before which a response asks for no other request, if it does */
export function retryAfter(headers: HttpResponse['headers'], nowMs: number): Date | undefined {
  const ms = headers['x-amz-retry-after'];
  const after = headers['retry-after'];
  const afterMs =
    after && /^\d+(\.\d+)?$/.test(after) ? nowMs + Number(after) * 1000 : Date.parse(after ?? '');
  const atMs = ms === undefined ? afterMs : nowMs + Number(ms);
  return Number.isNaN(atMs) ? undefined : new Date(atMs);
}

/** @throws AbortError as soon as the signal says so */
function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(abortError());
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
