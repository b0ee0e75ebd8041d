/** What calls reject with. No error has a cause: what `fetch` throws may contain the request's headers. */

/** Every error of this client. */
export class PlatformError extends Error {
  static {
    named(PlatformError, 'PlatformError');
  }

  /**
   * How many requests were sent. If a lost attempt has already taken effect, the next one of a `DELETE` can get 404, and of
   * a change with `ifMatch` 412: look at this number.
   */
  attempts = 1;
}

export type ErrorDetail = { path: string; message: string };

export type Failure<Code extends string> = {
  status: number;
  code: Code;
  message: string;
  requestId: string | undefined;
  details: readonly ErrorDetail[];
  retryAfterSeconds: number | undefined;
  resource: Readonly<Record<string, unknown>> | undefined;
};

/** The API refused the request, or failed. Each code has a class of its own. */
export class ApiError<Code extends string = string> extends PlatformError {
  static {
    named(ApiError, 'ApiError');
  }

  /** The HTTP status. */
  readonly status: number;
  /** The code, for programs. `unknown` if something other than the API responded, such as a proxy. */
  readonly code: Code;
  /** Identifies the request in the service's logs. */
  readonly requestId: string | undefined;
  /** The invalid fields, and why. */
  readonly details: readonly ErrorDetail[];
  /** When to try again, if the response said so. */
  readonly retryAfterSeconds: number | undefined;
  /** Of `secret_unavailable`: what the first request created, without its secret. */
  readonly resource: Readonly<Record<string, unknown>> | undefined;

  constructor(failure: Failure<Code>) {
    super(failure.message);
    this.status = failure.status;
    this.code = failure.code;
    this.requestId = failure.requestId;
    this.details = failure.details;
    this.retryAfterSeconds = failure.retryAfterSeconds;
    this.resource = failure.resource;
  }
}

/** There was no complete response. */
export class ConnectionError extends PlatformError {
  static {
    named(ConnectionError, 'ConnectionError');
  }

  /** What the system calls it, such as `ECONNREFUSED`. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/** There was no complete response in time. */
export class TimeoutError extends ConnectionError {
  static {
    named(TimeoutError, 'TimeoutError');
  }
}

/** On the prototype, because a minifier renames classes, and an own property would be printed. */
export function named(type: { prototype: Error }, name: string): void {
  Object.defineProperty(type.prototype, 'name', { value: name, configurable: true, writable: true });
}
