/** Requests without a socket: a proxy event goes through the gateway's routing and the pipeline. */

import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { ErrorCode, ErrorDetail } from '../../lib/base/errors.ts';
import { collected } from '../../lib/http/lambda/streamed.ts';
import { match, proxyEvent, type Route } from './gateway.ts';

export type Json = Record<string, unknown>;

export type CallOptions = {
  /** The bearer token; null without a token. */
  key?: string | null;
  body?: unknown;
  /** The raw body, if it is not JSON. */
  rawBody?: string;
  headers?: Record<string, string>;
  idempotencyKey?: string;
  requestId?: string;
  /** The address that the gateway sees. */
  sourceIp?: string;
  /** The client disconnects. What a streamed response has sent by then is the body. */
  signal?: AbortSignal;
};

export type ApiResponse = {
  status: number;
  headers: Record<string, string>;
  /** The body. Bytes are in base64. */
  text: string;
  /** `data` of a success; an empty object for an error. */
  data: Json;
  error: { code?: ErrorCode; message?: string; details?: ErrorDetail[]; resource?: Json; requestId?: string };
};

/** @returns the headers and the body of the request */
export function asSent(options: CallOptions): { headers: Record<string, string>; text: string } {
  const { key = null, body, rawBody, headers = {}, idempotencyKey } = options;
  const text = rawBody ?? (body === undefined ? '' : JSON.stringify(body));
  const all = {
    ...(key !== null && { Authorization: `Bearer ${key}` }),
    ...(text !== '' && { 'Content-Type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    ...headers,
  };
  return { headers: all, text };
}

/** @returns the route and the event of the request */
export function requestEvent(
  routes: readonly Route[],
  method: string,
  path: string,
  options: CallOptions,
): { route: Route; event: APIGatewayProxyEvent } {
  const url = new URL(path, 'http://localhost');
  const found = match(routes, method, url.pathname);
  if ('others' in found) throw new Error(`no endpoint for ${method} ${path}`);
  const { headers, text } = asSent(options);
  const event = proxyEvent({
    method,
    path: `/api/v1${url.pathname}`,
    resource: found.route.endpoint.path,
    pathParameters: found.pathParameters,
    query: url.searchParams,
    headers: Object.entries(headers),
    body: text,
    requestId: options.requestId ?? randomUUID(),
    sourceIp: options.sourceIp ?? '127.0.0.1',
  });
  return { route: found.route, event };
}

/** Sends a request. */
export async function call(
  routes: readonly Route[],
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<ApiResponse> {
  const { route, event } = requestEvent(routes, method, path, options);
  const result = await route.handler(event, {} as Context);
  const headers = result.headers as Record<string, string>;
  const { events } = result;
  const text = events ? await collected(events, options.signal ?? new AbortController().signal) : result.body;
  return { status: result.statusCode, headers, text, ...opened(text, headers) };
}

/** @returns the content of the envelope. A raw document has no envelope */
export function opened(text: string, headers: Record<string, string>): Pick<ApiResponse, 'data' | 'error'> {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const isJson = text !== '' && !/^text\/|octet-stream/.test(type ?? '');
  const { data = {}, error = {} } = JSON.parse(isJson ? text : '{}') as {
    data?: Json;
    error?: ApiResponse['error'];
  };
  return { data, error };
}
