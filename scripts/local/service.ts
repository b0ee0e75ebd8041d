/** The local service: every endpoint behind a local gateway, with a running DynamoDB Local. */

import { resolve } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { endpoints } from '../../functions/index.ts';
import type { Files } from '../../lib/base/files.ts';
import { commitVariable, versionVariable } from '../../lib/base/version.ts';
import { tableVariables } from '../../lib/dynamodb/tables.ts';
import { coreOf } from '../../lib/http/middleware/cores.ts';
import { createHandler, type Handler } from '../../lib/http/middleware/pipeline.ts';
import { createRuntime, type Runtime } from '../../lib/http/runtime.ts';
import { loopbackVariable } from '../../lib/network/network.ts';
import type { Variables } from '../../lib/runtime/function-client.ts';
import { secretsKeyVariable } from '../../lib/runtime/secret-box.ts';
import { useEncoder } from '../../lib/search/semantic/encoder.ts';
import manifest from '../../package.json' with { type: 'json' };
import { commitOf } from '../shared/commit.ts';
import { root } from '../shared/root.ts';
import { localDownloads } from './downloads.ts';
import { createTables, localCredentials, localKeyStart, patientClient } from './dynamodb.ts';
import { fetchedEncoder } from './encoder.ts';
import type { Route } from './gateway.ts';
import { logForPeople } from './log-for-people.ts';
import { localSecretsKey } from './machine-key.ts';

/** The start of the names of the tables of `npm run dev`. */
export const devPrefix = 'dev';

type LocalService = { runtime: Runtime; routes: readonly Route[]; env: Variables };

/**
 * @param prefix of the tables' names; missing tables are created
 * @param variables additional environment variables of the functions
 * @param files where exports go; without files, there are no exports
 */
export async function openService(
  endpoint: string,
  prefix: string,
  variables: Readonly<Record<string, string>> = {},
  files?: Files,
): Promise<LocalService> {
  // The SDK finds DynamoDB through the environment, as in a function.
  const { AWS_ACCESS_KEY_ID = '' } = process.env;
  const own = AWS_ACCESS_KEY_ID.startsWith(localKeyStart) ? { AWS_ACCESS_KEY_ID } : {};
  Object.assign(process.env, localCredentials, own, { AWS_ENDPOINT_URL_DYNAMODB: endpoint });
  useEncoder(fetchedEncoder);
  await createTables(new DynamoDBClient(patientClient), prefix);
  const env = {
    ...process.env,
    ...tableVariables(prefix),
    [commitVariable]: commitOf(root),
    [secretsKeyVariable]: localSecretsKey(),
    [loopbackVariable]: 'true',
    [versionVariable]: manifest.version,
    ...variables,
  };
  const downloads = localDownloads(resolve(root, '.local/downloads'));
  const runtime = {
    ...createRuntime(env, patientClient),
    ...(files && { files }),
    downloads,
    log: logForPeople,
  };
  return { runtime, routes: routesOf(runtime), env };
}

export const routesOf = (runtime: Runtime): Route[] =>
  endpoints.map((endpoint) => {
    const handler = createHandler(endpoint, runtime, coreOf(endpoint));
    const build = builders[endpoint.id.split('.')[0] ?? ''];
    return { endpoint, handler: build ? whenBuilt(handler, build) : handler };
  });

/** By the folder of the endpoints: the function that builds the files of a page. */
const builders: Readonly<Record<string, () => Promise<void>>> = {
  docs: async () => (await import('../reference/build.ts')).ensureReference(),
  console: async () => (await import('../console/build.ts')).ensureConsole(),
};

/** The first request for a page builds its files. */
const whenBuilt =
  (handler: Handler, build: () => Promise<void>): Handler =>
  async (event, context) => {
    await build();
    return handler(event, context);
  };
