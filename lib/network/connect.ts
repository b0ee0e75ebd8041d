/**
 * A request to a URL of a caller resolves the name once. All of its addresses are checked, and the connection goes to a checked
 * address. The name is not resolved again, so a change of its address has no effect. Each request has a connection of its own.
 * Redirects are not followed.
 */

import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, isIPv4 } from 'node:net';
import { hostOf, isAllowedAddress } from './addresses.ts';
import type { Network, SendError } from './network.ts';

/** A receiver that sends more responses like 100 before its response wastes the sender's time. */
const maxInterimResponses = 10;

export class Failed extends Error {
  readonly error: SendError;
  /** Whether the server may have got the request. */
  readonly isSent: boolean;

  constructor(error: SendError, isSent = true) {
    super(error);
    this.error = error;
    this.isSent = isSent;
  }
}

export const rejectionOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** @returns the address to connect to @throws Failed if one of the addresses is not allowed */
export async function checkedAddress(url: URL, network: Network, signal: AbortSignal): Promise<string> {
  const host = hostOf(url);
  const addresses =
    isIP(host) === 0
      ? await Promise.race([network.resolveName(host, signal), rejectionOf(signal)]).catch(() => {
          throw new Failed('name_not_found', false);
        })
      : [host];
  if (addresses.length === 0) throw new Failed('name_not_found', false);
  if (!addresses.every((address) => isAllowedAddress(address, url, network)))
    throw new Failed('address_not_allowed', false);
  // IPv4 is preferred, because a function outside of a VPC has no IPv6.
  return addresses.find((address) => isIPv4(address)) ?? addresses[0] ?? '';
}

type Exchange = {
  headers: Readonly<Record<string, string>>;
  /** A request without a body is a GET. */
  body?: string;
  network: Network;
  signal: AbortSignal;
};

/** @returns the response, whose body has not been read */
export function exchange(
  url: URL,
  checkedHost: string,
  { headers, body, network, signal }: Exchange,
): Promise<IncomingMessage> {
  const isTls = url.protocol === 'https:';
  const urlPort = Number(url.port || (isTls ? 443 : 80));
  const { address, port } = network.via?.(checkedHost, urlPort) ?? { address: checkedHost, port: urlPort };
  const host = hostOf(url);
  return new Promise((resolve, reject) => {
    let isSecured = !isTls;
    const request = (isTls ? requestHttps : requestHttp)({
      host: address,
      port,
      method: body === undefined ? 'GET' : 'POST',
      path: url.pathname + url.search,
      headers: {
        ...headers,
        host: url.host,
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        connection: 'close',
      },
      // Each request has its own connection. The name is in TLS, and in the certificate that is checked.
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
    // The errors of the parser have codes that start with HPE_.
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (isConnected && !isSecured) return reject(new Failed('tls_failed', false));
      const reason = /^HPE_/.test(error.code ?? '') ? 'invalid_response' : 'connection_failed';
      reject(new Failed(reason, isConnected));
    });
    request.end(body);
  });
}

/**
 * If nothing says how long a body is, Node reports no error when the connection breaks or the signal ends it. Such a body is
 * complete only if the server has closed the connection (RFC 9112, section 8).
 * @throws the reason of the signal, or Failed if the body was cut
 */
export function assertComplete(response: IncomingMessage, signal: AbortSignal): void {
  signal.throwIfAborted();
  if (!response.complete || (endsByClose(response) && response.socket.errored))
    throw new Failed('invalid_response');
}

/** The length of a body follows from RFC 9112, section 6.3. */
function endsByClose({ headers, statusCode }: IncomingMessage): boolean {
  const hasBody = statusCode !== 204 && statusCode !== 304;
  const isChunked = /\bchunked$/i.test(headers['transfer-encoding'] ?? '');
  return hasBody && !isChunked && headers['content-length'] === undefined;
}
