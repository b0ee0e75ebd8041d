/** Writes to what the tenant of an API spends on models. */

import { commit } from '../../lib/dynamodb/commit.ts';
import { openSession } from '../../lib/dynamodb/session.ts';
import { bindStore } from '../../lib/dynamodb/store.ts';
import type { Write } from '../../lib/dynamodb/write.ts';
import type { TestApi } from '../../samples/api.ts';

export function costs({ runtime, organisationId }: Pick<TestApi, 'runtime' | 'organisationId'>) {
  const access = { limits: ['UpdateItem', 'BatchGetItem'] } as const;
  const session = openSession(runtime.client, runtime.tableNames, access);
  const author = { changedBy: 'test', changedThrough: 'test' };
  return {
    store: bindStore(session, `${organisationId}#live`),
    /** @returns the error of the refused write; undefined if it was written */
    async write(given: Write | undefined): Promise<string | undefined> {
      if (!given) return 'exceeds the quota alone';
      const nowMs = runtime.nowMs();
      const refusal = await commit(session, [given], {
        ...author,
        changedIn: runtime.newId('call', nowMs),
        nowMs,
      });
      return refusal?.failed[0]?.onConditionFailed;
    },
  };
}
