/**
 * Workers: what happens behind the answer. A worker follows the stream of one table, so that no work is lost between a
 * commit and a queue: the item that asks for the work is the message. Its file in workers/ declares it once; the
 * function, its policy, its event source and the development server come from that.
 */

import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { type Change, changeOf, isWanted, type Wake } from './change.ts';
import type { IdKind } from './ids.ts';
import type { Runtime } from './runtime.ts';
import { writeEach } from './store/batch.ts';
import { commit, type Refusal } from './store/commit.ts';
import { openSession } from './store/session.ts';
import { bindStore, type Store } from './store/store.ts';
import type { Access, TableName } from './store/tables.ts';
import type { Write } from './store/write.ts';

export type Worker = {
  /** Its file in workers/, also the construct's id and the metric's dimension. */
  id: string;
  summary: string;
  /** The table whose changes it follows. */
  source: TableName;
  wakes: Wake;
  access: Access;
  memoryMb: number;
  timeoutSeconds: number;
  /** How many changes a function is given at once, at most. */
  batchSize: number;
  /** What the user loses when changes end among the dead letters. */
  loses: string;
  /**
   * Does what the change asks for. It may be called again with the same change, also when it has succeeded: Lambda
   * promises "at least once". A change that it throws for comes again.
   */
  handle(change: Change, input: WorkerInput): Promise<void>;
};

/** What a worker knows. Its store is bound to the tenant of the change. */
export type WorkerInput = {
  store: Store;
  /** Writes all or nothing. @returns why nothing was written, or undefined when all was */
  commit(writes: readonly Write[]): Promise<Refusal | undefined>;
  /** Writes each by itself, without conditions and stamps; some may be written where it throws. */
  writeEach(writes: readonly Write[]): Promise<void>;
  nowMs(): number;
  newId(kind: IdKind): string;
  sleep(ms: number): Promise<unknown>;
  /** How long the function may go on before it is ended. */
  remainingMs(): number;
};

export type WorkerHandler = (
  event: DynamoDBStreamEvent,
  context: { getRemainingTimeInMillis?: () => number },
) => Promise<DynamoDBBatchResponse>;

export function createWorkerHandler(worker: Worker, runtime: Runtime): WorkerHandler {
  return async ({ Records }, context) => {
    const remainingMs = () => context.getRemainingTimeInMillis?.() ?? worker.timeoutSeconds * 1000;
    for (const [index, record] of Records.entries()) {
      const change = changeOf(record);
      if (!isWanted(change, worker.wakes)) continue;
      try {
        await work(worker, runtime, change, remainingMs);
      } catch (fault) {
        // Nothing was done: the whole batch failed, and only that counts as an error of the function.
        if (index === 0) throw fault;
        // From this one on it comes again ("Configuring partial batch response with DynamoDB and Lambda").
        return { batchItemFailures: [{ itemIdentifier: record.dynamodb?.SequenceNumber ?? '' }] };
      }
    }
    return { batchItemFailures: [] };
  };
}

async function work(
  worker: Worker,
  runtime: Runtime,
  change: Change,
  remainingMs: () => number,
): Promise<void> {
  const begunMs = runtime.elapsedMs();
  const { client, tableNames, nowMs, newId, sleep } = runtime;
  const session = openSession(client, tableNames, worker.access);
  const about = { worker: worker.id, tenant: change.tenant, item: change.id };
  let failed = false;
  try {
    await worker.handle(change, {
      store: bindStore(session, change.tenant),
      // A version is one commit: a worker changes the same item more than once.
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
    const durationMs = Math.round(runtime.elapsedMs() - begunMs);
    runtime.log({ level: 'info', message: 'work', ...about, failed, durationMs, ...session.usage });
  }
}
