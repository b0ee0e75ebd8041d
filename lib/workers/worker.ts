/**
 * Workers do what happens after the response. A worker reads the stream of one table: the item that asks for the work is
 * the message, so no work is lost between a commit and a queue. The Lambda function, its IAM policy, its event source,
 * its alarms and the dev server are derived from the declaration in workers/.
 */

import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { writeEach } from '../dynamodb/batch.ts';
import { commit, type Refusal } from '../dynamodb/commit.ts';
import { openSession } from '../dynamodb/session.ts';
import { bindStore, type Store } from '../dynamodb/store.ts';
import type { Access, TableName } from '../dynamodb/tables.ts';
import type { Item, Write } from '../dynamodb/write.ts';
import type { IdKind } from '../ids.ts';
import type { BaseRuntime } from '../runtime/base-runtime.ts';
import { type Change, type ChangeFilter, matches, readChange } from './change.ts';

export type { Item, Write };

export type Worker = {
  /** The name of its file in workers/. Also the construct's id and the metric's dimension. */
  id: string;
  /** The description of its function. */
  summary: string;
  /** The table whose stream it reads. */
  source: TableName;
  filter: ChangeFilter;
  /** The actions that it uses, by table. A test compares them with those that it takes. */
  access: Access;
  memoryMb: number;
  timeoutSeconds: number;
  /** The largest number of changes per invocation. */
  batchSize: number;
  /** What users lose while changes fail: the text of its alarms. */
  impact: string;
  /** What operators do after it has given up on a change, if there is anything to do. In docs/runbook.md. */
  remedy?: string;
  /**
   * Lambda delivers a change at least once: it may come again, even if the work has succeeded. It also comes again if
   * this throws.
   */
  handle(change: Change, input: WorkerInput): Promise<void>;
};

/** The settings of a worker whose changes take long. Each is a batch of its own: a failure repeats its batch. */
const longWork = { memoryMb: 512, timeoutSeconds: 900, batchSize: 1 };

export const defineWorker = (
  declaration: Omit<Worker, keyof typeof longWork> & Partial<typeof longWork>,
): Worker => ({ ...longWork, ...declaration });

/** The store is bound to the tenant of the change. */
export type WorkerInput = {
  store: Store;
  /** Writes all or nothing. @returns undefined if all was written */
  commit(writes: readonly Write[]): Promise<Refusal | undefined>;
  /** Writes each item on its own, without conditions and stamps. If it throws, some may be written. */
  writeEach(writes: readonly Write[]): Promise<void>;
  nowMs(): number;
  newId(kind: IdKind): string;
  sleep(ms: number): Promise<unknown>;
  /** The time until Lambda ends the function. */
  remainingMs(): number;
};

export type WorkerHandler = (
  event: DynamoDBStreamEvent,
  context: { getRemainingTimeInMillis?: () => number },
) => Promise<DynamoDBBatchResponse>;

/** A change is only started while this share of the timeout is left. The others come again. */
const minRemainingShare = 0.1;

/** Handles a batch. After a failure the other changes are still tried, those of other tenants first. */
export function createWorkerHandler(worker: Worker, runtime: BaseRuntime): WorkerHandler {
  return async ({ Records }, context) => {
    const remainingMs = () => context.getRemainingTimeInMillis?.() ?? worker.timeoutSeconds * 1000;
    const changes = Records.map(readChange);
    const failed = new Set<Change>();
    const failedTenants = new Set<string>();
    let tried = 0;
    let fault: unknown;

    const attempt = async (change: Change): Promise<void> => {
      // The changes of one item keep their order: this one comes again after the one that failed.
      const isBehindFailed = [...failed].some((other) => itemKey(other) === itemKey(change));
      const isOutOfTime = tried > 0 && remainingMs() < worker.timeoutSeconds * 1000 * minRemainingShare;
      if (isBehindFailed || isOutOfTime) {
        failed.add(change);
        return;
      }
      tried += 1;
      try {
        await work(worker, runtime, change, remainingMs);
      } catch (error) {
        fault ??= error;
        failed.add(change);
        failedTenants.add(change.tenant);
      }
    };

    const later: Change[] = [];
    for (const change of changes) {
      if (!matches(change, worker.filter)) continue;
      if (failedTenants.has(change.tenant)) later.push(change);
      else await attempt(change);
    }
    for (const change of later) await attempt(change);

    const first = changes.findIndex((change) => failed.has(change));
    if (first === -1) return { batchItemFailures: [] };
    // If the function fails, Lambda halves the batch until the failing change is alone, and only that one becomes a dead
    // letter. If the first change were reported instead, the same batch would come back, and all of it would be lost.
    if (first === 0 && fault !== undefined) throw fault;
    // This change and all after it come again ("Configuring partial batch response with DynamoDB and Lambda").
    return { batchItemFailures: [{ itemIdentifier: Records[first]?.dynamodb?.SequenceNumber ?? '' }] };
  };
}

const itemKey = ({ tenant, partition, id }: Change): string => [tenant, ...partition, id].join('#');

async function work(
  worker: Worker,
  runtime: BaseRuntime,
  change: Change,
  remainingMs: () => number,
): Promise<void> {
  const startedMs = runtime.elapsedMs();
  const { client, tableNames, nowMs, newId, sleep } = runtime;
  const session = openSession(client, tableNames, worker.access);
  const about = { worker: worker.id, tenant: change.tenant, item: change.id };
  let failed = false;
  try {
    await worker.handle(change, {
      store: bindStore(session, change.tenant),
      // Each commit is a version of its own: a worker may change the same item several times.
      commit: (writes) =>
        commit(session, writes, { changedBy: `worker:${worker.id}`, changedIn: newId('event', nowMs()) }),
      writeEach: (writes) => writeEach(session, writes, sleep),
      nowMs,
      newId: (kind) => newId(kind, nowMs()),
      sleep,
      remainingMs,
    });
  } catch (fault) {
    failed = true;
    runtime.log({ level: 'error', message: 'work failed', ...about, fault });
    throw fault;
  } finally {
    const durationMs = Math.round(runtime.elapsedMs() - startedMs);
    runtime.log({ level: 'info', message: 'work', ...about, failed, durationMs, ...session.usage });
  }
}
