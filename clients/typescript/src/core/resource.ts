/** The base of all resources. */

import type { CallOptions, Fetch, RequestOptions } from './options.ts';
import { ApiPromise, type ListData, PagePromise, type WithResponse } from './promise.ts';

export type Query = Readonly<Record<string, unknown>>;

export type ApiRequest = {
  method: string;
  /** The path below the base URL. */
  path: string;
  /** A function gets the number of the attempt: 1, 2, 3 … */
  query?: Query | ((attempt: number) => Query) | undefined;
  body?: unknown;
  options?: CallOptions | undefined;
  /** Whether the API knows a repeated request even without an Idempotency-Key. */
  isIdempotent?: boolean;
};

/** Sends a request as often as necessary. */
export type Transport = (<Data>(request: ApiRequest) => Promise<WithResponse<Data>>) & {
  /** @returns the options of the client and of the call, for requests that do not go to the API */
  settingsOf: (options: RequestOptions) => Settings;
};

export type Settings = {
  fetch: Fetch;
  timeoutMs: number;
  maxRetries: number;
  signal: AbortSignal | undefined;
};

/** The arguments of every resource. */
export type At = [transport: Transport, base: string];

export class Resource {
  /** @internal */
  protected readonly at: At;

  constructor(...at: At) {
    this.at = at;
    // An enumerable property would only make `console.log` of a client longer.
    Object.defineProperty(this, 'at', { enumerable: false });
  }

  protected send<Data>(request: ApiRequest): Promise<WithResponse<Data>> {
    const [transport, base] = this.at;
    return transport<Data>({ ...request, path: base + request.path });
  }

  protected call<Data>(
    method: string,
    path: string,
    content: Pick<ApiRequest, 'query' | 'body'>,
    options: CallOptions | undefined,
  ): ApiPromise<Data> {
    return new ApiPromise(this.send<Data>({ method, path, ...content, options }));
  }

  protected pages<Data extends ListData>(
    path: string,
    query: (Query & { cursor?: string | undefined }) | undefined,
    options: RequestOptions | undefined,
  ): PagePromise<Data> {
    return new PagePromise<Data>(query?.cursor, (cursor) =>
      this.send<Data>({ method: 'GET', path, query: { ...query, cursor }, options }),
    );
  }
}

/** @returns a path with encoded parts */
export function url(texts: TemplateStringsArray, ...parts: readonly (string | number)[]): string {
  return texts.reduce((path, text, index) => `${path}${encodePart(parts[index - 1], path)}${text}`);
}

/**
 * Encodes a part of a path. It refuses a missing id, which would name the list, and two dots, which would name the folder above.
 * @param before the path before the part, such as `/projects/`
 */
function encodePart(part: unknown, before: string): string {
  const text = typeof part === 'number' ? `${part}` : part;
  if (typeof text !== 'string' || /^\.{0,2}$/.test(text))
    throw new TypeError(`The id behind ${before} is missing: it is ${JSON.stringify(part)}.`);
  return encodeURIComponent(text);
}

/** @returns the methods as a function, which opens the resources of one project */
export function callable<Methods extends Resource, Below>(
  methods: Methods,
  open: (base: string) => Below,
): Methods & ((projectId: string) => Below) {
  const call = (projectId: string) => {
    if (!projectId) throw new TypeError('The project id is missing: projects(id), such as proj_….');
    return open(url`/projects/${projectId}`);
  };
  return Object.setPrototypeOf(call, methods);
}
