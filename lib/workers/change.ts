/** A change of an item, read from a table's stream. */

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Tenant } from '../caller.ts';
import type { Partition } from '../dynamodb/store.ts';
import type { Item } from '../dynamodb/write.ts';
import { secondMs } from '../time.ts';

export type ChangeKind = 'INSERT' | 'MODIFY' | 'REMOVE';

export type Change = {
  kind: ChangeKind;
  tenant: Tenant;
  /** The item's partition below the tenant, such as `['proj_…', 'erased']`. */
  partition: Partition;
  id: string;
  /** When the change took effect: epoch milliseconds, rounded down to the second. */
  atMs: number;
  /** Undefined for a new item. */
  before: Item | undefined;
  /** Undefined for a removed item. */
  after: Item | undefined;
};

/** Which changes a worker gets. */
export type ChangeFilter = {
  on: readonly ChangeKind[];
  /** The item's id starts with this. */
  idPrefix: string;
  /** The last part of the item's partition is one of these. Default: any partition. */
  partitions?: readonly string[];
};

/** @throws Error if the record has no event name or no keys */
export function readChange({ eventName, dynamodb }: DynamoDBRecord): Change {
  const key = readImage(dynamodb?.Keys);
  if (!eventName || !key) throw new Error('a stream record without a name or keys');
  const [organisationId, mode, ...partition] = key.tenant.split('#');
  return {
    kind: eventName,
    tenant: `${organisationId}#${mode}` as Tenant,
    partition,
    id: key.id,
    atMs: (dynamodb?.ApproximateCreationDateTime ?? 0) * secondMs,
    before: readImage(dynamodb?.OldImage),
    after: readImage(dynamodb?.NewImage),
  };
}

const readImage = (image: object | undefined): Item | undefined =>
  image && (unmarshall(image as Record<string, AttributeValue>) as Item);

export const matches = ({ kind, id, partition }: Change, { on, idPrefix, partitions }: ChangeFilter) =>
  on.includes(kind) &&
  id.startsWith(idPrefix) &&
  (partitions === undefined || partitions.includes(partition.at(-1) ?? ''));
