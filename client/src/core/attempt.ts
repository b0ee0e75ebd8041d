/** One HTTP request, until its body has been read. */

import { ConnectionError, TimeoutError } from './errors.ts';
import type { Fetch } from './options.ts';
import { whenAborted } from './timing.ts';

export type Reply = { response: Response; text: string };

/**
 * @throws the signal's reason, `TimeoutError` or `ConnectionError`. A `fetch` that ignores its signal is left behind.
 */
export async function attempt(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  limits: { timeoutMs: number; signal: AbortSignal | undefined; redact: (text: string) => string },
): Promise<Reply> {
  const { timeoutMs, signal, redact } = limits;
  const controller = new AbortController();
  const timeout = new TimeoutError(`There was no complete response within ${Math.round(timeoutMs)} ms.`);
  const timer = setTimeout(() => controller.abort(timeout), timeoutMs);
  const outer = signal && whenAborted(signal);
  outer?.aborted.catch((reason) => controller.abort(reason));
  const { aborted, stop } = whenAborted(controller.signal);
  try {
    const response = await Promise.race([fetch(url, { ...init, signal: controller.signal }), aborted]);
    const text = await Promise.race([response.text(), aborted]);
    return { response, text };
  } catch (error) {
    signal?.throwIfAborted();
    throw controller.signal.aborted ? timeout : connectionError(error, redact);
  } finally {
    clearTimeout(timer);
    outer?.stop();
    stop();
  }
}

/** Of what `fetch` threw, only the messages: the rest may contain the request's headers. */
function connectionError(error: unknown, redact: (text: string) => string): ConnectionError {
  const messages: string[] = [];
  let code: string | undefined;
  for (let one: unknown = error; one instanceof Error && messages.length < 3; one = one.cause) {
    if (one.message) messages.push(one.message);
    if ('code' in one && typeof one.code === 'string') code = one.code;
  }
  const reason = messages.join(': ') || 'no reason is known';
  return new ConnectionError(redact(`The request failed: ${reason}.`), code);
}
