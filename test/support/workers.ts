/** Workers as tests wake them: by the streams of DynamoDB Local, or by records of the same form. */

import type { DynamoDBRecord } from 'aws-lambda';
import { inject } from 'vitest';
import type { Client } from '../../lib/dynamodb/session.ts';
import type { Runtime } from '../../lib/http/runtime.ts';
import { createWorkerHandler, type Worker, type WorkerHandler } from '../../lib/workers/worker.ts';
import { followStreams } from '../../scripts/local/streams.ts';
import { openApi, type TestApi } from './api.ts';
import { intercept } from './faults.ts';

/** Follows the streams from now on, for the API's organisation alone. */
export const follow = (api: TestApi, workers: readonly Worker[]) =>
  followStreams(workers, api.runtime, {
    endpoint: inject('dynamodbEndpoint'),
    from: 'LATEST',
    only: (tenant) => tenant.startsWith(api.organisationId),
  });

/** Gives the records to the worker, as Lambda would. */
export const deliver = (
  { runtime }: Pick<TestApi, 'runtime'>,
  worker: Worker,
  Records: DynamoDBRecord[],
  context: Parameters<WorkerHandler>[1] = {},
) => createWorkerHandler(worker, runtime)({ Records }, context);

/** A client whose process can be killed after so many calls, before the last one takes effect or behind it. */
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

/** An API whose process dies after `life.callsLeft` calls, before the last one takes effect or after it. */
export async function openMortal(adjust: Partial<Runtime> = {}) {
  let life = { callsLeft: Number.POSITIVE_INFINITY, afterwards: false, calls: 0 };
  const api = await openApi(({ client }) => {
    const dying = mortal(client);
    life = dying.life;
    return { client: dying.client, ...adjust };
  });
  return { api, life };
}
