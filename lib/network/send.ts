/**
 * Sends one request to a receiver. The name is resolved once, all of its addresses are checked, and the connection goes to a
 * checked address: it is not resolved again, so a name that changes its address meanwhile changes nothing. Each request has a
 * connection of its own. Redirects are not followed.
 */

import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, isIPv4 } from 'node:net';
import { hostOf, isAllowedAddress } from './addresses.ts';
import { type Network, type Outcome, requestTimeoutMs, type SendError } from './network.ts';

/** The size of the kept part of a response. */
export const maxResponseBytes = 16 * 1024;
/** The most that is read of a response that does not say how long it is. The rest is not read. */
const maxReadBytes = 1024 * 1024;

/** A receiver that sends more responses like 100 before its response wastes the sender's time. */
const maxInterimResponses = 10;

class Failed extends Error {
  readonly error: SendError;

  constructor(error: SendError) {
    super(error);
    this.error = error;
  }
}

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
  const seen: { status: number | null; retryAfter: string | undefined } = {
    status: null,
    retryAfter: undefined,
  };
  const outcome = (text: string | null, error: SendError | null): Outcome => ({
    ...seen,
    durationMs: Math.round(network.elapsedMs() - begunMs),
    body: text,
    error,
  });
  try {
    const address = await checkedAddress(url, network, controller.signal);
    const response = await exchange(url, address, { headers, body, network, signal: controller.signal });
    const { statusCode = 0, headers: received } = response;
    seen.status = statusCode;
    seen.retryAfter = received['retry-after'];
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

/** Rejects when the time is over. */
const rejectionOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** @returns the address to connect to @throws Failed if one of the addresses is not allowed */
async function checkedAddress(url: URL, network: Network, signal: AbortSignal): Promise<string> {
  const host = hostOf(url);
  const addresses =
    isIP(host) === 0
      ? await Promise.race([network.resolveName(host, signal), rejectionOf(signal)]).catch(() => {
          throw new Failed('name_not_found');
        })
      : [host];
  if (addresses.length === 0) throw new Failed('name_not_found');
  if (!addresses.every((address) => isAllowedAddress(address, url, network)))
    throw new Failed('address_not_allowed');
  // A function outside of a VPC has no IPv6.
  return addresses.find((address) => isIPv4(address)) ?? addresses[0] ?? '';
}

type Exchange = {
  headers: Readonly<Record<string, string>>;
  body: string;
  network: Network;
  signal: AbortSignal;
};

/** Sends the request to the address. @returns the response, whose body has not been read */
function exchange(
  url: URL,
  checked: string,
  { headers, body, network, signal }: Exchange,
): Promise<IncomingMessage> {
  const isTls = url.protocol === 'https:';
  const ownPort = Number(url.port || (isTls ? 443 : 80));
  const { address, port } = network.via?.(checked, ownPort) ?? { address: checked, port: ownPort };
  const host = hostOf(url);
  return new Promise((resolve, reject) => {
    let isSecured = !isTls;
    const request = (isTls ? requestHttps : requestHttp)({
      host: address,
      port,
      method: 'POST',
      path: url.pathname + url.search,
      headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body), connection: 'close' },
      // A connection of its own. The name is in TLS, and in the certificate that is checked.
      agent: false,
      ...(isTls && { servername: isIP(host) === 0 ? host : '' }),
      ...(network.ca !== undefined && { ca: network.ca }),
      signal,
    });
    let isConnected = false;
    request.once('socket', (socket) => {
      socket.once('connect', () => {
        isConnected = true;
      });
      socket.once('secureConnect', () => {
        isSecured = true;
      });
    });
    request.once('response', resolve);
    let interim = 0;
    request.on('information', () => {
      interim += 1;
      if (interim <= maxInterimResponses) return;
      reject(new Failed('invalid_response'));
      request.destroy();
    });
    request.once('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Failed('invalid_response'));
    });
    // A parser's error has a code that starts with HPE_.
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (isConnected && !isSecured) reject(new Failed('tls_failed'));
      else reject(new Failed(/^HPE_/.test(error.code ?? '') ? 'invalid_response' : 'connection_failed'));
    });
    request.end(body);
  });
}

/**
 * Only a complete response is a success. A response with a `Content-Length` says where it ends, so the rest of a long response
 * is not read. Any other response must end: its rest is read, but not kept. After 1 MB it is not read any more, and its time
 * runs out.
 * @returns at most 16 KB of the body, as text. The connection is closed
 */
async function readBeginning(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const saysItsLength = response.headers['content-length'] !== undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (bytes < maxResponseBytes) chunks.push(chunk);
    bytes += chunk.length;
    if (saysItsLength && bytes >= maxResponseBytes) break;
    if (bytes > maxReadBytes) await rejectionOf(signal);
  }
  response.destroy();
  return Buffer.concat(chunks).subarray(0, maxResponseBytes).toString('utf8');
}
