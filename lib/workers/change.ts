/** A change of an item, as the dispatcher reads it from a table's stream. The images never leave the dispatcher. */

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Tenant } from '../base/caller.ts';
import { secondMs } from '../base/time.ts';
import type { TableName } from '../dynamodb/tables.ts';
import type { Item } from '../dynamodb/write.ts';
import type { Notice } from './notice.ts';

export type Change = Notice & {
  /** Undefined for a new item. */
  before: Item | undefined;
  /** Undefined for a removed item. */
  after: Item | undefined;
};

/** @throws Error if the record has no event name or no keys */
export function readChange({ eventName, dynamodb }: DynamoDBRecord, table: TableName): Change {
  const key = readImage(dynamodb?.Keys);
  if (!eventName || typeof key?.tenant !== 'string')
    throw new Error('a stream record without a name or keys');
  const after = readImage(dynamodb?.NewImage);
  return {
    table,
    kind: eventName,
    ...placeOf(key.tenant),
    id: key.id,
    atMs: (dynamodb?.ApproximateCreationDateTime ?? 0) * secondMs,
    ...stampOf(after),
    sequence: dynamodb?.SequenceNumber ?? '',
    before: readImage(dynamodb?.OldImage),
    after,
  };
}

/**
 * An organisation has a partition for both modes. The notices of its changes are those of its live tenant.
 * @param key an item's partition key
 */
export function placeOf(key: string): Pick<Notice, 'tenant' | 'partition'> {
  const [organisationId, mode = 'live', ...partition] = key.split('#');
  return { tenant: `${organisationId}#${mode}` as Tenant, partition };
}

/** @returns the worker's notice of a change that it wants, without its images; undefined if its `detail` says nothing */
export function noticeFor(
  { detail }: { detail?(change: Change): unknown },
  change: Change,
): Notice | undefined {
  const { before: _, after: __, ...notice } = change;
  if (!detail) return notice;
  const said = detail(change);
  return said === undefined ? undefined : { ...notice, detail: said };
}

const readImage = (image: object | undefined): Item | undefined =>
  image && (unmarshall(image as Record<string, AttributeValue>) as Item);

/** Items that are written in batches have no stamps. */
export const stampOf = (item: Item | undefined): Pick<Notice, 'changedBy' | 'changedIn'> => ({
  ...(typeof item?.changedBy === 'string' && { changedBy: item.changedBy }),
  ...(typeof item?.changedIn === 'string' && { changedIn: item.changedIn }),
});
