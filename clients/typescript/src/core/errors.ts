/** The errors of calls. No error has a cause, because an error of `fetch` may contain the request's headers. */

/** The class of every error of this client. */
export class PlatformError extends Error {
  static {
    named(PlatformError, 'PlatformError');
  }

  /**
   * How many requests were sent. If a lost attempt has already taken effect, the next attempt of a `DELETE` can get 404, and the
   * next attempt of a change with `ifMatch` can get 412: look at this number.
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
  method: string;
  path: string;
  resource: Readonly<Record<string, unknown>> | undefined;
};

/** The API refused the request, or failed. Each code has a class of its own. */
export class ApiError<Code extends string = string> extends PlatformError {
  static {
    named(ApiError, 'ApiError');
  }

  /** The HTTP status. */
  declare readonly status: number;
  /** The code, for programs. `unknown` if something other than the API responded, such as a proxy. */
  declare readonly code: Code;
  /** Identifies the request in the service's logs. */
  declare readonly requestId: string | undefined;
  /** The invalid fields, and why. */
  declare readonly details: readonly ErrorDetail[];
  /** When to try again, if the response said so. */
  declare readonly retryAfterSeconds: number | undefined;
  /** The method of the request, such as `GET`. */
  declare readonly method: string;
  /** The path of the request below the base URL, without the query. */
  declare readonly path: string;
  /** The resource that the first request created, without its secret. Only `secret_unavailable` has it. */
  declare readonly resource: Readonly<Record<string, unknown>> | undefined;

  /** The message without the request: the reason, and the invalid fields. */
  declare readonly reason: string;

  constructor(failure: Failure<Code>) {
    super(messageOf(failure));
    const { message: reason, ...facts } = failure;
    Object.assign(this, facts, { reason });
  }

  /** The last id in the path: of the resource, or of its parent. Undefined if the path has no id. */
  get id(): string | undefined {
    const parts = this.path.split('/');
    const ids = parts.filter((part, at) => /^[a-z]+_\w+$/.test(part) || isNamed.test(parts[at - 1] ?? ''));
    const [id] = ids.slice(-1);
    return id === undefined ? undefined : decodeURIComponent(id);
  }
}

/** @returns the message, which names the request at the end of its first line */
function messageOf({ message, method, path, requestId }: Failure<string>): string {
  const [first, ...details] = message.split('\n');
  const [pathOnly = ''] = path.split('?');
  const facts = [`${method} ${pathOnly}`, requestId && `request ${requestId}`];
  return [`${first} (${facts.filter(Boolean).join(', ')})`, ...details].join('\n');
}

/** The parts of a path behind which a name of the caller stands. */
const isNamed = /^(?:by-external-id|environments)$/;

/** The address of a request, and how often it was sent. The path and the query may work for anyone, so they are left out. */
export type Sent = { address: string; attempts: number };

const afterAttempts = (count: number) => (count > 1 ? ` after ${count} attempts` : '');

/** There was no complete response. */
export class ConnectionError extends PlatformError {
  static {
    named(ConnectionError, 'ConnectionError');
  }

  /** The code of the system, such as `ECONNREFUSED`. */
  readonly code: string | undefined;
  /** The message without the address. */
  readonly reason: string;

  constructor(reason: string, code?: string, to?: Sent) {
    super(to ? `The request to ${to.address} failed${afterAttempts(to.attempts)}: ${reason}` : reason);
    this.reason = reason;
    this.code = code;
    if (to) this.attempts = to.attempts;
  }
}

/** Nothing was sent: the request would have gone around the proxy of the environment. */
export class ProxyError extends PlatformError {
  static {
    named(ProxyError, 'ProxyError');
  }
}

/** There was no complete response in time. */
export class TimeoutError extends ConnectionError {
  static {
    named(TimeoutError, 'TimeoutError');
  }
}

/**
 * Sets the name of an error class. The name is on the prototype, because a minifier renames classes, and a property of the error
 * itself would be printed.
 */
export function named(type: { prototype: Error }, name: string): void {
  Object.defineProperty(type.prototype, 'name', { value: name, configurable: true, writable: true });
}
