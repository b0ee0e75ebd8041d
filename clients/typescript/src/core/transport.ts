/** Sends a request until it has a response that another attempt would not change. */

import { attempt } from './attempt.ts';
import { delayMs, isRetryable } from './backoff.ts';
import { ApiError, ConnectionError, PlatformError, type Sent, TimeoutError } from './errors.ts';
import { ownFetch } from './fetch.ts';
import type { CallOptions, PlatformOptions } from './options.ts';
import type { WithResponse } from './promise.ts';
import { type ErrorClasses, read } from './read.ts';
import type { ApiRequest, Query, Transport } from './resource.ts';
import { apiKeyFrom, baseUrlFrom } from './settings.ts';
import { elapsedMs, pause, unlessAborted } from './timing.ts';

const defaults = { timeoutMs: 30_000, deadlineMs: 60_000, maxRetries: 5, signal: undefined };

const warn = (sentence: string) => console.warn(`platform-api-client: ${sentence}`);

/** The parts that are generated from the OpenAPI document. */
export type Generated = { errorClasses: ErrorClasses; version: string };

export function createTransport(
  options: PlatformOptions,
  { errorClasses, version }: Generated,
): { baseUrl: string; transport: Transport } {
  const baseUrl = baseUrlFrom(options.baseUrl);
  const apiKey = apiKeyFrom(options.apiKey, baseUrl);
  const fetch = options.fetch ?? ownFetch;

  const settingsOf = (callOptions: CallOptions | undefined) => ({
    ...defaults,
    ...withoutUndefined(options),
    ...withoutUndefined(callOptions),
    fetch,
  });

  const send = async <Data>(request: ApiRequest): Promise<WithResponse<Data>> => {
    const { method, path, body } = request;
    const target = urlBelow(baseUrl, path);
    const { timeoutMs, deadlineMs, maxRetries, signal } = settingsOf(request.options);
    const headers = headersOf(request, {
      'User-Agent': `platform-api-client/${version}`,
      ...options.headers,
      ...request.options?.headers,
    });
    const init = {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
    } as const;
    signal?.throwIfAborted();
    // All attempts send the same token: the API replays a response with a secret only to the token that got it.
    const key = await unlessAborted(apiKey(), signal);
    headers.set('Authorization', `Bearer ${key}`);
    // A server, a proxy or a custom fetch may repeat the key.
    const redact = (text: string) => text.replaceAll(key, '…');
    const startMs = elapsedMs();

    for (let number = 1; ; number += 1) {
      signal?.throwIfAborted();
      const query = typeof request.query === 'function' ? request.query(number) : request.query;
      const waitMs = Number(query?.waitSeconds ?? 0) * 1000;
      const leftMs = startMs + deadlineMs + waitMs - elapsedMs();
      const event = { method, url: target + queryString(query), attempt: number };
      try {
        options.onRequest?.({ ...event });
        const sentMs = elapsedMs();
        const limits = {
          timeoutMs: Math.min(timeoutMs + waitMs, leftMs),
          bodyTimeoutMs: timeoutMs,
          signal,
          redact,
        };
        const reply = await attempt(fetch, event.url, init, limits);
        const { response } = reply;
        const header = (name: string) => {
          const value = response.headers.get(name);
          return value === null ? undefined : redact(value);
        };
        mentionLatest(header('platform-client-latest') ?? null, version, options.onOutdated ?? warn);
        options.onResponse?.({
          ...event,
          status: response.status,
          requestId: header('x-request-id'),
          durationMs: elapsedMs() - sentMs,
          deprecation: header('deprecation'),
          sunset: header('sunset'),
        });
        return read<Data>(reply, redact, errorClasses, { method, path, baseUrl });
      } catch (failure) {
        if (!(failure instanceof PlatformError)) throw failure;
        const error = withAddress(failure, { address: new URL(target).origin, attempts: number });
        error.attempts = number;
        const retryAfter = error instanceof ApiError ? error.retryAfterSeconds : undefined;
        const delay = delayMs(number, retryAfter, Math.random());
        const hasTime = elapsedMs() + delay < startMs + deadlineMs;
        if (!isRetryable(error) || number > maxRetries || !hasTime) throw error;
        options.onRetry?.({ ...event, error, delayMs: delay });
        await pause(delay, signal);
      }
    }
  };
  return { baseUrl, transport: Object.assign(send, { settingsOf }) };
}

/**
 * Adds the address to the error of a connection.
 * @returns a new error, because the stack shows the first message of an error. Other errors are returned as they are
 */
function withAddress(error: PlatformError, to: Sent): PlatformError {
  if (!(error instanceof ConnectionError)) return error;
  const Failure = error instanceof TimeoutError ? TimeoutError : ConnectionError;
  return new Failure(error.reason, error.code, to);
}

/**
 * The key goes only where the base URL points: another path could change the host, or leave the API.
 * @param path a path with encoded parts
 * @throws TypeError if the path does not begin with exactly one slash, or has `.` or `..` as a part, also encoded ones, which URLs
 * resolve too (https://url.spec.whatwg.org/#double-dot-path-segment)
 */
function urlBelow(baseUrl: string, path: string): string {
  const [parts = ''] = `${path}`.split(/[?#]/);
  // URLs treat a backslash as a slash, and leave out tabs and line ends.
  const isPath = /^\/(?!\/)[^\\\p{Cc}]*$/u.test(parts) && !/\/(\.|%2e){1,2}(\/|$)/i.test(parts);
  const url = baseUrl + path;
  if (!isPath || !URL.canParse(url) || !new URL(url).href.startsWith(`${baseUrl}/`))
    throw new TypeError(
      `The path must be below the base URL, begin with one slash and have no dot segments: ${JSON.stringify(path)}`,
    );
  return url;
}

function headersOf(
  { method, body, options, isIdempotent }: ApiRequest,
  further: Record<string, string>,
): Headers {
  const { idempotencyKey, ifMatch, ifNoneMatch } = (options ?? {}) as CallOptions;
  const clientHeaders = {
    Accept: 'application/json',
    'Content-Type': body === undefined ? undefined : 'application/json',
    'Idempotency-Key': idempotencyKey ?? (method === 'POST' && !isIdempotent ? randomId() : undefined),
    'If-Match': ifMatch,
    'If-None-Match': ifNoneMatch,
  };
  const headers = new Headers();
  for (const [name, value] of [...Object.entries(further), ...Object.entries(clientHeaders)])
    if (value !== undefined && value !== null) headers.set(name, value);
  return headers;
}

/** @returns 128 random bits. Pages without TLS do not have `randomUUID` */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

function queryString(query: Query | undefined): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    // A list is sent as several parameters of the same name.
    for (const item of [value].flat()) {
      if (item === undefined || item === null) continue;
      parameters.append(name, item instanceof Date ? item.toISOString() : `${item}`);
    }
  }
  const text = `${parameters}`;
  return text && `?${text}`;
}

type Present<Options> = { [Name in keyof Options]?: Exclude<Options[Name], undefined> };

/** An option that is undefined does not replace an option of the client. */
const withoutUndefined = <Options extends object>(options: Options | undefined): Present<Options> =>
  Object.fromEntries(
    Object.entries(options ?? {}).filter(([, value]) => value !== undefined),
  ) as Present<Options>;

let isMentioned = false;

/**
 * Says once that the service offers a newer client.
 *
 * @param latest the header `Platform-Client-Latest`, which the service sends to older clients
 * @param say gets the sentence
 */
function mentionLatest(latest: string | null, version: string, say: (sentence: string) => void): void {
  if (latest === null || isMentioned) return;
  isMentioned = true;
  say(`The service offers version ${latest.slice(0, 40)}. This is ${version}.`);
}
