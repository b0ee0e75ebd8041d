/** The API as tests call it: real proxy events through the exported pipeline, on DynamoDB Local. */

import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Tenant } from '../lib/base/caller.ts';
import { newIdFactory } from '../lib/base/ids.ts';
import type { FaultLine, LogLine, RequestLine } from '../lib/base/log.ts';
import { commitVariable, versionVariable } from '../lib/base/version.ts';
import { bootstrapOrganisation, bootstrapRootKey } from '../lib/credentials/bootstrap.ts';
import type { TableName } from '../lib/dynamodb/tables.ts';
import { createRuntime, credentialsOf, type Runtime } from '../lib/http/runtime.ts';
import type { BaseRuntime } from '../lib/runtime/base-runtime.ts';
import type { WorkerHandler } from '../lib/workers/handler.ts';
import type { Notice } from '../lib/workers/notice.ts';
import manifest from '../package.json' with { type: 'json' };
import { type ApiResponse, type CallOptions, type Json, call as send } from '../scripts/local/call.ts';
import { routesOf } from '../scripts/local/service.ts';
import { resume, suspend } from '../scripts/organisations/state.ts';
import auditWriter from '../workers/audit-writer.ts';
import conversationCounter from '../workers/conversation-counter.ts';
import eventWriter from '../workers/event-writer.ts';
import knowledgeIndexer from '../workers/knowledge-indexer.ts';
import messageIndexer from '../workers/message-indexer.ts';
import sourceRefresher from '../workers/source-refresher.ts';
import usageCounter from '../workers/usage-counter.ts';
import { testDownloads } from './downloads.ts';
import { memoryFiles } from './files.ts';
import { deliverNotices, noticesOf } from './lambda-queue.ts';
import { noteFault } from './logged-faults.ts';
import { fakeModels } from './models.ts';
import { changeRecord } from './stream-records.ts';
import { localSecrets, localSettings, testTables, unsigned } from './tables.ts';

export type { ApiResponse, CallOptions, Json };

export type TestApi = Awaited<ReturnType<typeof openApi>>;

export const testCommit = '4cd1a73b0e12';

/** Settings that reach this run's DynamoDB Local. */
export function testRuntime(): Runtime {
  const runtime = createRuntime(
    { ...testTables(), ...localSecrets, [commitVariable]: testCommit, [versionVariable]: manifest.version },
    {
      // DynamoDB Local may be slow on a busy machine.
      requestHandler: { connectionTimeout: 60_000, requestTimeout: 60_000 },
      ...unsigned(),
    },
  );
  const { middlewareStack } = runtime.client as DynamoDBDocumentClient;
  for (const name of unneeded) middlewareStack.remove(name);
  return { ...runtime, models: fakeModels() };
}

/** What the SDK adds for AWS, and DynamoDB Local ignores. Without it, a call takes a tenth less CPU time. */
const unneeded = [
  'getUserAgentMiddleware',
  'hostHeaderMiddleware',
  'loggerMiddleware',
  'recursionDetectionMiddleware',
];

/** One client for all tests of a file: a client of its own would cost each test its warm-up and its connections. */
let shared: { database: string; runtime: Runtime } | undefined;

function sharedRuntime(): Runtime {
  const { AWS_ACCESS_KEY_ID: database } = localSettings();
  if (shared?.database !== database) shared = { database, runtime: testRuntime() };
  return shared.runtime;
}

const isFault = (line: LogLine): line is FaultLine => 'fault' in line;

/** Lets webhooks go to receivers on this machine. */
export const toLoopback = ({ network }: Pick<BaseRuntime, 'network'>) => ({
  network: { ...network, allowLoopback: true },
});

/**
 * Opens the API for a new organisation.
 * @param adjust puts something else in the place of a part of the outside world
 */
export async function openApi(adjust: (runtime: Runtime) => Partial<Runtime> = () => ({})) {
  const log: LogLine[] = [];
  const clock = { offsetMs: 0 };
  const memory = memoryFiles();
  const base: Runtime = {
    ...sharedRuntime(),
    nowMs: () => Date.now() + clock.offsetMs,
    // The ids of one maker rise, so a shared one would give all tests ids of the latest time that one of them went to.
    newId: newIdFactory(Math.random),
    log: (line) => {
      log.push(line);
      if (isFault(line)) noteFault(line);
    },
    // The tests that are about the fence set it. The others may run on a busy machine.
    fence: { writeMs: 60_000, waitMs: 0 },
    // DynamoDB Local may be slow on a busy machine.
    limiterPatienceMs: 60_000,
    files: memory.files,
    downloads: testDownloads(),
    models: fakeModels(),
    // Only an API that is served has an address (served-api.ts).
    api: {
      url: () => 'http://127.0.0.1/api/v1',
      send: () => Promise.reject(new Error('the API is not served')),
    },
    // No test sends anything to another machine.
    network: {
      ...sharedRuntime().network,
      resolveName: () => Promise.reject(new Error('tests have no DNS')),
    },
  };
  const adjusted: Runtime = { ...base, ...adjust(base) };
  // Tokens of workload identities are checked through the adjusted network.
  const runtime: Runtime =
    adjusted.credentials === base.credentials
      ? { ...adjusted, credentials: credentialsOf(adjusted, {}) }
      : adjusted;
  const { organisationId, secret: rootKey } = await bootstrapOrganisation(base, 'Test', 'live');
  const routes = routesOf(runtime);

  const call = (method: string, path: string, options: CallOptions = {}): Promise<ApiResponse> =>
    send(routes, method, path, { key: rootKey, ...options });

  return {
    ...apiOf({ call, rootKey, organisationId }),
    /** @returns a test-mode root key of the same organisation */
    testModeKey: () => testModeKeyOf(base, organisationId),
    /** Does what the job is about, as its worker would. */
    workOff: (project: string, job: string, context: Parameters<WorkerHandler>[1] = {}) =>
      workOff(runtime, `${organisationId}#live`, project, job, context),
    /** Indexes all messages of the project for search, as its worker would. */
    indexMessages: (project: string) => indexMessages(runtime, `${organisationId}#live`, project),
    /** Counts the conversations of the project, as the workers of the statistics and of the usage would. */
    countConversations: (project: string) => countConversations(runtime, `${organisationId}#live`, project),
    whileSuspended: suspendedOf(base, organisationId),
    /** Gives the newest projects and keys to the writers of the audit log and of events, as if they were new. */
    logChanges: () => logChanges(runtime, organisationId),
    /** @returns the API for another organisation */
    another: async (): Promise<ContractApi> => openApi(adjust),
    runtime,
    /** The lines of requests, and of what went wrong. */
    requestLines: () => log.filter((line): line is RequestLine => line.message === 'request'),
    faultLines: () => log.filter(isFault),
    /** The files by key. */
    files: memory.stored,
    /** Lets time pass for the API, and only for it. */
    advance: (ms: number) => {
      clock.offsetMs += ms;
    },
  };
}

/** @returns every item of the API's organisation in a table, in no order */
export async function storedOf(
  { runtime, organisationId }: { runtime: BaseRuntime; organisationId: string },
  table: TableName,
): Promise<Json[]> {
  const command = new ScanCommand({
    TableName: runtime.tableNames[table],
    // What is due is in partitions of its own, and its id names the tenant.
    FilterExpression: 'begins_with(tenant, :organisation) OR contains(id, :organisation)',
    ExpressionAttributeValues: { ':organisation': organisationId },
  });
  const items: Json[] = [];
  for (;;) {
    const { Items = [], LastEvaluatedKey } = await runtime.client.send(command);
    items.push(...Items);
    if (!LastEvaluatedKey) return items;
    command.input.ExclusiveStartKey = LastEvaluatedKey;
  }
}

type Call = (method: string, path: string, options?: CallOptions) => Promise<ApiResponse>;

/** What requests alone can do, wherever the API is. */
export function apiOf({ call, ...rest }: { call: Call; rootKey: string; organisationId: string }) {
  const made = async (path: string, body: Json, key: string | undefined) => {
    const response = await call('POST', path, { body, ...(key !== undefined && { key }) });
    if (response.status !== 201) throw new Error(response.text);
    return response.data;
  };
  /** @returns a new project's id */
  const createProject = async (body: Json = {}, key?: string) =>
    (await made('/projects', { name: 'a project', ...body }, key)).id as string;
  return {
    ...rest,
    /** The root key calls, when nothing else is said. */
    call,
    /** @returns a new key's secret and id */
    createKey: async (body: Json = {}, key?: string) =>
      (await made('/api-keys', { name: 'a key', scopes: ['projects:read'], ...body }, key)) as {
        id: string;
        secret: string;
      },
    createProject,
    /** @returns a new conversation's path, in a new project where none is named */
    createConversation: async (body: Json = {}, project?: string) => {
      const path = `/projects/${project ?? (await createProject())}/conversations`;
      const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
      return `${path}/${(await made(path, { avatarId, ...body }, undefined)).id}`;
    },
  };
}

/** What the contract is tested with, here or on a deployed stack. */
export type ContractApi = ReturnType<typeof apiOf> & {
  testModeKey: () => Promise<string>;
  /** Acts while the operator has suspended the organisation. */
  whileSuspended?: (act: () => Promise<ApiResponse>) => Promise<ApiResponse>;
  another: () => Promise<ContractApi>;
  /** Resolves when the job has ended. */
  workOff: (project: string, job: string) => Promise<void>;
  /** On a deployed stack, jobs are worked off although nobody says so. */
  worksByItself?: boolean;
  /** Resolves when the messages of the project can be found: this search then finds some. */
  indexMessages: (project: string, search: string) => Promise<void>;
  /** Resolves when the conversations of the project are counted: the counts at this path then have an item. */
  countConversations: (project: string, counts: string) => Promise<void>;
  /** Resolves when the audit log has events of the API's organisation, and the list of events too. */
  logChanges: () => Promise<void>;
  /** Not on a deployed stack, where time is everybody's. */
  advance?: (ms: number) => void;
};

/** Gives the job to its worker: to the indexer, then its steps, and then the job again. */
export async function workOff(
  runtime: Runtime,
  tenant: Tenant,
  project: string,
  job: string,
  context: Parameters<WorkerHandler>[1],
): Promise<void> {
  const stored = await storedUnder(sharedRuntime(), 'jobs', `${tenant}#${project}`);
  if (stored.some(({ id, refresh }) => id === job && refresh !== undefined))
    return deliverNotices(runtime, sourceRefresher, [jobNotice(tenant, project, job)], context);
  for (;;) {
    await deliverNotices(runtime, knowledgeIndexer, [jobNotice(tenant, project, job)], context).catch(
      unlessOthersStart(job),
    );
    const steps = await stepNotices(tenant, project);
    if (steps.length === 0) return;
    for (const step of steps) await deliverNotices(runtime, knowledgeIndexer, [step], context);
  }
}

/** For a job whose end starts the job that waits for it. @throws everything else */
const unlessOthersStart =
  (job: string) =>
  (error: Error): void => {
    const again = (error.cause ?? []) as { notice: Notice }[];
    if (again.length === 0 || again.some(({ notice }) => notice.id === job)) throw error;
  };

/**
 * @param runtime Default: another one than the API's own, whose calls are counted, and may fail
 * @returns the notices of all steps of a project's jobs
 */
export async function stepNotices(
  tenant: Tenant,
  project: string,
  runtime: Pick<Runtime, 'client' | 'tableNames'> = sharedRuntime(),
): Promise<Notice[]> {
  const steps = await storedUnder(runtime, 'jobs', `${tenant}#${project}#encoding`);
  return steps.map(({ id }) => ({
    ...jobNotice(tenant, project, String(id)),
    partition: [project, 'encoding'],
  }));
}

/** The notice of a job that the dispatcher sends. */
export const jobNotice = (tenant: Tenant, project: string, job: string): Notice => ({
  table: 'jobs',
  kind: 'INSERT',
  tenant,
  partition: [project],
  id: job,
  atMs: 0,
  sequence: '1',
});

/** Gives all messages of a project to the indexer of messages. */
export async function indexMessages(runtime: Runtime, tenant: Tenant, project: string): Promise<void> {
  const messages = await storedUnder(runtime, 'messages', `${tenant}#${project}#`);
  const records = messages.map((item) => changeRecord(undefined, item));
  await deliverNotices(runtime, messageIndexer, noticesOf(messageIndexer, records));
}

/** Gives all conversations of a project, and their scores, to the counter of conversations. */
export async function countConversations(runtime: Runtime, tenant: Tenant, project: string): Promise<void> {
  const partition = `${tenant}#${project}`;
  const items = await storedUnder(runtime, 'conversations', partition);
  const counted = items.filter(({ tenant: at }) => at === partition || at === `${partition}#scored`);
  const records = counted.map((item) => changeRecord(undefined, item));
  // The counts show the time of the last counted change.
  const atMs = runtime.nowMs();
  for (const worker of [conversationCounter, usageCounter]) {
    const notices = noticesOf(worker, records, 'conversations');
    await deliverNotices(
      runtime,
      worker,
      notices.map((notice) => ({ ...notice, atMs })),
    );
  }
}

/** @returns every item of a table in the partitions whose name starts like this */
async function storedUnder(
  runtime: Pick<Runtime, 'client' | 'tableNames'>,
  table: TableName,
  prefix: string,
): Promise<Json[]> {
  const items: Json[] = [];
  const command = new ScanCommand({
    TableName: runtime.tableNames[table],
    FilterExpression: 'begins_with(tenant, :prefix)',
    ExpressionAttributeValues: { ':prefix': prefix },
  });
  do {
    const { Items = [], LastEvaluatedKey } = await runtime.client.send(command);
    items.push(...Items);
    command.input.ExclusiveStartKey = LastEvaluatedKey;
  } while (command.input.ExclusiveStartKey);
  return items;
}

/** Gives the newest projects and keys of an organisation to the writers of the audit log and of events. */
export async function logChanges(runtime: BaseRuntime, organisationId: string): Promise<void> {
  for (const table of ['projects', 'apiKeys'] as const) {
    const items = await storedOf({ runtime, organisationId }, table);
    // An organisation may have many.
    const newest = items.toSorted((a, b) => (`${a.id}` < `${b.id}` ? 1 : -1)).slice(0, 5);
    const records = newest.map((item) => changeRecord(undefined, item));
    for (const writer of [auditWriter, eventWriter])
      await deliverNotices(runtime, writer, noticesOf(writer, records, table));
  }
}

export async function testModeKeyOf(runtime: Runtime, organisationId: string): Promise<string> {
  const key = await bootstrapRootKey(runtime, organisationId, 'test');
  if (!key) throw new Error('the organisation is gone');
  return key.secret;
}

export const suspendedOf =
  (runtime: Runtime, organisationId: string) =>
  async (act: () => Promise<ApiResponse>): Promise<ApiResponse> => {
    await suspend(runtime, organisationId);
    try {
      return await act();
    } finally {
      await resume(runtime, organisationId);
    }
  };
