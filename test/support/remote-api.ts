/** The API for tests whose functions and workers run elsewhere: deployed, or in containers. */

import type { ApiResponse, CallOptions, ContractApi } from '../../samples/api.ts';
import { apiOf } from '../../samples/api.ts';

type Remote = Pick<
  ContractApi,
  'rootKey' | 'organisationId' | 'testModeKey' | 'whileSuspended' | 'another'
> & {
  call: (method: string, path: string, options?: CallOptions) => Promise<ApiResponse>;
};

export function remoteApi({ call, rootKey, organisationId, ...rest }: Remote): ContractApi {
  const untilFound = async (list: string) => {
    for (;;) {
      const { data } = await call('GET', list);
      if ((data.items as unknown[]).length > 0) return;
      await new Promise((done) => setTimeout(done, 200));
    }
  };
  return {
    ...apiOf({ call, rootKey, organisationId }),
    ...rest,
    worksByItself: true,
    async workOff(project, job) {
      for (;;) {
        const { status, data, text } = await call('GET', `/projects/${project}/jobs/${job}`);
        // A busy emulator may answer 5xx. The response to such a request does not say that the job has ended.
        if (status < 500 && status !== 200) throw new Error(text);
        if (status === 200 && data.finishedAt !== null) return;
        await new Promise((done) => setTimeout(done, 200));
      }
    },
    async logChanges() {
      // The samples create a project, and read its event. Events of the key come before.
      for (const log of ['/audit-events', '/events?type=project.*']) await untilFound(log);
    },
    indexMessages: (_, search) => untilFound(search),
    countConversations: (_, counts) => untilFound(counts),
  };
}
