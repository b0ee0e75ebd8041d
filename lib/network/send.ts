import type { IncomingMessage } from 'node:http';
import { assertComplete, checkedAddress, exchange, Failed, rejectionOf } from './connect.ts';
import { type Network, type Outcome, requestTimeoutMs, type SendError } from './network.ts';

/** The size of the kept part of a response. */
export const maxResponseBytes = 16 * 1024;
/** At most so many bytes are read of a response that does not say how long it is. */
const maxReadBytes = 1024 * 1024;

/** @returns the outcome. It never throws, and the request is not under way any more */
export async function send(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  network: Network,
): Promise<Outcome> {
  const begunMs = network.elapsedMs();
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), network.timeoutMs ?? requestTimeoutMs);
  const responseInfo: { status: number | null; retryAfter: string | undefined } = {
    status: null,
    retryAfter: undefined,
  };
  const outcome = (text: string | null, error: SendError | null): Outcome => ({
    ...responseInfo,
    durationMs: Math.round(network.elapsedMs() - begunMs),
    body: text,
    error,
  });
  try {
    const address = await checkedAddress(url, network, controller.signal);
    const response = await exchange(url, address, { headers, body, network, signal: controller.signal });
    const { statusCode = 0, headers: responseHeaders } = response;
    responseInfo.status = statusCode;
    responseInfo.retryAfter = responseHeaders['retry-after'];
    const text = await readBeginning(response, controller.signal);
    return outcome(text, statusCode >= 300 && statusCode < 400 ? 'redirect' : null);
  } catch (fault) {
    if (controller.signal.aborted) return outcome(null, 'timeout');
    return outcome(null, fault instanceof Failed ? fault.error : 'invalid_response');
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

/**
 * Only a complete response is a success. A response with a `Content-Length` says where it ends, so the rest of a long response
 * is not read. Any other response must end, so its rest is read, but not kept. After 1 MB the response is not read any more,
 * and its time runs out.
 * @returns at most 16 KB of the body, as text. The connection is closed
 */
async function readBeginning(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const declaresLength = response.headers['content-length'] !== undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  const beginning = () => Buffer.concat(chunks).subarray(0, maxResponseBytes).toString('utf8');
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (bytes < maxResponseBytes) chunks.push(chunk);
    bytes += chunk.length;
    // The end of the loop closes the connection.
    if (declaresLength && bytes >= maxResponseBytes) return beginning();
    if (bytes > maxReadBytes) await rejectionOf(signal);
  }
  assertComplete(response, signal);
  response.destroy();
  return beginning();
}
