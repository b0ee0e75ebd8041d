/** One HTTP request, until its body has been read. */

import { ConnectionError, TimeoutError } from './errors.ts';
import type { Fetch } from './options.ts';
import { setTimer, whenAborted } from './timing.ts';

export type Reply = { response: Response; text: string };

/**
 * @param limits `bodyTimeoutMs` begins with the headers: a request that waits may take long, its response may not
 * @throws the signal's reason, `TimeoutError` or `ConnectionError`. A `fetch` that ignores its signal is left behind.
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
  const controller = new AbortController();
  const abortAfter = (ms: number, what: string) => {
    const timeout = new TimeoutError(`There was no ${what} within ${Math.round(ms)} ms.`);
    return setTimer(() => controller.abort(timeout), ms);
  };
  const timers = [abortAfter(timeoutMs, 'complete response')];
  const outer = signal && whenAborted(signal);
  outer?.aborted.catch((reason) => controller.abort(reason));
  const { aborted, stop } = whenAborted(controller.signal);
  try {
    const response = await Promise.race([fetch(url, { ...init, signal: controller.signal }), aborted]);
    timers.push(abortAfter(bodyTimeoutMs, 'complete body'));
    const text = await Promise.race([response.text(), aborted]);
    return { response, text };
  } catch (error) {
    signal?.throwIfAborted();
    throw controller.signal.aborted ? controller.signal.reason : connectionError(error, redact);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    outer?.stop();
    stop();
  }
}

/** Of what `fetch` threw, only the messages: the rest may contain the request's headers. */
function connectionError(error: unknown, redact: (text: string) => string): ConnectionError {
  const messages: string[] = [];
  let code: string | undefined;
  for (let one: unknown = error; one instanceof Error && messages.length < 3; one = one.cause) {
    if (one.message) messages.push(one.message.trim());
    if ('code' in one && typeof one.code === 'string') code = one.code;
  }
  const reason = messages.join(': ') || 'no reason is known';
  return new ConnectionError(redact(`The request failed: ${reason}.`), code);
}
