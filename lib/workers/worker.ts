/**
 * Workers: what happens behind the answer. A worker follows the stream of one table, so that no work is lost between a
 * commit and a queue: the item that asks for the work is the message. Its file in workers/ declares it once; the
 * function, its policy, its event source and the development server come from that.
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
import { type Change, changeOf, isWanted, type Wake } from './change.ts';

/** What a worker's code names of the tables. */
export type { Item, Write };

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

/** With less time left than this share of its timeout, a function begins no further change: what is left comes again. */
const reserve = 0.1;

/**
 * Works off a batch. A change that fails does not keep the others from being tried, nor does a tenant whose changes fail
 * keep those of other tenants waiting.
 */
export function createWorkerHandler(worker: Worker, runtime: BaseRuntime): WorkerHandler {
  return async ({ Records }, context) => {
    const remainingMs = () => context.getRemainingTimeInMillis?.() ?? worker.timeoutSeconds * 1000;
    const changes = Records.map(changeOf);
    const failed = new Set<Change>();
    const failedTenants = new Set<string>();
    let tried = 0;
    let fault: unknown;

    const attempt = async (change: Change): Promise<void> => {
      // Changes of one item are made in their order. This one comes again behind the one that failed.
      const isBehindFailed = [...failed].some((other) => placeOf(other) === placeOf(change));
      const isOutOfTime = tried > 0 && remainingMs() < worker.timeoutSeconds * 1000 * reserve;
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
      if (!isWanted(change, worker.wakes)) continue;
      if (failedTenants.has(change.tenant)) later.push(change);
      else await attempt(change);
    }
    for (const change of later) await attempt(change);

    const first = changes.findIndex((change) => failed.has(change));
    if (first === -1) return { batchItemFailures: [] };
    // A failure of the function has Lambda cut the batch in halves, until what goes on failing is alone and ends alone
    // among the dead letters. A report from the first change on would bring back the same batch, and lose all of it.
    if (first === 0 && fault !== undefined) throw fault;
    // From this one on, all come again ("Configuring partial batch response with DynamoDB and Lambda").
    return { batchItemFailures: [{ itemIdentifier: Records[first]?.dynamodb?.SequenceNumber ?? '' }] };
  };
}

const placeOf = ({ tenant, within, id }: Change): string => [tenant, ...within, id].join('#');

async function work(
  worker: Worker,
  runtime: BaseRuntime,
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
