/** The tables for one tenant. A store reads and writes only in its tenant's partitions, and cannot name other partitions. */

import { BatchGetCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { ErrorCode } from '../base/errors.ts';
import { maxResponseBytes, responseBytes } from '../base/json.ts';
import type { Session } from './session.ts';
import type { TableName } from './tables.ts';
import { Unprocessed } from './transient.ts';
import type { Condition, FurtherChanges, Item, Write } from './write.ts';

/** The rest of a partition key after the tenant, such as `['proj_…']`; `[]` for the partition of the tenant itself. */
export type Partition = readonly string[];

export type Place = { id: string; partition: Partition };

export type PageQuery<Shown extends { id: string } = Item> = {
  partition?: Partition;
  from: string;
  to: string;
  /** The default is `newest`. */
  order?: Order;
  /** The page continues after this id, in this order. */
  after: string | undefined;
  limit: number;
  /** The filter is for the items that were read. The default is all. */
  filter?: (item: Item) => boolean;
  /**
   * An index reads the items of its filtered entries, which have the same ids.
   * @returns the items to return, in the order of the entries
   */
  hydrate?: (entries: readonly Item[]) => Promise<Shown[]>;
};

export type Order = 'newest' | 'oldest';

/** `next` is the id after which the list continues, null at its end. */
export type Page<Shown = Item> = { items: Shown[]; next: string | null };

export type Store = Pick<TenantStore, keyof TenantStore>;

/** A tenant's store for one project. */
export type ProjectStore = Store & { readonly projectId: string };

/** A page reads at most so many items, even if it returns few of them. The cursor continues after them. */
const maxItemsRead = 1000;

const maxBatchKeys = 100;
const maxBatchTries = 5;

/** @returns the number of items that fit into one page, at least one */
export function fitting(items: readonly unknown[]): number {
  let bytes = 0;
  const first = items.findIndex((item) => {
    bytes += responseBytes(item);
    return bytes > maxResponseBytes;
  });
  return first === -1 ? items.length : Math.max(first, 1);
}

/** @returns a page of these items; if all of them are returned, the list continues at `behind` */
export function toPage<Shown extends { id: string }>(
  items: readonly Shown[],
  limit: number,
  behind: string | null,
): Page<Shown> {
  const returned = items.slice(0, Math.min(limit, fitting(items)));
  const last = returned.at(-1);
  if (last && returned.length < items.length) return { items: returned, next: last.id };
  // A full page continues after its last item, so that the cursor reveals nothing about filtered items.
  const next = behind !== null && last && returned.length === limit ? last.id : behind;
  return { items: returned, next };
}

export const bindStore = (session: Session, tenant: string): Store => new TenantStore(session, tenant);

/** This is a class, because each request makes several stores, and their methods exist once. */
class TenantStore {
  readonly projectId?: string;
  readonly #session: Session;
  readonly #tenant: string;

  constructor(session: Session, tenant: string, projectId?: string) {
    this.#session = session;
    this.#tenant = tenant;
    if (projectId !== undefined) this.projectId = projectId;
  }

  inProject(projectId: string): ProjectStore {
    return new TenantStore(this.#session, this.#tenant, projectId) as ProjectStore;
  }

  key(id: string, partition: Partition = []): { tenant: string; id: string } {
    return { tenant: partition.length > 0 ? [this.#tenant, ...partition].join('#') : this.#tenant, id };
  }

  /** @returns the current item, by a strongly consistent read */
  async get(table: TableName, id: string, partition?: Partition): Promise<Item | undefined> {
    const command = new GetCommand({
      TableName: this.#session.tableName(table),
      Key: this.key(id, partition),
      ConsistentRead: true,
      ReturnConsumedCapacity: 'TOTAL',
    });
    const { Item } = await this.#session.run([[table, 'GetItem']], (client) => client.send(command));
    return Item as Item | undefined;
  }

  /** @returns the existing items, unordered */
  async getMany(table: TableName, ids: readonly (string | Place)[], partition?: Partition): Promise<Item[]> {
    const name = this.#session.tableName(table);
    const items: Item[] = [];
    let tries = 0;
    const keyAt = (place: string | Place) =>
      typeof place === 'string' ? this.key(place, partition) : this.key(place.id, place.partition);
    for (let keys = ids.map(keyAt); keys.length > 0; ) {
      const command = new BatchGetCommand({
        RequestItems: { [name]: { Keys: keys.slice(0, maxBatchKeys), ConsistentRead: true } },
        ReturnConsumedCapacity: 'TOTAL',
      });
      const output = await this.#session.run([[table, 'BatchGetItem']], (client) => client.send(command));
      items.push(...((output.Responses?.[name] ?? []) as Item[]));
      // A response may omit keys (above 16 MB, or throttled). They are requested again.
      const omittedKeys = (output.UnprocessedKeys?.[name]?.Keys ?? []) as typeof keys;
      if (omittedKeys.length > 0) tries += 1;
      if (tries === maxBatchTries) throw new Unprocessed();
      keys = [...omittedKeys, ...keys.slice(maxBatchKeys)];
    }
    return items;
  }

  /** @returns one page, by strongly consistent reads */
  async page<Shown extends { id: string } = Item>(
    table: TableName,
    query: PageQuery<Shown>,
  ): Promise<Page<Shown>> {
    const { partition, from, to, after, filter = () => true, hydrate } = query;
    const forward = query.order === 'oldest';
    const [first, last] = forward ? [from, to] : [to, from];
    const isBehind = (id: string, other: string) => (forward ? id > other : id < other);
    if (from > to || (after !== undefined && !isBehind(last, after))) return { items: [], next: null };
    const results: Shown[] = [];
    // DynamoDB refuses a start outside the range.
    let start = after !== undefined && isBehind(after, first) ? this.key(after, partition) : undefined;
    let read = 0;
    // Hydrated items are read in batches, and may be large.
    const maxSize = hydrate ? maxBatchKeys : maxItemsRead;
    // One additional item shows whether there is a next page. If the filter drops many items, each further read is larger. So a
    // dense list reads little more than it returns, and a sparse list takes few calls.
    for (let size = query.limit + 1; ; size = Math.min(size * 4, maxSize, maxItemsRead - read)) {
      const command = new QueryCommand({
        TableName: this.#session.tableName(table),
        KeyConditionExpression: '#tenant = :tenant AND #id BETWEEN :from AND :to',
        ExpressionAttributeNames: { '#tenant': 'tenant', '#id': 'id' },
        ExpressionAttributeValues: {
          ':tenant': this.key('', partition).tenant,
          ':from': query.from,
          ':to': query.to,
        },
        ScanIndexForward: forward,
        ConsistentRead: true,
        Limit: size,
        ...(start && { ExclusiveStartKey: start }),
        ReturnConsumedCapacity: 'TOTAL',
      });
      const output = await this.#session.run([[table, 'Query']], (client) => client.send(command));
      const items = (output.Items ?? []) as Item[];
      read += items.length;
      const filtered = items.filter(filter);
      results.push(...(hydrate ? await hydrate(filtered) : (filtered as Item[] & Shown[])));
      start = output.LastEvaluatedKey as typeof start;
      // DynamoDB stops a read at 1 MB. The items are large then, so they are enough for a page.
      const isCut = start !== undefined && items.length < size;
      if (!start || isCut || results.length >= query.limit || read >= maxItemsRead) {
        return toPage(results, query.limit, start?.id ?? null);
      }
    }
  }

  put<Code extends ErrorCode = never>(
    table: TableName,
    item: { id: string } & Readonly<Record<string, unknown>>,
    options: WriteOptions<Code> = { condition: { kind: 'absent' } },
  ): Write<Code> {
    const { id, ...attributes } = item;
    return {
      action: 'PutItem',
      table,
      key: this.key(id, options.partition),
      attributes,
      ...outcome(options),
    };
  }

  update<Code extends ErrorCode = never>(
    table: TableName,
    id: string,
    attributes: Readonly<Record<string, unknown>>,
    { add = {}, addToSet = {}, drop = [], ...options }: WriteOptions<Code> & FurtherChanges,
  ): Write<Code> {
    const place = this.key(id, options.partition);
    const further = { add, addToSet, drop };
    return { action: 'UpdateItem', table, key: place, attributes, ...further, ...outcome(options) };
  }

  remove<Code extends ErrorCode = never>(
    table: TableName,
    id: string,
    options: WriteOptions<Code>,
  ): Write<Code> {
    return { action: 'DeleteItem', table, key: this.key(id, options.partition), ...outcome(options) };
  }

  check<Code extends ErrorCode = never>(
    table: TableName,
    id: string,
    options: WriteOptions<Code>,
  ): Write<Code> {
    return { action: 'ConditionCheckItem', table, key: this.key(id, options.partition), ...outcome(options) };
  }
}

type WriteOptions<Code extends ErrorCode> = {
  partition?: Partition;
  condition: Condition;
  /** The default is `retry`. */
  onConditionFailed?: Code;
};

const outcome = <Code extends ErrorCode>(options: WriteOptions<Code>) => ({
  condition: options.condition,
  onConditionFailed: options.onConditionFailed ?? ('retry' as const),
});
