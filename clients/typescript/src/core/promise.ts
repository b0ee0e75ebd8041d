/** The results of calls: promises of the data, with the response behind them, and pages of lists. */

import { ConnectionError } from './errors.ts';

export type WithResponse<Data> = {
  data: Data;
  /** The response with its status and headers. Its body is the envelope, and can be read once more. */
  response: Response;
  /** Identifies the request in the service's logs. */
  requestId: string | undefined;
  /** Whether an earlier request with the same Idempotency-Key had taken effect. */
  replayed: boolean;
};

/** A promise of the data in a response. The request has been sent already. */
export class ApiPromise<Data> implements Promise<Data> {
  readonly #answer: Promise<WithResponse<Data>>;
  readonly [Symbol.toStringTag] = 'ApiPromise';

  constructor(answer: Promise<WithResponse<Data>>) {
    this.#answer = answer;
  }

  /** @returns the data together with status, headers and request id */
  withResponse(): Promise<WithResponse<Data>> {
    return this.#answer;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  then<Result = Data, Failure = never>(
    onFulfilled?: ((data: Data) => Result | PromiseLike<Result>) | null,
    onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#answer.then(({ data }) => data).then(onFulfilled, onRejected);
  }

  catch<Failure = never>(
    onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Data | Failure> {
    return this.then(null, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Data> {
    return this.then().finally(onFinally);
  }
}

/** The data of a list. */
export type ListData = { items: unknown[]; nextCursor: string | null };

type ItemOf<Data extends ListData> = Data['items'][number];

/** Gets the page at a cursor. */
type GetPage<Data extends ListData> = (cursor: string | undefined) => Promise<WithResponse<Data>>;

/** One page of a list. It may have few items, or none, although there are more pages. */
export class Page<Data extends ListData> {
  /** All of the response's data. */
  readonly data: Data;
  readonly #getPage: GetPage<Data>;

  constructor(data: Data, getPage: GetPage<Data>) {
    if (!Array.isArray(data.items) || data.nextCursor === undefined)
      throw new ConnectionError('The response is not a list of the API: it has no items, or no nextCursor.');
    this.data = data;
    this.#getPage = getPage;
  }

  get items(): ItemOf<Data>[] {
    return this.data.items;
  }

  /** The `cursor` of a request that continues behind this page, with the same filters. Null on the last page. */
  get nextCursor(): string | null {
    return this.data.nextCursor;
  }

  hasNextPage(): boolean {
    return this.nextCursor !== null;
  }

  /** @returns the next page, or undefined behind the last page */
  nextPage(): Promise<Page<Data> | undefined> {
    if (this.nextCursor === null) return Promise.resolve(undefined);
    return new PagePromise(this.nextCursor, this.#getPage).then();
  }

  /** Yields the items of this page and of all further pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<Data>, void, undefined> {
    for await (const page of pagesFrom(this)) yield* page.items;
  }
}

async function* pagesFrom<Data extends ListData>(
  first: Page<Data>,
): AsyncGenerator<Page<Data>, void, undefined> {
  for (let page: Page<Data> | undefined = first; page; page = await page.nextPage()) yield page;
}

/** A promise of the first page, and an iterator over the items of all pages. */
export class PagePromise<Data extends ListData> extends ApiPromise<Page<Data>> {
  constructor(cursor: string | undefined, getPage: GetPage<Data>) {
    super(getPage(cursor).then((answer) => ({ ...answer, data: new Page(answer.data, getPage) })));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<Data>, void, undefined> {
    yield* await this;
  }

  /** @returns an iterator over all pages */
  async *pages(): AsyncGenerator<Page<Data>, void, undefined> {
    yield* pagesFrom(await this);
  }
}
