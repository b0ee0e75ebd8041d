/** A change of an item, as a table's stream tells it. */

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Tenant } from '../caller.ts';
import type { Item } from '../dynamodb/write.ts';
import { secondMs } from '../time.ts';

export type ChangeKind = 'INSERT' | 'MODIFY' | 'REMOVE';

export type Change = {
  kind: ChangeKind;
  tenant: Tenant;
  /** What comes behind the tenant in the item's partition: a project's id, for what is below one. */
  within: readonly string[];
  id: string;
  /** When it took effect, in epoch milliseconds, to the second. */
  atMs: number;
  /** The item as it was; undefined for a new one. */
  before: Item | undefined;
  /** The item as it is since; undefined where it was removed. */
  after: Item | undefined;
};

/** Which changes wake a worker. */
export type Wake = {
  on: readonly ChangeKind[];
  /** How the item's id begins. */
  idPrefix: string;
  /** How its partition ends, for some kinds of several in a table. */
  partitions?: readonly string[];
};

/** @throws Error when the record is none of a table of ours with both images */
export function changeOf({ eventName, dynamodb }: DynamoDBRecord): Change {
  const key = imageOf(dynamodb?.Keys);
  if (!eventName || !key) throw new Error('a stream record without a name or keys');
  const [organisationId, mode, ...within] = key.tenant.split('#');
  return {
    kind: eventName,
    tenant: `${organisationId}#${mode}` as Tenant,
    within,
    id: key.id,
    atMs: (dynamodb?.ApproximateCreationDateTime ?? 0) * secondMs,
    before: imageOf(dynamodb?.OldImage),
    after: imageOf(dynamodb?.NewImage),
  };
}

const imageOf = (image: object | undefined): Item | undefined =>
  image && (unmarshall(image as Record<string, AttributeValue>) as Item);

export const isWanted = ({ kind, id, within }: Change, { on, idPrefix, partitions }: Wake): boolean =>
  on.includes(kind) &&
  id.startsWith(idPrefix) &&
  (partitions === undefined || partitions.includes(within.at(-1) ?? ''));
