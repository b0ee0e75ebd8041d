/** The service under measurement, with its own DynamoDB Local and one organisation. */

import { noFiles } from '../lib/base/files.ts';
import { bootstrapOrganisation } from '../lib/credentials/bootstrap.ts';
import type { Runtime } from '../lib/http/runtime.ts';
import { meter, type Usage } from '../measures/meter.ts';
import { type ApiResponse, type CallOptions, call } from '../scripts/local/call.ts';
import { startDynamoDb } from '../scripts/local/dynamodb.ts';
import type { Route } from '../scripts/local/gateway.ts';
import { openService, routesOf } from '../scripts/local/service.ts';

export const tablePrefix = 'bench';

export type Bench = {
  runtime: Runtime;
  /** The address of DynamoDB Local. */
  endpoint: string;
  routes: readonly Route[];
  organisationId: string;
  key: string;
  send: (method: string, path: string, options?: CallOptions) => Promise<ApiResponse>;
  /** The DynamoDB usage of a request. */
  usageOf: (request: () => Promise<ApiResponse>) => Promise<Usage>;
  stop: () => Promise<void>;
};

export async function openBench(): Promise<Bench> {
  const database = await startDynamoDb({ isBusy: true });
  const { runtime: logging } = await openService(database.endpoint, tablePrefix);
  // A link is computed without a request.
  const files = { ...noFiles, uploadLink: async (key: string) => `https://localhost/${key}` };
  const runtime: Runtime = { ...logging, log: () => {}, files };
  const metered = meter(runtime.client);
  const routes = routesOf({ ...runtime, client: metered.client });
  const { organisationId, secret: key } = await bootstrapOrganisation(runtime, 'Bench', 'live');
  const send = (method: string, path: string, options: CallOptions = {}) =>
    call(routes, method, path, { key, ...options });
  // The first use of a key per hour is recorded. That must not be measured.
  await send('GET', '/api-keys/me');
  return {
    runtime,
    endpoint: database.endpoint,
    routes,
    organisationId,
    key,
    send,
    async usageOf(request) {
      metered.reset();
      const { status, text } = await request();
      if (status >= 300) throw new Error(text);
      return metered.usage();
    },
    stop: database.stop,
  };
}
