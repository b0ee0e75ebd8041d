/**
 * Simulates Lambda with `BisectBatchOnFunctionError` and `ReportBatchItemFailures` ("Configuring partial batch response
 * with DynamoDB and Lambda", "Retaining discarded records for a DynamoDB data source").
 */

import type { DynamoDBRecord } from 'aws-lambda';
import type { WorkerHandler } from '../../lib/workers/worker.ts';

const retryAttempts = 3;

/** @returns the ids of the dead letters. A batch that keeps failing becomes one as a whole */
export async function asLambda(
  handler: WorkerHandler,
  records: readonly DynamoDBRecord[],
): Promise<string[]> {
  let batch = [...records];
  for (let tries = 0; tries <= retryAttempts; ) {
    try {
      const { batchItemFailures } = await handler({ Records: batch }, {});
      const first = batchItemFailures[0]?.itemIdentifier;
      if (first === undefined) return [];
      const done = batch.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === first);
      batch = batch.slice(done);
      if (done <= 0) tries += 1;
    } catch {
      if (batch.length > 1) {
        const half = Math.ceil(batch.length / 2);
        return [
          ...(await asLambda(handler, batch.slice(0, half))),
          ...(await asLambda(handler, batch.slice(half))),
        ];
      }
      tries += 1;
    }
  }
  return batch.map(({ dynamodb }) => dynamodb?.Keys?.id?.S ?? '');
}
