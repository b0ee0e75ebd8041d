/** The handler of a worker's function: it gets batches from the worker's queue. */

import type { SQSBatchResponse } from 'aws-lambda';
import { inBatches } from '../base/batches.ts';
import { type Mode, type Tenant, tenantOf } from '../base/caller.ts';
import { allowOnly } from '../base/files.ts';
import type { IdKind, NewId } from '../base/ids.ts';
import { writeEach } from '../dynamodb/batch.ts';
import { commit } from '../dynamodb/commit.ts';
import { openSession } from '../dynamodb/session.ts';
import { bindStore } from '../dynamodb/store.ts';
import type { Author, Write } from '../dynamodb/write.ts';
import { getOrganisation, isKept } from '../organisations/store.ts';
import type { BaseRuntime } from '../runtime/base-runtime.ts';
import { noModels } from '../runtime/models.ts';
import {
  itemKey,
  type Notice,
  type Notices,
  newest,
  organisationOf,
  projectOf,
  readNotice,
} from './notice.ts';
import { NoPlace, withPlace } from './places.ts';
import { isActive, Suspended, waitForResumption } from './suspension.ts';
import { openTurn, TurnOver } from './turn.ts';
import type { Outside, Worker, WorkerInput } from './worker.ts';

/** The part of an SQS record that is used. */
export type Message = {
  messageId: string;
  receiptHandle: string;
  body: string;
  attributes: { ApproximateReceiveCount: string };
};

export type WorkerHandler = (
  event: { Records: readonly Message[] },
  context: { getRemainingTimeInMillis?: () => number },
) => Promise<SQSBatchResponse>;

/** The queue of the worker, as its function uses it. */
export type OwnQueue = {
  /** Makes messages visible again after these times, instead of after the queue's visibility timeout. */
  postpone(messages: readonly { receiptHandle: string; seconds: number }[]): Promise<void>;
  /** Puts notices behind the others, as new messages. @throws Error if the queue is not available. Some may have been sent */
  sendAgain(notices: readonly { notice: Notice; seconds: number }[]): Promise<void>;
  /** @returns whether a notice waits for a place */
  isAwaited(): Promise<boolean>;
};

/** Work is only started while this share of the timeout is left. The rest comes again. */
const minRemainingShare = 0.1;

/** A worker may ask for a notice again this often in a row. */
const maxPauses = 9;

/** Work whose turns have stored nothing so often in a row has failed. A job counts its own attempts, and ends before that. */
const maxIdleTurns = 20;

/** The number of notices that begin to wait for the end of a suspension at the same time. */
const waitingAtOnce = 10;

const firstPauseSeconds = 5;
const maxPauseSeconds = 15 * 60;

/** @returns how long a message waits after it has failed this many times */
export const pauseSeconds = (failures: number): number =>
  Math.min(firstPauseSeconds * 2 ** (failures - 1), maxPauseSeconds);

/** The messages about one item. */
type About = { notice: Notice; messages: Message[] };

const noQueue: OwnQueue = {
  postpone: async () => {},
  sendAgain: () => Promise.reject(new Error('there is no queue')),
  isAwaited: async () => true,
};

/**
 * Handles the notices of each tenant and project together, and all organisations at the same time. If that fails, it handles each notice on its own. Only the notices
 * that fail again are reported, so that only they come again, each time after a longer pause ("Implementing partial batch
 * responses", AWS Lambda Developer Guide). A notice whose turn is over, or that its worker asks for again, goes back to the queue
 * as a new message: it has not failed.
 */
export function createWorkerHandler(
  worker: Worker,
  runtime: BaseRuntime,
  queue: OwnQueue = noQueue,
): WorkerHandler {
  const warn = (level: 'error' | 'warn', message: string, item: string | undefined, fault: unknown) =>
    runtime.log({ level, message, worker: worker.id, tenant: '', item: item ?? '', fault });

  return async ({ Records }, context) => {
    const remainingMs = () => context.getRemainingTimeInMillis?.() ?? worker.timeoutSeconds * 1000;
    const failed: Message[] = [];
    const goneBack: (About & { seconds: number })[] = [];
    let tried = 0;
    const isOutOfTime = () => tried > 0 && remainingMs() < worker.timeoutSeconds * 1000 * minRemainingShare;
    const goBack = (items: readonly About[], seconds = 0) =>
      goneBack.push(...items.map((item) => ({ ...item, seconds })));

    /** @returns whether the work has not failed */
    const attempt = async (items: readonly About[]): Promise<boolean> => {
      tried += 1;
      /** The notices that the worker wants after how many seconds, by item. */
      const asked = new Map<string, { notice: Notice; seconds: number }>();
      const later = (notice: Notice, seconds: number): boolean => {
        const mayPause = (notice.pauses ?? 0) < maxPauses;
        if (mayPause) asked.set(itemKey(notice), { notice: { ...notice, waits: undefined }, seconds });
        return mayPause;
      };
      const notices = items.map(({ notice }) => notice) as [Notice, ...Notice[]];
      const turn = openTurn({ ...runtime, isAwaited: queue.isAwaited });
      const { sendAgain } = queue;
      const given = { remainingMs, turn, later, sendAgain };
      const outcome = await work(worker, runtime, notices, given).finally(turn.close);
      if (outcome === 'over' || outcome === 'idle') {
        const idleTurns = outcome === 'idle' ? idleTurnsOf(notices) + 1 : 0;
        const afterTurn = { pauses: 0, waits: undefined, idleTurns };
        goBack(items.map(({ notice, ...item }) => ({ ...item, notice: { ...notice, ...afterTurn } })));
      }
      for (const [key, { notice, seconds }] of outcome === 'failed' ? [] : asked) {
        const own = items.find((item) => itemKey(item.notice) === key);
        const again = { ...notice, pauses: (notice.pauses ?? 0) + 1 };
        // Without the queue, a notice of another item is asked for again by all of these.
        goBack([{ notice: again, messages: own?.messages ?? messagesOf(items) }], seconds);
      }
      return outcome !== 'failed';
    };
    const readable = Records.flatMap((message) => {
      try {
        return [{ notice: readNotice(message.body), message }];
      } catch (fault) {
        warn('error', 'message is unreadable', message.messageId, fault);
        failed.push(message);
        return [];
      }
    });
    const handle = async (items: readonly About[]) => {
      if (isOutOfTime()) goBack(items);
      else if (!(await attempt(items))) {
        if (items.length === 1) failed.push(...messagesOf(items));
        else {
          for (const item of items) {
            if (isOutOfTime()) goBack([item]);
            else if (!(await attempt([item]))) failed.push(...item.messages);
          }
        }
      }
    };
    const sendBack = async () => {
      const items = goneBack.splice(0);
      if (items.length === 0) return;
      await queue.sendAgain(items).catch((fault: unknown) => {
        warn('warn', 'notices do not go back to the queue', items[0]?.notice.id, fault);
        failed.push(...messagesOf(items));
      });
    };
    // No organisation waits for another one in the same batch.
    const organisations = organisationsOf(readable, worker);
    await inBatches(organisations, organisations.length, async (groups) => {
      await inBatches(groups, worker.atOnce ? groups.length : 1, handle);
      await sendBack();
    });
    if (failed.length > 0) {
      const pauses = failed.map((message) => ({
        receiptHandle: message.receiptHandle,
        seconds: pauseSeconds(receivesOf(message)),
      }));
      // If this fails, the messages come again after the queue's visibility timeout.
      await queue
        .postpone(pauses)
        .catch((fault: unknown) => warn('warn', 'messages are not postponed', failed[0]?.messageId, fault));
    }
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

/** @returns the items of each organisation by tenant and project, or only by tenant */
function organisationsOf(
  readable: readonly { notice: Notice; message: Message }[],
  { acrossProjects }: Pick<Worker, 'acrossProjects'>,
): About[][][] {
  const items = [...Map.groupBy(readable, ({ notice }) => itemKey(notice)).values()].map((own) => ({
    notice: newest(own.map(({ notice }) => notice) as [Notice, ...Notice[]]),
    messages: own.map(({ message }) => message),
  }));
  const groupOf = ({ notice }: About) =>
    acrossProjects ? notice.tenant : `${notice.tenant}/${projectOf(notice)}`;
  return [...Map.groupBy(items, ({ notice }) => organisationOf(notice)).values()].map((own) => [
    ...Map.groupBy(own, groupOf).values(),
  ]);
}

const receivesOf = ({ attributes }: Message): number => Number(attributes.ApproximateReceiveCount);

const messagesOf = (items: readonly About[]): Message[] => items.flatMap(({ messages }) => messages);

const idleTurnsOf = (notices: Notices): number => Math.max(...notices.map(({ idleTurns = 0 }) => idleTurns));

const modeOf = (tenant: Tenant): Mode => (tenant.endsWith('#test') ? 'test' : 'live');

/** Each commit is a call of its own. */
function authorOf({ id }: Worker, newId: NewId, nowMs: number): Author {
  const name = `worker:${id}`;
  return { changedBy: name, changedThrough: name, changedIn: newId('call', nowMs), nowMs };
}

/** What a worker may do only while the organisation is active. A worker that continues during a suspension sends nothing outside. */
function gateOf(
  { id, whileSuspended }: Worker,
  readOrganisation: WorkerInput['readOrganisation'],
  outside: Outside,
  takePlace: () => Promise<void>,
): Pick<WorkerInput, 'goOn' | 'outside'> {
  if (whileSuspended === 'continues') {
    const refuse = () => Promise.reject(new Error(`${id} continues while its organisation is suspended`));
    return { goOn: refuse, outside: refuse };
  }
  const goOn = async () => {
    const organisation = await readOrganisation();
    if (!isActive(organisation)) throw new Suspended();
    return organisation;
  };
  return {
    goOn,
    outside: () =>
      goOn()
        .then(takePlace)
        .then(() => outside),
  };
}

/** The notices of work that waits come again when the organisation is resumed. */
async function handleOrWait(worker: Worker, notices: Notices, input: WorkerInput): Promise<void> {
  const waits = worker.whileSuspended === 'waits' && !worker.removes;
  for (let { organisation } = input; ; ) {
    try {
      if (waits && !isActive(organisation)) throw new Suspended();
      return await worker.handle(notices, { ...input, organisation });
    } catch (error) {
      if (!(error instanceof Suspended)) throw error;
    }
    const waiting = await inBatches(notices, waitingAtOnce, ({ table, partition, id }) =>
      waitForResumption(input.store, { worker: worker.id, table, partition, id }, input),
    );
    if (waiting.every((isWaiting) => isWaiting)) return;
    // It has been resumed in the meantime.
    organisation = (await input.readOrganisation()) ?? organisation;
  }
}

/** `over`: it goes on in the next turn. `idle`: as `over`, and has stored nothing. `waits`: it waits in an item for a place. */
type End = 'done' | 'failed' | 'over' | 'idle' | 'waits';

function endOf(thrown: unknown, hasStored: boolean): End {
  if (thrown instanceof NoPlace) return 'waits';
  if (thrown instanceof TurnOver) return hasStored ? 'over' : 'idle';
  return 'failed';
}

async function work(
  worker: Worker,
  runtime: BaseRuntime,
  notices: Notices,
  { sendAgain, ...given }: Pick<WorkerInput, 'remainingMs' | 'turn' | 'later'> & Pick<OwnQueue, 'sendAgain'>,
): Promise<End> {
  const startedMs = runtime.elapsedMs();
  const { client, tableNames, nowMs, newId, sleep, fence } = runtime;
  const { auditDays, secretBox, network, elapsedMs, randomFraction, log } = runtime;
  const outside = { auditDays, secretBox, network, elapsedMs, randomFraction, log };
  const session = openSession(client, tableNames, worker.access);
  const [{ tenant, id: item }] = notices;
  const about = { worker: worker.id, tenant, item };
  let outcome: End = 'done';
  let hasStored = false;
  try {
    // A notice of a deleted organisation, left in a queue, must not cause a write.
    const [organisationId = ''] = tenant.split('#');
    const readOrganisation = () => getOrganisation(session, organisationId);
    const organisation = await readOrganisation();
    if (isKept(organisation)) {
      const files = allowOnly(runtime.files, worker.files);
      const models = worker.models ? runtime.models : noModels;
      const base = {
        inMode: (mode: Mode) => bindStore(session, tenantOf(organisationId, mode)),
        // Each commit is a version of its own: a worker may change the same item several times.
        commit: (writes: readonly Write[]) => commit(session, writes, authorOf(worker, newId, nowMs())),
        sleep,
        nowMs,
        newId: (kind: IdKind) => newId(kind, nowMs()),
      };
      const inputWith = (takePlace: () => Promise<void>): WorkerInput => ({
        ...base,
        store: bindStore(session, tenant),
        organisation,
        readOrganisation,
        ...gateOf(worker, readOrganisation, { network, models, files }, takePlace),
        async commit(writes) {
          const refusal = await base.commit(writes);
          hasStored ||= refusal === undefined;
          return refusal;
        },
        writeEach(writes, signal) {
          hasStored = true;
          return writeEach(session, writes, { sleep, signal });
        },
        fence,
        files,
        models,
        quotas: runtime.limits[modeOf(tenant)].quotas,
        ...given,
        ...outside,
      });
      const handle = (takePlace: () => Promise<void>) => handleOrWait(worker, notices, inputWith(takePlace));
      await withPlace(worker, notices[0], base, sendAgain, handle);
    }
  } catch (thrown) {
    outcome = endOf(thrown, hasStored);
    const isStuck = outcome === 'idle' && idleTurnsOf(notices) >= maxIdleTurns;
    if (isStuck) outcome = 'failed';
    const fault = isStuck ? new Error('the last turns have stored nothing') : thrown;
    if (outcome === 'failed') runtime.log({ level: 'error', message: 'work failed', ...about, fault });
  }
  const durationMs = Math.round(runtime.elapsedMs() - startedMs);
  const counts = { notices: notices.length, failed: outcome === 'failed', durationMs };
  runtime.log({ level: 'info', message: 'work', ...about, ...counts, ...session.usage });
  return outcome;
}
