/** A local API Gateway: turns HTTP requests into proxy events, and their results into responses. */

import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { ApiError } from '../../lib/base/errors.ts';
import type { Endpoint } from '../../lib/http/endpoint.ts';
import { otherMethod, renderError } from '../../lib/http/errors.ts';
import type { Events, HandlerResult } from '../../lib/http/handler-result.ts';
import type { Handler } from '../../lib/http/middleware/pipeline.ts';
import { compressed } from './server.ts';

export const basePath = '/api/v1';

/** API Gateway's maximum body size. */
const maxPayloadBytes = 10 * 1024 * 1024;

export type Route = { endpoint: Endpoint; handler: Handler };

type Match = { route: Route; pathParameters: Record<string, string> } | { others: Endpoint[] };

/**
 * @param path below the base path
 * @returns the route, or the endpoints of the path with other methods (none if the path is unknown)
 */
export function match(routes: readonly Route[], method: string, path: string): Match {
  const segments = path.split('/');
  const candidates = routes
    .filter(({ endpoint }) => fits(patternOf(endpoint.path), segments))
    // A literal segment has priority over a parameter, as in API Gateway: /api-keys/me is not a key's id.
    .sort((a, b) => parameterCount(a) - parameterCount(b));
  const same = candidates.filter(({ endpoint }) => endpoint.path === candidates[0]?.endpoint.path);
  const route = same.find(({ endpoint }) => endpoint.method === method);
  if (!route) return { others: same.map(({ endpoint }) => endpoint) };
  return { route, pathParameters: parametersOf(patternOf(route.endpoint.path), segments) };
}

/** The segments of each path that a route has. Each request is compared with all routes. */
const patterns = new Map<string, readonly string[]>();

function patternOf(path: string): readonly string[] {
  const pattern = patterns.get(path) ?? path.split('/');
  patterns.set(path, pattern);
  return pattern;
}

const isParameter = (part: string) => part.startsWith('{');

const parameterCount = ({ endpoint }: Route) => patternOf(endpoint.path).filter(isParameter).length;

const fits = (pattern: readonly string[], segments: readonly string[]) =>
  pattern.length === segments.length &&
  pattern.every((part, index) => (isParameter(part) ? segments[index] !== '' : part === segments[index]));

/** @returns the values, still percent-encoded, as in a REST API of API Gateway */
const parametersOf = (pattern: readonly string[], segments: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    pattern.flatMap((part, index) => (isParameter(part) ? [[part.slice(1, -1), segments[index] ?? '']] : [])),
  );

/** @returns a request listener for `node:http` */
export function createGateway(routes: readonly Route[]) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const requestId = randomUUID();
    const result = await answer(routes, request, requestId).catch((error: unknown): HandlerResult => {
      // The client has disconnected.
      if (!request.destroyed) console.error(error);
      return renderError(new ApiError('internal_error'), requestId);
    });
    if (!request.complete) response.setHeader('Connection', 'close');
    if (result.events) return stream(result, result.events, response);
    const { headers, body } = await compressed(result, request.headers['accept-encoding']);
    response.writeHead(result.statusCode, headers).end(body);
  };
}

/** A streamed response is not compressed. A lost client ends it. */
async function stream({ statusCode, headers }: HandlerResult, events: Events, response: ServerResponse) {
  const lost = new AbortController();
  const onLoss = new Promise<void>((closed) => response.once('close', closed)).then(() => lost.abort());
  response.writeHead(statusCode, headers as Record<string, string>).flushHeaders();
  for await (const chunk of events(lost.signal)) {
    if (lost.signal.aborted) return;
    if (!response.write(chunk))
      await Promise.race([onLoss, new Promise<void>((drained) => response.once('drain', drained))]);
  }
  response.end();
}

async function answer(
  routes: readonly Route[],
  request: IncomingMessage,
  requestId: string,
): Promise<HandlerResult> {
  // Unchanged: resolving dots or a double slash would find paths that API Gateway does not.
  const [path = '', ...rest] = (request.url ?? '').split('?');
  const method = request.method ?? 'GET';
  if (!path.startsWith(`${basePath}/`)) return renderError(new ApiError('not_found'), requestId);
  const found = match(routes, method, path.slice(basePath.length));
  if ('others' in found) {
    if (found.others.length === 0) return renderError(new ApiError('not_found'), requestId);
    return methodNotAllowed(found.others, method, requestId);
  }
  const bytes = await bodyOf(request);
  if (bytes === undefined) return renderError(new ApiError('payload_too_large'), requestId);
  // Decoding would replace invalid UTF-8, and so change the stored data. The function refuses compressed bodies itself.
  if (!isUtf8(bytes) && !request.headers['content-encoding']) {
    return renderError(new ApiError('invalid_json'), requestId);
  }
  const body = bytes.toString();
  const event = proxyEvent({
    method,
    path,
    resource: found.route.endpoint.path,
    pathParameters: found.pathParameters,
    query: new URLSearchParams(rest.join('?')),
    headers: pairs(request.rawHeaders),
    body,
    requestId,
    sourceIp: request.socket.remoteAddress ?? '',
  });
  return found.route.handler(event, { awsRequestId: requestId } as Context);
}

/** @param others the endpoints of the path */
function methodNotAllowed(others: readonly Endpoint[], method: string, requestId: string) {
  const { allowed, message } = otherMethod(others, method);
  const result = renderError(new ApiError('method_not_allowed', message), requestId);
  return { ...result, headers: { ...result.headers, Allow: allowed } };
}

/** @returns the body, or undefined if it is too large for API Gateway */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxPayloadBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const pairs = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as [string, string]] : []));

/** The event of a request, as from API Gateway's Lambda proxy integration (REST API). */
export function proxyEvent(request: {
  method: string;
  path: string;
  resource: string;
  pathParameters: Record<string, string>;
  query: Iterable<[string, string]>;
  headers: Iterable<[string, string]>;
  body: string;
  requestId: string;
  sourceIp: string;
}): APIGatewayProxyEvent {
  const multiValueHeaders = grouped(request.headers);
  const multiValueQuery = grouped(request.query);
  return {
    httpMethod: request.method,
    path: request.path,
    resource: request.resource,
    pathParameters: orNull(request.pathParameters),
    queryStringParameters: orNull(lastOf(multiValueQuery)),
    multiValueQueryStringParameters: orNull(multiValueQuery),
    headers: lastOf(multiValueHeaders),
    multiValueHeaders,
    body: request.body === '' ? null : request.body,
    isBase64Encoded: false,
    stageVariables: null,
    requestContext: {
      requestId: request.requestId,
      path: request.path,
      ...hostOf(multiValueHeaders),
      identity: { sourceIp: request.sourceIp, userAgent: headerOf(multiValueHeaders, 'user-agent') },
    } as APIGatewayProxyEvent['requestContext'],
  };
}

/** The host that the caller used: API Gateway has checked it against its own domains. */
const hostOf = (headers: Record<string, string[]>) => {
  const domainName = headerOf(headers, 'host');
  return domainName === null ? {} : { domainName };
};

const headerOf = (headers: Record<string, string[]>, wanted: string): string | null =>
  Object.entries(headers)
    .find(([name]) => name.toLowerCase() === wanted)?.[1]
    .at(-1) ?? null;

function grouped(pairsOfValues: Iterable<[string, string]>): Record<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, value] of pairsOfValues) groups.set(name, [...(groups.get(name) ?? []), value]);
  return Object.fromEntries(groups);
}

const lastOf = (groups: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(groups).map(([name, values]) => [name, values.at(-1) ?? '']));

const orNull = <Value extends object>(record: Value): Value | null =>
  Object.keys(record).length === 0 ? null : record;
