/**
 * A collection is one kind of item, bound once to its table and partition. Reads have the kind's type. Writes must have exactly
 * the kind's attributes: missing and unknown attributes do not compile.
 *
 *   const versions = projectCollection<StoredAvatarVersion, [avatarId: string]>('avatars', (avatarId) => [avatarId]);
 *   await versions.at(store, avatarId).get('v0000000001');
 */

import type { ErrorCode } from '../base/errors.ts';
import type { Order, Page, Partition, ProjectStore, Store } from './store.ts';
import type { TableName } from './tables.ts';
import type { Condition, Item, Stamp, Write } from './write.ts';

/** A stored item: its attributes, its partition key, and the stamps of its last change. */
export type Stored<Attributes extends { id: string }> = Attributes & { tenant: string } & Stamp;

/** An item to write. The write adds the partition key and the stamps. */
export type Unstored<Kind> = Omit<Kind, 'tenant' | keyof Stamp>;

/** Refuses unknown attributes, including those from a spread. */
type Exact<Given, Kind> = Given & { [Name in Exclude<keyof Given, keyof Kind>]: never };

/** The key of an item in its collection is its id, and the parents in the name of its partition. */
export type Key<Parents extends readonly string[]> = readonly [id: string, ...parents: Parents];

export type Collection<
  Kind extends Item,
  Parents extends readonly string[] = [],
  In extends Store = ProjectStore,
> = {
  readonly table: TableName;
  /** The partitions are below a project. */
  readonly belowProject: boolean;
  /** @returns the part of the partition key after the tenant, and after the project if there is one */
  partition(...parents: Parents): Partition;
  /** @returns the items of one partition */
  at(store: In, ...parents: Parents): Items<Kind>;
  /** @returns the existing items, unordered, from any of its partitions */
  getMany(store: In, keys: readonly Key<Parents>[]): Promise<Kind[]>;
  /** @returns the item of a stream record */
  read(item: Item): Kind;
};

export type Items<Kind extends Item> = {
  key(id: string): { tenant: string; id: string };
  /** @returns the current item, by a strongly consistent read */
  get(id: string): Promise<Kind | undefined>;
  /** @returns the existing items, unordered */
  getMany(ids: readonly string[]): Promise<Kind[]>;
  /** @returns one page, strongly consistent */
  page(query: ItemQuery<Kind>): Promise<Page<Kind>>;
  /**
   * Reads a page through an index.
   * @param hydrate reads the items of the filtered entries, which have the same ids, in the order of the entries
   */
  pageHydrated<Shown extends { id: string }>(
    query: ItemQuery<Kind>,
    hydrate: (entries: readonly Kind[]) => Promise<Shown[]>,
  ): Promise<Page<Shown>>;
  /** Writes a whole item, by default a new one. An item that was read may be written back with changes. */
  put<Given extends Unstored<Kind> & { id: string }, Code extends ErrorCode = never>(
    item: Exact<Given, Kind>,
    options?: Options<Kind, Code>,
  ): Write<Code>;
  /** Sets these attributes and keeps the others. */
  update<Given extends Partial<Omit<Unstored<Kind>, 'id'>>, Code extends ErrorCode = never>(
    id: string,
    changes: Exact<Given, Kind>,
    options: Options<Kind, Code> & Further<Kind>,
  ): Write<Code>;
  remove<Code extends ErrorCode = never>(id: string, options: Options<Kind, Code>): Write<Code>;
  /** A check without a write: the other writes take effect only if the condition holds. */
  check<Code extends ErrorCode = never>(id: string, options: Options<Kind, Code>): Write<Code>;
  readonly table: TableName;
  readonly partition: Partition;
};

export type ItemQuery<Kind> = {
  /** The first and the last id, inclusive. The default is the whole partition. */
  from?: string;
  to?: string;
  /** The default is `newest`. */
  order?: Order;
  /** The page continues after this id, in this order. */
  after?: string | undefined;
  limit: number;
  /** The filter is for the items that were read. The default is all. */
  filter?: (item: Kind) => boolean;
};

type Options<Kind, Code extends ErrorCode> = {
  condition: Condition<keyof Kind & string>;
  /** The error of the endpoint for a failed condition. By default, the request is retried. */
  onConditionFailed?: Code;
};

type Further<Kind> = {
  /** These numbers are added. A missing attribute counts as 0. */
  add?: { readonly [Name in keyof Kind as Kind[Name] extends number | undefined ? Name : never]?: number };
  /** These numbers are added to sets. A missing attribute counts as an empty set. */
  addToSet?: {
    readonly [Name in keyof Kind as Kind[Name] extends ReadonlySet<number>
      ? Name
      : never]?: ReadonlySet<number>;
  };
  /** These attributes are removed. */
  drop?: readonly OptionalName<Kind>[];
};

type OptionalName<Kind> = {
  [Name in keyof Kind]-?: object extends Pick<Kind, Name> ? Name : never;
}[keyof Kind] &
  string;

/** @returns the condition that the item is unchanged since it was read */
export const unchanged = ({ changedIn }: Pick<Stamp, 'changedIn'>) =>
  ({ kind: 'unchanged', changedIn }) as const;

/**
 * A kind of item in the tenant's own partitions.
 * @param partition the part of the partition key after the tenant
 */
export function tenantCollection<Kind extends Item, Parents extends readonly string[] = []>(
  table: TableName,
  partition: (...parents: Parents) => Partition = () => [],
): Collection<Kind, Parents, Store> {
  return define(table, false, partition);
}

/**
 * A kind of item below a project.
 * @param partition the part of the partition key after the project
 */
export function projectCollection<Kind extends Item, Parents extends readonly string[] = []>(
  table: TableName,
  partition: (...parents: Parents) => Partition = () => [],
): Collection<Kind, Parents, ProjectStore> {
  return define(table, true, partition);
}

function define<Kind extends Item, Parents extends readonly string[], In extends Store>(
  table: TableName,
  belowProject: boolean,
  partition: (...parents: Parents) => Partition,
): Collection<Kind, Parents, In> {
  // Only this file casts an item to its kind. Only this collection writes to its partitions.
  const read = (item: Item): Kind => item as Kind;
  const partitionIn = (store: In, parents: Parents): Partition =>
    belowProject ? [projectIdIn(store), ...partition(...parents)] : partition(...parents);

  return {
    table,
    belowProject,
    partition,
    read,
    at: (store, ...parents) => itemsIn(store, table, partitionIn(store, parents), read),
    async getMany(store, keys) {
      const keysInTable = keys.map(([id, ...parents]) => ({ id, partition: partitionIn(store, parents) }));
      return (await store.getMany(table, keysInTable)).map(read);
    },
  };
}

function projectIdIn({ projectId }: Store): string {
  if (!projectId) throw new Error('the store is bound to no project');
  return projectId;
}

function itemsIn<Kind extends Item>(
  store: Store,
  table: TableName,
  partition: Partition,
  read: (item: Item) => Kind,
): Items<Kind> {
  const storeQuery = ({ from = ' ', to = '~', after, filter, ...rest }: ItemQuery<Kind>) => ({
    ...rest,
    partition,
    from,
    to,
    after,
    ...(filter && { filter: (item: Item) => filter(read(item)) }),
  });
  return {
    table,
    partition,
    key: (id) => store.key(id, partition),
    get: (id) => store.get(table, id, partition) as Promise<Kind | undefined>,
    getMany: async (ids) => (await store.getMany(table, ids, partition)).map(read),
    async page(query) {
      const { items, next } = await store.page(table, storeQuery(query));
      return { items: items.map(read), next };
    },
    pageHydrated: (query, hydrate) =>
      store.page(table, { ...storeQuery(query), hydrate: (entries) => hydrate(entries.map(read)) }),
    put: (item, options = { condition: { kind: 'absent' } }) =>
      store.put(table, item, { ...options, partition }),
    update: (id, changes, options) => store.update(table, id, changes, { ...options, partition }),
    remove: (id, options) => store.remove(table, id, { ...options, partition }),
    check: (id, options) => store.check(table, id, { ...options, partition }),
  };
}
