/** The local service: every endpoint behind a local gateway, with a running DynamoDB Local. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { endpoints } from '../../functions/index.ts';
import { commitVariable } from '../../lib/base/commit.ts';
import type { Files } from '../../lib/base/files.ts';
import { secretsKeyVariable } from '../../lib/base/secret-box.ts';
import { tableVariables } from '../../lib/dynamodb/tables.ts';
import { coreOf } from '../../lib/http/middleware/core-of.ts';
import { createHandler, type Handler } from '../../lib/http/middleware/pipeline.ts';
import { createRuntime, type Runtime } from '../../lib/http/runtime.ts';
import { loopbackVariable } from '../../lib/network/network.ts';
import type { Variables } from '../../lib/runtime/function-client.ts';
import { commitOf } from '../shared/commit.ts';
import { root } from '../shared/root.ts';
import { createTables, localCredentials, patientClient } from './dynamodb.ts';
import type { Route } from './gateway.ts';
import { logForPeople } from './log-for-people.ts';
import { localSecretsKey } from './machine-key.ts';

/** Of the names of the tables of `npm run dev`. */
export const devPrefix = 'dev';

export type LocalService = { runtime: Runtime; routes: readonly Route[]; env: Variables };

/**
 * @param prefix of the tables' names; missing tables are created
 * @param variables additional environment variables of the functions
 * @param files where exports go; without them, there are none
 */
export async function openService(
  endpoint: string,
  prefix: string,
  variables: Readonly<Record<string, string>> = {},
  files?: Files,
): Promise<LocalService> {
  // The SDK finds DynamoDB through the environment, as in a function.
  Object.assign(process.env, localCredentials, { AWS_ENDPOINT_URL_DYNAMODB: endpoint });
  await createTables(new DynamoDBClient(patientClient), prefix);
  const env = {
    ...process.env,
    ...tableVariables(prefix),
    [commitVariable]: commitOf(root),
    [secretsKeyVariable]: localSecretsKey(),
    [loopbackVariable]: 'true',
    ...variables,
  };
  const runtime = { ...createRuntime(env, patientClient, files), log: logForPeople };
  return { runtime, routes: routesOf(runtime), env };
}

export const routesOf = (runtime: Runtime): Route[] =>
  endpoints.map((endpoint) => {
    const handler = createHandler(endpoint, runtime, coreOf(endpoint));
    return { endpoint, handler: endpoint.path.startsWith('/docs') ? whenBuilt(handler) : handler };
  });

/** The first request for the API reference builds its files. */
const whenBuilt =
  (handler: Handler): Handler =>
  async (event, context) => {
    const { ensureReference } = await import('../reference/build.ts');
    await ensureReference();
    return handler(event, context);
  };
