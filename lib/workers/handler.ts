/** The handler of a worker's function: it gets batches from the worker's queue. */

import type { SQSBatchResponse } from 'aws-lambda';
import { inBatches } from '../base/batches.ts';
import type { BaseRuntime } from '../runtime/base-runtime.ts';
import { itemKey, type Notice, newest, organisationOf, projectOf, readNotice } from './notice.ts';
import type { SendAgain } from './places.ts';
import { openTurn } from './turn.ts';
import { idleTurnsOf, work } from './work.ts';
import type { Worker } from './worker.ts';

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
  sendAgain: SendAgain;
  /** @returns whether a notice waits for a place */
  isAwaited(): Promise<boolean>;
};

/** Work is only started while this share of the timeout is left. The rest comes again. */
const minRemainingShare = 0.1;

/** A worker may ask for a notice again this often in a row. */
const maxPauses = 9;

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
 * Handles the notices of each tenant and project together, and those of all organisations at the same time. If that fails, it handles
 * each notice on its own. Only the notices that fail again are reported, so that only they come again, each time after a longer pause
 * ("Implementing partial batch responses", AWS Lambda Developer Guide). A notice whose turn is over, or that its worker asks for again,
 * goes back to the queue as a new message: it has not failed.
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
