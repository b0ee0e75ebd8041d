/** An HTTP server that answers everything that arrives on its socket, in the envelope, and compresses as API Gateway does. */

import { randomUUID } from 'node:crypto';
import {
  createServer,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { ApiError } from '../../lib/base/errors.ts';
import { renderError } from '../../lib/http/errors.ts';
import { minimumCompressionBytes } from '../../lib/http/raw-documents.ts';

/** Most clients close an idle connection earlier. The default of Node is 5 s. */
const keepAliveMs = 75_000;

/** A request that is under way when the server closes its connection is reset. So clients close connections, and not the server. */
export function keepingConnections(server: Server): Server {
  server.keepAliveTimeout = keepAliveMs;
  return server.on('timeout', closeIfIdle);
}

/** An exception of the listener becomes a 500, and the server goes on. */
export function createSafeServer(listener: (...given: Parameters<RequestListener>) => unknown): Server {
  const answer: RequestListener = async (request, response) => {
    // A connection may end at any time.
    for (const stream of [request, response]) stream.on('error', () => {});
    try {
      await listener(request, response);
    } catch (error) {
      console.error(error);
      fail(response);
    }
  };
  // Without Host, node:http would answer itself, without a body.
  const server = keepingConnections(createServer({ requireHostHeader: false }, answer));
  server.on('checkExpectation', answer);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    endWith(socket, new ApiError('validation_error', messages[error.code ?? '']));
  });
  // There are no tunnels.
  server.on('connect', (_request, socket) => endWith(socket, new ApiError('not_found')));
  return server;
}

/**
 * Node ends timers before it reads sockets. So after the event loop was blocked, the time of an idle connection may be over
 * although its next request has arrived: it is read before the check.
 */
function closeIfIdle(socket: Socket): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) socket.destroy();
  });
}

const messages: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers of the request are too large.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

function fail(response: ServerResponse): void {
  if (response.headersSent) return void response.destroy();
  const { statusCode, headers, body } = renderError(new ApiError('internal_error'), randomUUID());
  response.writeHead(statusCode, headers as Record<string, string>).end(body);
}

/** Responds to bytes that are no request, and ends the connection. */
function endWith(socket: Duplex, error: ApiError): void {
  const { statusCode, headers, body }: APIGatewayProxyResult = renderError(error, randomUUID());
  const all = { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => {});
  socket.end(`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${lines.join('')}\r\n${body}`);
}

/**
 * Compresses responses, as API Gateway does if `minimumCompressionSize` is set.
 * @param accepted the value of Accept-Encoding
 */
export async function compressed(
  { headers, body, isBase64Encoded }: APIGatewayProxyResult,
  accepted: string | string[] | undefined,
): Promise<{ headers: Record<string, string>; body: string | Buffer }> {
  const same = { ...(headers as Record<string, string>) };
  // A streamed response is not compressed.
  if (isBase64Encoded) return { headers: same, body: Buffer.from(body, 'base64') };
  if (Buffer.byteLength(body) < minimumCompressionBytes || !acceptsGzip(String(accepted ?? ''))) {
    return { headers: same, body };
  }
  return { headers: { ...same, 'Content-Encoding': 'gzip' }, body: await promisify(gzip)(body) };
}

/** A coding with the weight 0 is not accepted (RFC 9110 section 12.5.3). */
function acceptsGzip(header: string): boolean {
  const codings = header
    .split(',')
    .map((coding) => coding.split(';').map((part) => part.trim().toLowerCase()));
  const own = codings.find(([name]) => name === 'gzip') ?? codings.find(([name]) => name === '*');
  return own !== undefined && !own.some((part) => /^q=0(\.0*)?$/.test(part));
}
