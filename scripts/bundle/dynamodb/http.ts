/** HTTP requests to one endpoint, over connections that are kept. */

import http from 'node:http';
import https from 'node:https';

export type HttpResponse = {
  readonly statusCode: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
};

export type Post = (
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  signal: AbortSignal | undefined,
) => Promise<HttpResponse>;

/** Milliseconds. Without them, a request waits. */
export type Timeouts = {
  /** Until there is a connection. */
  connectionTimeout?: number | undefined;
  /** Until the head of the response. */
  requestTimeout?: number | undefined;
};

/** As many as the SDK has. Further requests wait for a connection. */
const maxSockets = 50;

/** A lost connection has the name of a timeout, as in the SDK. */
const lostCodes = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'];

export const abortError = (): Error => Object.assign(new Error('Request aborted'), { name: 'AbortError' });

const timeoutError = (message: string) =>
  Object.assign(new Error(message), { name: 'TimeoutError', code: 'ETIMEDOUT' });

/**
 * @returns a function that posts to the root of the endpoint. It throws an error of the connection, with the code of Node;
 *   `TimeoutError`; or `AbortError`
 */
export function openHttp(endpoint: URL, { connectionTimeout, requestTimeout }: Timeouts): Post {
  const { Agent, request } = endpoint.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets });
  const target = {
    agent,
    method: 'POST',
    // A URL has brackets around an IPv6 address.
    host: endpoint.hostname.replaceAll(/[[\]]/g, ''),
    port: endpoint.port,
  };

  return (headers, body, signal) =>
    new Promise((resolve, reject) => {
      // A signal that has aborted says so to nobody again.
      if (signal?.aborted) return reject(abortError());
      const posted = request({ ...target, headers });
      const fail = (error: NodeJS.ErrnoException) => {
        posted.destroy();
        reject(lostCodes.includes(error.code ?? '') ? Object.assign(error, { name: 'TimeoutError' }) : error);
      };
      const failAfter = (ms: number | undefined, what: string) =>
        ms ? setTimeout(() => fail(timeoutError(`no ${what} within ${ms} ms`)), ms) : undefined;
      const connecting = failAfter(connectionTimeout, 'connection to DynamoDB');
      const waiting = failAfter(requestTimeout, 'response of DynamoDB');
      const abort = () => fail(abortError());
      signal?.addEventListener('abort', abort, { once: true });
      posted.once('close', () => {
        clearTimeout(connecting);
        clearTimeout(waiting);
        signal?.removeEventListener('abort', abort);
      });
      posted.once('socket', (socket) => {
        if (socket.connecting) socket.once('connect', () => clearTimeout(connecting));
        else clearTimeout(connecting);
      });
      posted.on('error', fail);
      posted.once('response', (response) => {
        clearTimeout(waiting);
        readBody(response).then(
          (text) => resolve({ statusCode: response.statusCode ?? 0, headers: response.headers, body: text }),
          reject,
        );
      });
      posted.end(body);
    });
}

/** @throws Error with the code ECONNRESET if the connection ends before the body does */
const readBody = (response: http.IncomingMessage) =>
  new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk) => chunks.push(chunk));
    response.on('end', () => resolve(Buffer.concat(chunks).toString()));
    response.on('error', reject);
  });
