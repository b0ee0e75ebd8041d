/** The options of the client and of a single call, and the events that hooks get. */

import type { PlatformError } from './errors.ts';

/** The options of every call. */
export type RequestOptions = {
  /** Ends the call, also while it waits. The promise then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** The time limit of one attempt, until its body is read. `waitSeconds` of the query is added. Default: 30 000. */
  timeoutMs?: number | undefined;
  /** The time limit of all attempts and pauses. `waitSeconds` of the query is added. Default: 60 000. */
  deadlineMs?: number | undefined;
  /** How many attempts may follow the first attempt. Default: 5. */
  maxRetries?: number | undefined;
  /** Further headers. They cannot replace headers that the client sets. */
  headers?: Readonly<Record<string, string>> | undefined;
};

/** The options of every POST. */
export type PostOptions = RequestOptions & {
  /**
   * Makes the request take effect once, also after a restart of your process: 1 to 255 printable ASCII characters that are
   * unique to the operation. Default: a random key, which the retries of this call share.
   */
  idempotencyKey?: string | undefined;
};

/** The options of changes of resources that have versions. */
export type IfMatchOptions = RequestOptions & {
  /** The `ETag` of the version to change. If the resource has another version, the call rejects with `VersionMismatchError`. */
  ifMatch?: string | null | undefined;
};

/** The options of requests for resources that are polled. */
export type IfNoneMatchOptions = RequestOptions & {
  /** The `ETag` of the version that you have. If it is current, the result is undefined. */
  ifNoneMatch?: string | null | undefined;
};

/** Every option of a call with any method. */
export type CallOptions = PostOptions & IfMatchOptions & IfNoneMatchOptions;

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type PlatformOptions = Pick<RequestOptions, 'timeoutMs' | 'deadlineMs' | 'maxRetries' | 'headers'> & {
  /**
   * An API key, a token, or a function that returns a key or a token. The function is called once per request, and all attempts of
   * the request send its result. Each poll and each page is a request. `deadlineMs` begins after the function. Default: the
   * environment variable `PLATFORM_API_KEY`, which is only sent to the address in `PLATFORM_BASE_URL`.
   */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /**
   * The base URL, such as `https://api.example.com/api/v1`; `http://` is only for this machine. Default: the environment variable
   * `PLATFORM_BASE_URL`; in a page `/api/v1`. A page can only call its own origin, because secret keys do not belong in other
   * pages.
   */
  baseUrl?: string | undefined;
  /** A function in place of the global `fetch`. It sets its own proxy, and sees the key in the header `Authorization`. */
  fetch?: Fetch | undefined;
  /** Is called before each attempt. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Is called after each response. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Is called once in the life of the process, if the service has a newer version. Default: `console.warn`. */
  onOutdated?: ((sentence: string) => void) | undefined;
  /** Is called before each pause that precedes another attempt. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
};

/** What hooks get: never headers, bodies or the key, so an event can be logged as it is. */
export type RequestEvent = {
  method: string;
  /** The URL with the query. */
  url: string;
  /** The number of the attempt: 1, 2, 3 … */
  attempt: number;
};

export type ResponseEvent = RequestEvent & {
  status: number;
  requestId: string | undefined;
  /** The time from the request to the end of the body. */
  durationMs: number;
  /** The header `Deprecation` (RFC 9745), if the operation will be removed. */
  deprecation: string | undefined;
  /** The header `Sunset` (RFC 8594): when it will be removed. */
  sunset: string | undefined;
};

export type RetryEvent = RequestEvent & {
  /** Why the attempt failed. */
  error: PlatformError;
  /** The pause before the next attempt. */
  delayMs: number;
};
