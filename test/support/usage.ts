/** The worker that counts what is stored in a day, without its queue. */

import { commit } from '../../lib/dynamodb/commit.ts';
import { openSession } from '../../lib/dynamodb/session.ts';
import { bindStore } from '../../lib/dynamodb/store.ts';
import type { Write } from '../../lib/dynamodb/write.ts';
import type { Notice } from '../../lib/workers/notice.ts';
import { type Json, storedOf, type TestApi } from '../../samples/api.ts';
import { deliverNotices, noticesOf } from '../../samples/lambda-queue.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import usageCounter from '../../workers/usage-counter.ts';

/** @returns a function that returns the notices of what has changed since its last call, and one that also counts them */
export function noticesSince(api: Pick<TestApi, 'runtime' | 'organisationId'>) {
  const seen = new Map<string, Json>();
  const changed = async (): Promise<Notice[]> => {
    const notices: Notice[] = [];
    for (const source of ['conversations', 'knowledge'] as const) {
      for (const item of await storedOf(api, source)) {
        const key = `${item.tenant}/${item.id}`;
        const before = seen.get(key);
        seen.set(key, item);
        notices.push(...noticesOf(usageCounter, [changeRecord(before, item)], source));
      }
    }
    return notices;
  };
  return { changed, count: async () => countNotices(api, await changed()) };
}

/** Gives notices to the worker. */
export const countNotices = (api: Pick<TestApi, 'runtime'>, notices: readonly Notice[]) =>
  deliverNotices({ ...api.runtime, sleep: async () => {} }, usageCounter, notices);

/** Writes to what the tenant of an API spends on models. */
export function costs({ runtime, organisationId }: Pick<TestApi, 'runtime' | 'organisationId'>) {
  const access = { limits: ['UpdateItem', 'BatchGetItem'] } as const;
  const session = openSession(runtime.client, runtime.tableNames, access);
  const author = { changedBy: 'test', changedThrough: 'test' };
  const projectId = runtime.newId('project', runtime.nowMs());
  return {
    store: bindStore(session, `${organisationId}#live`).inProject(projectId),
    /** @returns the error of the refused write; undefined if all were written */
    async write(given: readonly Write[] | undefined): Promise<string | undefined> {
      if (!given) return 'exceeds the quota alone';
      const nowMs = runtime.nowMs();
      const refusal = await commit(session, given, {
        ...author,
        changedIn: runtime.newId('call', nowMs),
        nowMs,
      });
      return refusal?.failed[0]?.onConditionFailed;
    },
  };
}
