/** The release of work that has waited for the end of a suspension, in turns. */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { minuteMs } from '../../../lib/base/time.ts';
import { openApi } from '../../../samples/api.ts';
import { deliverNotices, unlessTurnOver } from '../../../samples/lambda-queue.ts';
import organisationResumer from '../../../workers/organisation-resumer.ts';
import { dueOf } from '../../support/schedule.ts';
import { resumeNow, suspendNow, waitingOf } from '../../support/suspensions.ts';

test('turns release all work once, and at most 10 000 items in a minute', { tags: ['long'] }, async () => {
  const api = await openApi(() => ({ sleep: async () => {} }));
  const { client, tableNames, nowMs } = api.runtime;
  const put = (item: { tenant: string; id: string; [name: string]: unknown }) =>
    client.send(new PutCommand({ TableName: tableNames.schedule, Item: { changedIn: 'call_1', ...item } }));
  const wait = async (mode: string, count: number) => {
    const tenant = `${api.organisationId}#${mode}`;
    for (let n = 0; n < count; n += 50) {
      const ids = Array.from({ length: Math.min(50, count - n) }, (_, index) => `job_${n + index}`);
      const work = ids.flatMap((id) => [
        put({
          tenant: `${tenant}#waiting`,
          id: `9999999999999#some-worker#${tenant}#proj_1#${id}`,
          table: 'jobs',
        }),
        put({ tenant: `${tenant}#proj_1`, id: `some-worker#${id}`, dueMs: 9_999_999_999_999 }),
      ]);
      await Promise.all(work);
    }
  };
  await suspendNow(api);
  await wait('live', 520);
  await wait('test', 3);
  const beganMs = nowMs();
  await put({
    tenant: `${api.organisationId}#live#released`,
    id: 'release',
    fromMs: beganMs,
    count: 9_600,
    ttl: 9_999_999_999,
  });
  const notices = await resumeNow(api);
  let turns = 0;
  for (let left = 523; left > 0 && turns < 10; turns += 1) {
    await deliverNotices({ ...api.runtime, turnMs: 0 }, organisationResumer, notices).catch(unlessTurnOver);
    const { length } = await waitingOf(api);
    expect(length).toBeLessThan(left);
    left = length;
  }
  // Two pages of one mode, and one of the other.
  expect(turns).toBe(3);
  await deliverNotices({ ...api.runtime, turnMs: 0 }, organisationResumer, notices);
  const isLate = ({ id }: { id?: unknown }) => Number(`${id}`.slice(0, 13)) >= beganMs + minuteMs;
  const due = (await dueOf(api)).filter(({ id }) => `${id}`.includes(`some-worker#${api.organisationId}`));
  expect([due.filter((item) => !isLate(item)).length, due.filter(isLate).length]).toEqual([500, 23]);
});
