/** The local service: every endpoint behind a local gateway, with a running DynamoDB Local. */

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
 * @param prefix of the tables' names; missing tables are created
 * @param variables additional environment variables of the functions
 */
export async function openService(
  endpoint: string,
  prefix: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<LocalService> {
  // The SDK finds DynamoDB through the environment, as in a function.
  Object.assign(process.env, localCredentials, { AWS_ENDPOINT_URL_DYNAMODB: endpoint });
  await createTables(new DynamoDBClient({}), prefix);
  const env = { ...process.env, ...tableVariables(prefix), ...variables };
  const runtime = { ...createRuntime(env), log: logForPeople };
  return { runtime, routes: routesOf(runtime) };
}

/** Starts the workers in this process. With --persist, they start with work from before this start. */
export const startWorkers = (runtime: Runtime, endpoint: string): Promise<Followers> =>
  followStreams(workers, runtime, { endpoint, from: 'TRIM_HORIZON' });

export const routesOf = (runtime: Runtime): Route[] =>
  endpoints.map((endpoint) => ({ endpoint, handler: createHandler(endpoint, runtime) }));

/** Logs a request in one short line, and a fault in full. */
function logForPeople(line: LogLine): void {
  if ('fault' in line) console.error(line.message, line.fault);
  else if ('worker' in line)
    console.log(`${line.failed ? 'failed' : 'done'} ${line.worker} ${line.item} ${line.durationMs} ms`);
  else console.log(`${line.status} ${line.endpoint} ${line.error ?? ''} ${line.durationMs.toFixed(0)} ms`);
}
