/**
 * The base runtime has the dependencies of every process, such as DynamoDB, clock, randomness and log. It is created once per
 * process. Workers need only these; endpoints need more (lib/http/runtime.ts).
 */

import { randomBytes, randomInt } from 'node:crypto';
import { readFileSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Files, noFiles } from '../base/files.ts';
import { type NewId, newIdFactory } from '../base/ids.ts';
import { createRenderer, type LogLine } from '../base/log.ts';
import { readLimits, type StageLimits } from '../base/stage-limits.ts';
import { secondMs } from '../base/time.ts';
import { commitVariable, unknownCommit } from '../base/version.ts';
import type { Client } from '../dynamodb/session.ts';
import { type TableName, tableNames, tables } from '../dynamodb/tables.ts';
import { type ModelClient, readModels } from '../models/models.ts';
import { loopbackVariable, type Network, resolveName } from '../network/network.ts';
import { type Fence, fence } from './fence.ts';
import { functionClientConfig, type Variables } from './function-client.ts';
import { machineBox, readMachineKey, type SecretBox, secretsKeyVariable } from './secret-box.ts';

export type BaseRuntime = {
  client: Client;
  tableNames: Readonly<Partial<Record<TableName, string>>>;
  nowMs: () => number;
  /** A monotonic clock, for durations. */
  elapsedMs: () => number;
  newId: NewId;
  randomBytes: (size: number) => Uint8Array;
  /** A number from 0 to below 1, from the secure source of the system. */
  randomFraction: () => number;
  sleep: (ms: number) => Promise<unknown>;
  log: (line: LogLine) => void;
  fence: Fence;
  /** The time after which a turn of a worker begins nothing new, if other work waits (lib/workers/turn.ts). */
  turnMs: number;
  files: Files;
  /** The time for which events stay in the audit log. */
  auditDays: number;
  commit: string;
  /** The box for secrets that the service needs again. */
  secretBox: SecretBox;
  network: Network;
  models: ModelClient;
  limits: StageLimits;
};

/** `randomInt` reads the source of the system in blocks. Four bytes for each number would need a system call each. */
const randomFraction = () => randomInt(2 ** 32) / 2 ** 32;

const elapsedMs = () => performance.now();

const turnMs = 10 * secondMs;

/** A request without a response from DynamoDB must end before the timeout of the gateway. */
const requestHandler = { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true };
const maxAttempts = 3;

/**
 * @param env the table names, `STAGE` (without it, the log has no metrics), `COMMIT`, `AUDIT_DAYS`, those of secret-box.ts and
 *   models.ts, and the AWS SDK's variables
 * @param clientConfig settings of the DynamoDB client, in addition to those of the SDK
 * @param files for functions that use files
 */
export function createBaseRuntime(
  env: Variables,
  clientConfig: DynamoDBClientConfig = {},
  files: Files = noFiles,
): BaseRuntime {
  const names: Partial<Record<TableName, string>> = {};
  for (const table of tableNames) {
    const name = env[tables[table].variable];
    if (name) names[table] = name;
  }
  const commit = env[commitVariable] || unknownCommit;
  const network: Network = { allowLoopback: env[loopbackVariable] === 'true', resolveName, elapsedMs };
  const render = createRenderer(env.STAGE, commit);
  return {
    client: DynamoDBDocumentClient.from(
      new DynamoDBClient({ requestHandler, maxAttempts, ...clientConfig }),
      {
        // Without this option, an object with a field named `constructor` is treated as a class instance.
        marshallOptions: { convertClassInstanceToMap: true },
      },
    ),
    tableNames: names,
    nowMs: Date.now,
    elapsedMs,
    newId: newIdFactory(randomFraction),
    randomBytes,
    randomFraction,
    sleep,
    // The line is not written by the console: with JSON logs, Lambda's console would put the line into an object of its own,
    // and CloudWatch finds metrics only at the top ("Creating logs in embedded metric format using the client libraries").
    log: (line) => void writeSync(1, `${render(line, Date.now())}\n`),
    fence,
    turnMs,
    files,
    auditDays: Number(env.AUDIT_DAYS ?? '365'),
    commit,
    secretBox: secretBoxOf(env),
    network,
    models: modelClientOf(env, Date.now, network),
    limits: readLimits(env),
  };
}

/**
 * The clients are loaded with the first use, because few functions use models.
 * @param env `MODELS` (JSON) or `MODELS_FILE`, region and credentials, and optionally `AWS_ENDPOINT_URL_BEDROCK_RUNTIME`
 * @param network for models with an endpoint of their own
 */
export function modelClientOf(env: Variables, nowMs: () => number, network: Network): ModelClient {
  // Lambda names the folder of the code.
  const listed = readModels(env, (name) => readFileSync(`${env.LAMBDA_TASK_ROOT ?? '.'}/${name}`, 'utf8'));
  let bedrock: ReturnType<typeof openBedrock> | undefined;
  let chat: ReturnType<typeof openChat> | undefined;
  const openBedrock = async () => {
    const module = await import('../models/bedrock.ts');
    return module.openBedrock(functionClientConfig(env, 'bedrock-runtime'), { nowMs });
  };
  const openChat = async () => {
    const module = await import('../models/chat-completions.ts');
    const settings = (service: 'secretsmanager' | 'ssm') => functionClientConfig(env, service);
    return module.openChatClients({ network, keys: { settings, env, nowMs } });
  };
  const clientOf = async (modelId: string): Promise<Omit<ModelClient, 'listed'>> => {
    const endpoint = listed.find(({ id }) => id === modelId)?.endpoint;
    if (endpoint) {
      chat ??= openChat();
      return (await chat)(endpoint);
    }
    bedrock ??= openBedrock();
    return bedrock;
  };
  return {
    listed,
    converse: async (request, signal) => (await clientOf(request.modelId)).converse(request, signal),
    stream: async (request, onText, signal) =>
      (await clientOf(request.modelId)).stream(request, onText, signal),
  };
}

/** @returns a box that opens the client of KMS with the first use, and throws if the environment names no key */
export function secretBoxOf(env: Variables): SecretBox {
  const machineKey = readMachineKey(env[secretsKeyVariable]);
  if (machineKey !== undefined) return machineBox(machineKey, randomBytes);
  let kmsSecretBox: Promise<SecretBox> | undefined;
  const open = async (): Promise<SecretBox> => {
    const key = env[secretsKeyVariable];
    if (!key) throw new Error(`${secretsKeyVariable} is not set`);
    const { kmsBox, openKms } = await import('./kms.ts');
    return kmsBox(openKms(functionClientConfig(env, 'kms')), key);
  };
  const box = () => {
    kmsSecretBox ??= open();
    return kmsSecretBox;
  };
  return {
    encrypt: async (secret, context) => (await box()).encrypt(secret, context),
    decrypt: async (sealed, context) => (await box()).decrypt(sealed, context),
  };
}
