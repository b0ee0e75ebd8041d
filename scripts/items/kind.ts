/** The kinds of items: what docs/storage.md and docs/items.md say of each, and what a test compares with what is stored. */

import { ulidPattern } from '../../lib/base/ids.ts';
import type { Collection } from '../../lib/dynamodb/collection.ts';
import { resourceAt, tracedAt } from '../../lib/dynamodb/resources.ts';
import type { Store } from '../../lib/dynamodb/store.ts';
import type { TableName } from '../../lib/dynamodb/tables.ts';
import type { Item, Stamp } from '../../lib/dynamodb/write.ts';

/** The ULID of all ids in examples. */
export const ulid = '01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
/** A SHA-256 in base64url, in examples. */
export const sha256 = 'X3zvLhVxBOGGVFVTZ1pJfNpVEXtPlmjVh9UrCvYbNdk';
/** The hash of an index version, in examples. */
export const indexVersion = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b';
export const exampleTime = '2026-03-01T09:30:00.000Z';

export type Kind = {
  table: TableName;
  /** The example's partition and id, with `…` for what differs. */
  tenantText: string;
  idText: string;
  /** What it is, where its id does not say. */
  about?: string;
  /** When TTL removes it. */
  removed: string;
  /** The parts of the example's keys that differ between items, besides ids, hashes and numbers. */
  varies: readonly string[];
  /** The attributes that not every item of the kind has. */
  optional: readonly string[];
  /** A complete item. */
  example: Item;
};

type OptionalName<Of> = { [Name in keyof Of]-?: object extends Pick<Of, Name> ? Name : never }[keyof Of];

type Description<Of extends Item, Parents> = {
  parents: Parents;
  /** `org_…#live` when left out. */
  tenant?: string;
  about?: string;
  /** `never` when left out. */
  removed?: string;
  /** Instead of the example's, with `…` for every ULID. */
  tenantText?: string;
  idText?: string;
  varies?: readonly string[];
  /** Every attribute that the type has, with the optional ones. */
  item: Required<Omit<Of, 'tenant' | keyof Stamp>> & { id: string };
  /** Written in batches, without stamps. */
  isUnstamped?: true;
  /** `changedBy` of the example, where no request writes the item. */
  writer?: string;
  /** `changedThrough` of the example, for a resource or a traced helper. */
  through?: string;
  optional?: readonly Exclude<OptionalName<Of>, keyof Stamp>[] & readonly string[];
};

export function kind<Of extends Item, Parents extends readonly string[], In extends Store>(
  collection: Collection<Of, Parents, In>,
  {
    parents,
    item,
    about,
    removed = 'never',
    optional = [],
    varies = [],
    isUnstamped,
    through,
    writer = through?.startsWith('worker:') ? through : `key_${ulid}`,
    ...texts
  }: Description<Of, Parents>,
): Kind {
  const project = collection.belowProject ? [`proj_${ulid}`] : [];
  const tenant = [texts.tenant ?? `org_${ulid}#live`, ...project, ...collection.partition(...parents)].join(
    '#',
  );
  const key = { tenant, id: item.id };
  const isResource = resourceAt(collection.table, key) !== undefined;
  const isTraced = tracedAt(collection.table, key) !== undefined;
  if (isResource !== (through !== undefined) && !isTraced)
    throw new Error(`${tenant} ${item.id}: through is for resources and traced helpers`);
  const stamps = isUnstamped
    ? {}
    : {
        changedBy: writer,
        ...(through !== undefined && { changedThrough: through }),
        changedIn: `call_${ulid}`,
        ...(through !== undefined &&
          writer.startsWith('key_') && {
            changedFrom: '203.0.113.7',
            changedUsing: 'curl/8.14.1',
            changedRequest: '7f1c5d0e-6a39-4f0b-9c55-0d1f5a3f8f10',
          }),
      };
  return {
    table: collection.table,
    tenantText: texts.tenantText ?? shorten(tenant),
    idText: texts.idText ?? shorten(item.id),
    ...(about !== undefined && { about }),
    removed,
    varies,
    optional,
    example: { tenant, ...item, ...stamps },
  };
}

const shorten = (text: string) => text.replaceAll(ulid, '…');

/** @returns whether an item of the table is of the kind, by its key */
export const isOfKind = ({ table, example, varies }: Kind, of: TableName, item: Item): boolean =>
  table === of && isAlike(example.tenant, item.tenant, varies) && isAlike(example.id, item.id, varies);

/** @returns whether the keys differ only in ids, hashes and numbers, and in the parts of the example that vary */
function isAlike(example: string, key: string, varies: readonly string[]): boolean {
  const expected = example.split(separator);
  const parts = key.split(separator);
  return (
    expected.length === parts.length &&
    expected.every((part, index) => varies.includes(part) || shape(part) === shape(parts[index] ?? ''))
  );
}

const separator = /[#.]/;
const anyUlid = new RegExp(ulidPattern, 'g');
const hexDigest = /^[\da-f]{40}$/;

const shape = (part: string): string =>
  part.length === sha256.length || hexDigest.test(part)
    ? 'hash'
    : part.replaceAll(anyUlid, 'ulid').replace(/\d+/g, 'number');
