/**
 * The tables as one tenant sees them. A store reads in its tenant's partitions only and makes writes for them only;
 * there is no way to name another's.
 */

import { BatchGetCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { ErrorCode } from '../errors.ts';
import { maxResponseBytes, responseBytes } from '../response-bytes.ts';
import type { Session } from './session.ts';
import type { TableName } from './tables.ts';
import type { Condition, FurtherChanges, Item, Write } from './write.ts';

/** Which of the tenant's partitions: `[]` for its own, else what comes behind it (a parent's id, `deleted`). */
export type Within = readonly string[];

/** One item: its id, and the partition that it is in. */
export type Place = { id: string; within: Within };

export type PageQuery<Shown extends { id: string } = Item> = {
  within?: Within;
  /** Ids from and to, both included. */
  from: string;
  to: string;
  /** Newest first when left out. */
  order?: Order;
  /** Going on behind this id, in that order. */
  after: string | undefined;
  limit: number;
  /** Which items to show, decided on what was read; all when left out. */
  keep?: (item: Item) => boolean;
  /**
   * For an index: reads the items that its kept entries stand for, which have the same ids.
   * @returns those to show, in the order of the entries
   */
  follow?: (entries: readonly Item[]) => Promise<Shown[]>;
};

export type Order = 'newest' | 'oldest';

/** `next` is the id behind which the list goes on, null at its end. */
export type Page<Shown = Item> = { items: Shown[]; next: string | null };

export type Store = ReturnType<typeof bindTables> & {
  readonly projectId?: string;
  /** @returns the store for what is below a project */
  inProject(projectId: string): ProjectStore;
};

/** A tenant's store that knows which project it works in. */
export type ProjectStore = Store & { readonly projectId: string };

/** A page reads at most so many items, however few of them it may show: a call ends, the cursor goes on. */
const maxItemsRead = 1000;

/** BatchGetItem takes at most so many keys. */
const maxBatchKeys = 100;
const maxBatchTries = 5;

/** DynamoDB keeps leaving keys out, which it does when it is throttled. */
class Unprocessed extends Error {
  override readonly name = 'ThrottlingException';
}

/** @returns how many of the items fit into one page, at least one */
function fitting(items: readonly unknown[]): number {
  let bytes = 0;
  const first = items.findIndex((item) => {
    bytes += responseBytes(item);
    return bytes > maxResponseBytes;
  });
  return first === -1 ? items.length : Math.max(first, 1);
}

/** @returns the page of what was found, in its order; `behind` is where to go on when all of it is shown */
export function pageOf<Shown extends { id: string }>(
  found: readonly Shown[],
  limit: number,
  behind: string | null,
): Page<Shown> {
  const items = found.slice(0, Math.min(limit, fitting(found)));
  const last = items.at(-1);
  if (last && items.length < found.length) return { items, next: last.id };
  // What was read and not shown is nobody's to know: a full page goes on behind its last item.
  return { items, next: behind !== null && last && items.length === limit ? last.id : behind };
}

export function bindStore(session: Session, tenant: string): Store {
  const tables = bindTables(session, tenant);
  const inProject = (projectId: string): ProjectStore => ({ ...tables, inProject, projectId });
  return { ...tables, inProject };
}

function bindTables(session: Session, tenant: string) {
  const keyOf = (id: string, within: Within = []) => ({ tenant: [tenant, ...within].join('#'), id });

  return {
    /** @returns the item as it is now: a strongly consistent read */
    async get(table: TableName, id: string, within?: Within): Promise<Item | undefined> {
      const command = new GetCommand({
        TableName: session.tableName(table),
        Key: keyOf(id, within),
        ConsistentRead: true,
        ReturnConsumedCapacity: 'TOTAL',
      });
      const { Item } = await session.run([[table, 'GetItem']], (client) => client.send(command));
      return Item as Item | undefined;
    },

    /** @returns those of the items that exist, in no order */
    async getMany(table: TableName, ids: readonly (string | Place)[], within?: Within): Promise<Item[]> {
      const name = session.tableName(table);
      const items: Item[] = [];
      let tries = 0;
      const place = (id: string | Place) =>
        typeof id === 'string' ? keyOf(id, within) : keyOf(id.id, id.within);
      for (let keys = ids.map(place); keys.length > 0; ) {
        const command = new BatchGetCommand({
          RequestItems: { [name]: { Keys: keys.slice(0, maxBatchKeys), ConsistentRead: true } },
          ReturnConsumedCapacity: 'TOTAL',
        });
        const output = await session.run([[table, 'BatchGetItem']], (client) => client.send(command));
        items.push(...((output.Responses?.[name] ?? []) as Item[]));
        // An answer may leave keys out (over 16 MB, or throttled); what it left is asked for again.
        const left = (output.UnprocessedKeys?.[name]?.Keys ?? []) as typeof keys;
        if (left.length > 0) tries += 1;
        if (tries === maxBatchTries) throw new Unprocessed();
        keys = [...left, ...keys.slice(maxBatchKeys)];
      }
      return items;
    },

    /** @returns one page, strongly consistent */
    async page<Shown extends { id: string } = Item>(
      table: TableName,
      query: PageQuery<Shown>,
    ): Promise<Page<Shown>> {
      const { from, to, after, keep = () => true, follow } = query;
      const forward = query.order === 'oldest';
      const [first, last] = forward ? [from, to] : [to, from];
      const isBehind = (id: string, other: string) => (forward ? id > other : id < other);
      if (from > to || (after !== undefined && !isBehind(last, after))) return { items: [], next: null };
      const found: Shown[] = [];
      // DynamoDB refuses to start outside of the range.
      let start = after !== undefined && isBehind(after, first) ? keyOf(after, query.within) : undefined;
      let read = 0;
      // What an index leads to is read in batches, and an item there may be large.
      const maxSize = query.follow ? maxBatchKeys : maxItemsRead;
      // One item more than asked for tells whether there is a next page. Where the filter drops many, each
      // further read is larger than the last, so that a dense list costs what it shows and a sparse one few calls.
      for (let size = query.limit + 1; ; size = Math.min(size * 4, maxSize, maxItemsRead - read)) {
        const command = new QueryCommand({
          TableName: session.tableName(table),
          KeyConditionExpression: '#tenant = :tenant AND #id BETWEEN :from AND :to',
          ExpressionAttributeNames: { '#tenant': 'tenant', '#id': 'id' },
          ExpressionAttributeValues: {
            ':tenant': keyOf('', query.within).tenant,
            ':from': query.from,
            ':to': query.to,
          },
          ScanIndexForward: forward,
          ConsistentRead: true,
          Limit: size,
          ...(start && { ExclusiveStartKey: start }),
          ReturnConsumedCapacity: 'TOTAL',
        });
        const output = await session.run([[table, 'Query']], (client) => client.send(command));
        const items = (output.Items ?? []) as Item[];
        read += items.length;
        const kept = items.filter(keep);
        found.push(...(follow ? await follow(kept) : (kept as Item[] & Shown[])));
        start = output.LastEvaluatedKey as typeof start;
        // DynamoDB ends a read at 1 MB: then the items are large, and a page of them is large enough.
        const isCut = start !== undefined && items.length < size;
        if (!start || isCut || found.length >= query.limit || read >= maxItemsRead) {
          return pageOf(found, query.limit, start?.id ?? null);
        }
      }
    },

    put<Code extends ErrorCode = never>(
      table: TableName,
      item: { id: string } & Readonly<Record<string, unknown>>,
      options: WriteOptions<Code> = { condition: { kind: 'absent' } },
    ): Write<Code> {
      const { id, ...attributes } = item;
      return { action: 'PutItem', table, key: keyOf(id, options.within), attributes, ...outcome(options) };
    },

    update<Code extends ErrorCode = never>(
      table: TableName,
      id: string,
      attributes: Readonly<Record<string, unknown>>,
      { add = {}, drop = [], ...options }: WriteOptions<Code> & FurtherChanges,
    ): Write<Code> {
      const key = keyOf(id, options.within);
      return { action: 'UpdateItem', table, key, attributes, add, drop, ...outcome(options) };
    },

    remove<Code extends ErrorCode = never>(
      table: TableName,
      id: string,
      options: WriteOptions<Code>,
    ): Write<Code> {
      return { action: 'DeleteItem', table, key: keyOf(id, options.within), ...outcome(options) };
    },

    check<Code extends ErrorCode = never>(
      table: TableName,
      id: string,
      options: WriteOptions<Code>,
    ): Write<Code> {
      return { action: 'ConditionCheckItem', table, key: keyOf(id, options.within), ...outcome(options) };
    },
  };
}

type WriteOptions<Code extends ErrorCode> = {
  within?: Within;
  condition: Condition;
  /** `decide_again` when left out. */
  onConditionFailed?: Code;
};

const outcome = <Code extends ErrorCode>(options: WriteOptions<Code>) => ({
  condition: options.condition,
  onConditionFailed: options.onConditionFailed ?? ('decide_again' as const),
});
