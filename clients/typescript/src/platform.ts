/** The client. */

import type { CallOptions, PlatformOptions, RequestOptions } from './core/options.ts';
import type { ApiPromise, ListData, PagePromise } from './core/promise.ts';
import type { Query } from './core/resource.ts';
import { createTransport } from './core/transport.ts';
import { errorClasses } from './generated/errors.ts';
import { version } from './generated/version.ts';
import { PlatformResources } from './resources.ts';

/**
 * A client of the Platform API.
 *
 * ```ts
 * const platform = new Platform();   // PLATFORM_API_KEY and PLATFORM_BASE_URL
 * const project = platform.projects('proj_…');
 * for await (const conversation of project.conversations.list({ tag: 'refund' })) console.log(conversation.id);
 * ```
 */
export class Platform extends PlatformResources {
  /** The base URL, without a slash at the end. */
  readonly baseUrl: string;

  /** @throws TypeError if a setting is missing or invalid */
  constructor(options: PlatformOptions = {}) {
    const { baseUrl, transport } = createTransport(options, { errorClasses, version });
    super(transport);
    this.baseUrl = baseUrl;
  }

  /**
   * Sends any request, with the same retries.
   * @param path the path below the base URL, such as `/projects`, with encoded parts
   * @throws TypeError if the path leads elsewhere
   */
  request<Data = unknown>(
    method: string,
    path: string,
    options: CallOptions & { query?: Query | undefined; body?: unknown } = {},
  ): ApiPromise<Data> {
    const { query, body, ...rest } = options;
    return this.call<Data>(method.toUpperCase(), path, { query, body }, rest);
  }

  /**
   * Gets any list.
   * @param path the path below the base URL, such as `/projects`, with encoded parts
   * @throws TypeError if the path leads elsewhere
   */
  paginate<Item = unknown>(
    path: string,
    query: Query & { cursor?: string | undefined } = {},
    options: RequestOptions = {},
  ): PagePromise<ListData & { items: Item[] }> {
    return this.pages(path, query, options);
  }

  /** `JSON.stringify` shows this object. */
  toJSON(): { baseUrl: string } {
    return { baseUrl: this.baseUrl };
  }

  /** Node and Bun print this text. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `Platform { baseUrl: '${this.baseUrl}' }`;
  }
}
