/** The whole service on one machine: every endpoint behind a local gateway, on a DynamoDB Local that is running. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { endpoints } from '../../functions/index.ts';
import { createHandler } from '../../lib/http/middleware/pipeline.ts';
import { createRuntime, type Runtime } from '../../lib/http/runtime.ts';
import type { LogLine } from '../../lib/log.ts';
import { workers } from '../../workers/index.ts';
import { createTables, localCredentials, tableVariables } from './dynamodb.ts';
import type { Route } from './gateway.ts';
import { type Followers, followStreams } from './streams.ts';

export type LocalService = { runtime: Runtime; routes: readonly Route[] };

/**
 * @param prefix of the tables' names; those that are missing are made
 * @param variables what the functions find in their environment beside that
 */
export async function openService(
  endpoint: string,
  prefix: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<LocalService> {
  // The SDK finds DynamoDB the way it would in a function: through the environment.
  Object.assign(process.env, localCredentials, { AWS_ENDPOINT_URL_DYNAMODB: endpoint });
  await createTables(new DynamoDBClient({}), prefix);
  const env = { ...process.env, ...tableVariables(prefix), ...variables };
  const runtime = { ...createRuntime(env), log: logForPeople };
  return { runtime, routes: routesOf(runtime) };
}

/** The workers too, in this process. Kept data may hold work that was asked for before this start: they begin with that. */
export const startWorkers = (runtime: Runtime, endpoint: string): Promise<Followers> =>
  followStreams(workers, runtime, { endpoint, from: 'TRIM_HORIZON' });

export const routesOf = (runtime: Runtime): Route[] =>
  endpoints.map((endpoint) => ({ endpoint, handler: createHandler(endpoint, runtime) }));

/** A request in one short line; what went wrong in full. */
function logForPeople(line: LogLine): void {
  if ('fault' in line) console.error(line.message, line.fault);
  else if ('worker' in line)
    console.log(`${line.failed ? 'failed' : 'done'} ${line.worker} ${line.item} ${line.durationMs} ms`);
  else console.log(`${line.status} ${line.endpoint} ${line.error ?? ''} ${line.durationMs.toFixed(0)} ms`);
}
