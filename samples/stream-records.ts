/** Records of a DynamoDB stream, made by hand. */

import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Json } from '../scripts/local/call.ts';

/**
 * @param before the item before the change; undefined for a new item
 * @param after the item after the change; undefined for a removal
 * @returns the record of the change, as the table's stream has it
 */
export function changeRecord(
  before: Json | undefined,
  after: Json | undefined,
  sequenceNumber = '1',
): DynamoDBRecord {
  const { tenant, id } = (after ?? before) as { tenant: string; id: string };
  const record = {
    eventName: !before ? 'INSERT' : after ? 'MODIFY' : 'REMOVE',
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(Date.now() / 1000),
      SequenceNumber: sequenceNumber,
      Keys: marshall({ tenant, id }),
      ...(before && { OldImage: marshall(before) }),
      ...(after && { NewImage: marshall(after) }),
    },
  };
  return record as DynamoDBRecord;
}
