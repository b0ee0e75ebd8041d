/** Sends one HTTP request, and reads its body. */

import { ConnectionError, PlatformError, TimeoutError } from './errors.ts';
import type { Fetch } from './options.ts';
import { setTimer, whenAborted } from './timing.ts';

export type Reply = { response: Response; text: string };

/**
 * @param limits `bodyTimeoutMs` begins with the headers: a request that waits may take long, its response may not
 * @throws the signal's reason, `TimeoutError` or `ConnectionError`. A `fetch` that ignores its signal is left behind
 */
export async function attempt(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  limits: {
    timeoutMs: number;
    bodyTimeoutMs: number;
    signal: AbortSignal | undefined;
    redact: (text: string) => string;
  },
): Promise<Reply> {
  const { timeoutMs, bodyTimeoutMs, signal, redact } = limits;
  const limit = limitedBy(signal);
  const timers = [limit.abortAfter(timeoutMs, 'complete response')];
  try {
    const response = await limit.race(fetch(url, { ...init, signal: limit.signal }));
    timers.push(limit.abortAfter(bodyTimeoutMs, 'complete body'));
    const text = await limit.race(response.text());
    return { response, text };
  } catch (error) {
    throw limit.failureFrom(error, redact, url);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    limit.stop();
  }
}

/** The limits of a request: the caller's signal, and times. */
export type Limit = {
  signal: AbortSignal;
  /** Rejects when the signal is aborted, even if the work ignores the signal. */
  race: <Result>(work: Promise<Result>) => Promise<Result>;
  /** @param what names what must come in time, for the error */
  abortAfter: (ms: number, what: string) => ReturnType<typeof setTimeout>;
  /** @returns the error for the caller: why the request to the URL has failed */
  failureFrom: (error: unknown, redact: (text: string) => string, url: string) => unknown;
  /** Ends the work that still runs. */
  abort: () => void;
  /** Stops outerAbort to the signals. */
  stop: () => void;
};

export function limitedBy(outer: AbortSignal | undefined): Limit {
  const controller = new AbortController();
  const { signal } = controller;
  const outerAbort = outer && whenAborted(outer);
  outerAbort?.aborted.catch((reason) => controller.abort(reason));
  const { aborted, stop } = whenAborted(signal);
  return {
    signal,
    race: (work) => Promise.race([work, aborted]),
    abortAfter(ms, what) {
      const timeout = new TimeoutError(`There was no ${what} within ${Math.round(ms)} ms.`);
      return setTimer(() => controller.abort(timeout), ms);
    },
    failureFrom(error, redact, url) {
      if (signal.aborted) return outer?.aborted ? outer.reason : signal.reason;
      return error instanceof PlatformError ? error : connectionError(error, redact, url);
    },
    abort: () => controller.abort(),
    stop() {
      outerAbort?.stop();
      stop();
    },
  };
}

/** Keeps only the messages of the error from `fetch`, because its other fields may contain the request's headers. */
function connectionError(error: unknown, redact: (text: string) => string, url: string): ConnectionError {
  const messages: string[] = [];
  let code: string | undefined;
  for (let cause = error; cause instanceof Error && messages.length < 3; cause = cause.cause) {
    if (cause.message) messages.push(cause.message.trim());
    if ('code' in cause && typeof cause.code === 'string') code = cause.code;
  }
  const reason = messages.join(': ') || 'no reason is known';
  return new ConnectionError(redact(`${reason}.`), code, { address: new URL(url).origin, attempts: 1 });
}
