/** Workers in tests, triggered by the streams of DynamoDB Local or by records like theirs. */

import type { DynamoDBRecord } from 'aws-lambda';
import { inject } from 'vitest';
import type { Client } from '../../lib/dynamodb/session.ts';
import type { Runtime } from '../../lib/http/runtime.ts';
import type { WorkerHandler } from '../../lib/workers/handler.ts';
import type { Worker } from '../../lib/workers/worker.ts';
import { openApi, type TestApi } from '../../samples/api.ts';
import { deliverNotices, noticesOf } from '../../samples/lambda-queue.ts';
import { openStreams } from '../../samples/tables.ts';
import { type FeedOptions, startFeed } from '../../scripts/local/feed.ts';
import { intercept } from './faults.ts';

/** Dispatches the changes from now on, of the API's organisation only. */
export async function follow(
  api: Pick<TestApi, 'runtime' | 'organisationId' | 'advance'>,
  workers: readonly Worker[],
  options: Partial<FeedOptions> = {},
) {
  await openStreams(workers.flatMap(({ sources }) => sources));
  return startFeed(workers, api.runtime, {
    endpoint: inject('dynamodbEndpoint'),
    from: 'LATEST',
    only: (tenant) => tenant.startsWith(api.organisationId),
    secondMs: 20,
    advance: api.advance,
    ...options,
  });
}

/**
 * Passes the notices of the records that the worker wants to it, in one batch.
 * @throws the first fault of the worker, if notices come again
 */
export const deliver = (
  { runtime }: Pick<TestApi, 'runtime'>,
  worker: Worker,
  records: readonly DynamoDBRecord[],
  context: Parameters<WorkerHandler>[1] = {},
): Promise<void> => deliverNotices(runtime, worker, noticesOf(worker, records), context);

/** A client whose process can be killed after this many calls, before or after the last one takes effect. */
export function mortal(client: Client) {
  const life = { callsLeft: Number.POSITIVE_INFINITY, afterwards: false, calls: 0 };
  const dying = intercept(client, (_, proceed) => {
    life.calls += 1;
    life.callsLeft -= 1;
    if (life.callsLeft > 0) return undefined;
    const dead = () => Promise.reject(new Error('killed'));
    return life.callsLeft === 0 && life.afterwards ? proceed().then(dead) : dead();
  });
  return { client: dying, life };
}

/** An API whose process dies after `life.callsLeft` calls, before or after the last one takes effect. */
export async function openMortal(adjust: Partial<Runtime> = {}) {
  let life = { callsLeft: Number.POSITIVE_INFINITY, afterwards: false, calls: 0 };
  const api = await openApi(({ client }) => {
    const dying = mortal(client);
    life = dying.life;
    return { client: dying.client, ...adjust };
  });
  return { api, life };
}
