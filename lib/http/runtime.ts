/**
 * What the pipeline has from the world outside: settings, credentials, clock, randomness and DynamoDB. Made once per
 * process.
 */

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { accessTokenCredential } from '../credentials/access-token-credential.ts';
import { apiKeyCredential } from '../credentials/api-key-credential.ts';
import type { CredentialKind } from '../credentials/kind.ts';
import { oidcSettings } from '../credentials/oidc-settings.ts';
import type { Client } from '../dynamodb/session.ts';
import { type TableName, tableNames, tables } from '../dynamodb/tables.ts';
import { type NewId, newIdFactory } from '../ids.ts';
import { createRenderer, type LogLine } from '../log.ts';
import { hourMs } from '../time.ts';
import { createTurns, type Turns } from './turns.ts';

export type Runtime = {
  client: Client;
  tableNames: Readonly<Partial<Record<TableName, string>>>;
  /** The kinds of credential that are accepted. */
  credentials: readonly CredentialKind[];
  /** How long an idempotency record is kept. */
  retentionMs: number;
  nowMs: () => number;
  /** Rises steadily, for durations. */
  elapsedMs: () => number;
  newId: NewId;
  randomBytes: (size: number) => Uint8Array;
  sleep: (ms: number) => Promise<unknown>;
  /** Of the requests that this process has at the same time. */
  turns: Turns;
  log: (line: LogLine) => void;
};

/** @throws Error for anything but a positive number: a record that expires at once would be no promise */
function hoursOf(text: string): number {
  const hours = Number(text);
  if (!(hours > 0 && Number.isFinite(hours)))
    throw new Error(`IDEMPOTENCY_HOURS is "${text}", not a number of hours`);
  return hours;
}

/** A number from 0 to below 1, from the system's secure source. */
const randomFraction = () => randomBytes(4).readUInt32BE() / 2 ** 32;

/** A request that DynamoDB does not answer must end, and get a response, before the gateway gives up. Milliseconds. */
const requestHandler = { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true };

/**
 * @param env the table names as the function's variables give them, `STAGE` (without it the log has no metrics),
 *   `IDEMPOTENCY_HOURS` (24 when left out), `OIDC_…` where access tokens are accepted, and what the AWS SDK reads
 * @param clientConfig settings of the DynamoDB client, beside those that the SDK finds itself
 * @throws Error that names a variable which cannot be right
 */
export function createRuntime(
  env: Readonly<Record<string, string | undefined>>,
  clientConfig: DynamoDBClientConfig = {},
): Runtime {
  const names: Partial<Record<TableName, string>> = {};
  for (const table of tableNames) {
    const name = env[tables[table].variable];
    if (name) names[table] = name;
  }
  const render = createRenderer(env.STAGE);
  return {
    client: DynamoDBDocumentClient.from(new DynamoDBClient({ requestHandler, ...clientConfig }), {
      // An object with a member of the name `constructor` passes for a class's instance, and is a map like any other.
      marshallOptions: { convertClassInstanceToMap: true },
    }),
    tableNames: names,
    credentials: [apiKeyCredential, accessTokenCredential(oidcSettings(env))],
    retentionMs: hoursOf(env.IDEMPOTENCY_HOURS ?? '24') * hourMs,
    nowMs: Date.now,
    elapsedMs: () => performance.now(),
    newId: newIdFactory(randomFraction),
    randomBytes,
    sleep,
    turns: createTurns(),
    log: (line) => console.log(render(line, Date.now())),
  };
}
