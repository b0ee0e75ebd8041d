/** The scheduler in tests. */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Sender } from '../../lib/workers/dispatcher.ts';
import { type DueItem, dueTenant, readDue } from '../../lib/workers/due.ts';
import type { Notice } from '../../lib/workers/notice.ts';
import { runSchedule, schedulerId } from '../../lib/workers/schedule/scheduler.ts';
import { type Json, storedOf, type TestApi } from '../../samples/api.ts';
import { workers } from '../../workers/index.ts';
import { deliverInTurns } from './turns.ts';

/** @returns what is scheduled for the API's organisation */
export const dueOf = async (api: TestApi): Promise<Json[]> =>
  (await storedOf(api, 'schedule')).filter(({ tenant }) => `${tenant}`.startsWith(`${dueTenant}#`));

/** @returns the notices that the scheduler sends when their time has come */
export const dueNotices = async (api: TestApi): Promise<Notice[]> =>
  (await dueOf(api)).map((item) => readDue(item as DueItem).notice);

const ids = workers.map(({ id }) => id);

/** A queue without a queue: each notice is handled at once, or fails. */
export const direct = (runtime: TestApi['runtime']): Sender => ({
  async send(id, notices) {
    const worker = workers.find((one) => one.id === id);
    if (!worker) throw new Error(`there is no ${id}`);
    await deliverInTurns(runtime, worker, notices);
    return [];
  },
  bury: () => Promise.reject(new Error('nothing is refused')),
});

/**
 * Sends what is due for the API's organisation by its clock. Each API has a clock of its own, but they share the table, so
 * the scheduler runs once for each minute in which something is due.
 * @returns the number of items sent
 */
export async function runDue(api: TestApi, sender: Sender = direct(api.runtime)): Promise<number> {
  const { client, nowMs, tableNames } = api.runtime;
  const minutes = new Set((await dueOf(api)).map(({ tenant }) => `${tenant}`.split('#')[1] ?? ''));
  let sent = 0;
  for (const minute of [...minutes].sort()) {
    const endMs = Math.min(Date.parse(`${minute}:59.999Z`), nowMs());
    const stamp = { changedBy: 'test', changedIn: 'test' };
    const Item = { tenant: schedulerId, id: 'checkpoint', minute, ...stamp };
    await client.send(new PutCommand({ TableName: tableNames.schedule, Item }));
    sent += await runSchedule(ids, { ...api.runtime, nowMs: () => endMs }, sender);
  }
  return sent;
}
