/**
 * The scheduler runs every minute. It sends notices of due items to the queues of the workers, and then removes the items. It
 * may be killed at any point, run twice at the same time, or miss runs for hours. An item that is not removed is sent again, so
 * a notice may come twice, and no notice is lost.
 */

import { split } from '../../base/batches.ts';
import { minuteMs, secondMs } from '../../base/time.ts';
import { writeEach } from '../../dynamodb/batch.ts';
import { tenantCollection } from '../../dynamodb/collection.ts';
import { commit } from '../../dynamodb/commit.ts';
import { openSession } from '../../dynamodb/session.ts';
import { bindStore, type Page } from '../../dynamodb/store.ts';
import type { Access } from '../../dynamodb/tables.ts';
import type { Stamp } from '../../dynamodb/write.ts';
import type { BaseRuntime } from '../../runtime/base-runtime.ts';
import type { Sender } from '../dispatcher.ts';
import { type DueItem, dueItems, dueTenant, minuteOf, readDue, timeKey } from '../due.ts';
import type { Notice } from '../notice.ts';

/** The name of its bundle, construct and log lines. */
export const schedulerId = 'scheduler';

export const schedulerAccess: Access = { schedule: ['GetItem', 'PutItem', 'Query', 'BatchWriteItem'] };

/**
 * Each run reads the items again that were due in this time before the previous run. A worker may write late, but no later than
 * its function's timeout, which is at most 15 minutes ("Lambda quotas").
 */
const lookBackMs = 15 * minuteMs;
/** The rule starts a run every minute. A run ends before the next run starts, and the next run continues. */
const maxRunMs = 45 * secondMs;
const minutesAtOnce = 16;
const pageSize = 500;

/** How far the runs have come: everything before this minute was sent. */
export type Checkpoint = { tenant: string; id: 'checkpoint'; minute: string } & Stamp;
export const checkpoints = tenantCollection<Checkpoint>('schedule');
const checkpointId = 'checkpoint';

export type Limits = {
  /** The time of a run, and the number of items that it sends, in milliseconds. */
  maxRunMs: number;
  maxItems: number;
};

const defaults: Limits = { maxRunMs, maxItems: 100_000 };

/**
 * Sends the due items. Bounded: a run that has sent enough, or takes too long, leaves the remaining items to the next run.
 * @param workerIds the workers that exist; others were removed by a later release
 * @returns the number of items sent
 * @throws Error if a queue or DynamoDB is not available. The next run tries again
 */
export async function runSchedule(
  workerIds: readonly string[],
  { client, tableNames: names, nowMs, elapsedMs, newId, sleep, log }: BaseRuntime,
  sender: Sender,
  limits: Partial<Limits> = {},
): Promise<number> {
  const { maxRunMs, maxItems } = { ...defaults, ...limits };
  const session = openSession(client, names, schedulerAccess);
  const store = bindStore(session, dueTenant);
  const progress = checkpoints.at(bindStore(session, schedulerId));
  const begunMs = elapsedMs();
  const untilMs = nowMs();
  let sent = 0;

  let stuck: { minute: string; fault: unknown } | undefined;

  const page = (minute: string, after?: string) =>
    dueItems.at(store, minute).page({ to: `${timeKey(untilMs)}~`, order: 'oldest', after, limit: pageSize });
  const isEnough = () => sent >= maxItems || elapsedMs() - begunMs >= maxRunMs;

  /** @throws Error if the queue of the worker is not available. Some notices may have been sent */
  async function send(worker: string, notices: readonly Notice[]): Promise<void> {
    const refused = workerIds.includes(worker) ? await sender.send(worker, notices) : notices;
    if (refused.length === 0) return;
    await sender.bury(
      refused.map((notice) => ({
        reason: 'refused',
        table: notice.table,
        stream: '',
        sequence: '',
        worker,
        notice,
      })),
    );
  }

  async function sendAndRemove(minute: string, items: readonly DueItem[]): Promise<void> {
    const due = items.map((item) => ({ ...readDue(item), id: item.id }));
    for (const [worker, some] of Map.groupBy(due, (one) => one.worker)) {
      try {
        await send(
          worker,
          some.map(({ notice }) => notice),
        );
      } catch (fault) {
        // The other workers still get their notices.
        stuck ??= { minute, fault };
        continue;
      }
      sent += some.length;
      const own = dueItems.at(store, minute);
      const removals = some.map(({ id }) => own.remove(id, { condition: { kind: 'any' } }));
      await writeEach(session, removals, { sleep });
    }
  }

  /** @returns whether the run has come to the end of this minute */
  async function drain(minute: string, first: Page<DueItem>): Promise<boolean> {
    for (let { items, next } = first; ; { items, next } = await page(minute, next)) {
      if (items.length > 0 && isEnough()) return false;
      await sendAndRemove(minute, items);
      if (next === null) return true;
    }
  }

  /** @returns the first minute that is not done, or the current minute */
  async function drainFrom(fromMs: number): Promise<string> {
    for (const minutes of split(minutesBetween(fromMs, untilMs), minutesAtOnce)) {
      const pages = await Promise.all(minutes.map((minute) => page(minute)));
      for (const [index, minute] of minutes.entries()) {
        const first = pages[index];
        if (isEnough() || (first && !(await drain(minute, first)))) return minute;
      }
    }
    return minuteOf(untilMs);
  }

  const checkpoint = await progress.get(checkpointId);
  const fromMs = checkpoint ? Math.min(Date.parse(`${checkpoint.minute}Z`), untilMs) : untilMs;
  const reached = await drainFrom(fromMs - lookBackMs);
  const minute = stuck && stuck.minute < reached ? stuck.minute : reached;
  const name = `worker:${schedulerId}`;
  const author = { changedBy: name, changedThrough: name, changedIn: newId('call', untilMs), nowMs: untilMs };
  // Refused if another run has come further.
  const condition = { kind: 'absent_or_before', attribute: 'minute', value: minute } as const;
  await commit(session, [progress.put({ id: checkpointId, minute }, { condition })], author);
  if (sent > 0) {
    log({
      level: 'info',
      message: 'work',
      worker: schedulerId,
      tenant: '',
      item: minute,
      notices: sent,
      failed: stuck !== undefined,
      durationMs: Math.round(elapsedMs() - begunMs),
      ...session.usage,
    });
  }
  if (stuck) throw stuck.fault;
  return sent;
}

/** @returns every minute from one time to another, both included */
function minutesBetween(fromMs: number, toMs: number): string[] {
  const first = Math.floor(fromMs / minuteMs);
  const count = Math.floor(toMs / minuteMs) - first + 1;
  return Array.from({ length: count }, (_, index) => minuteOf((first + index) * minuteMs));
}
