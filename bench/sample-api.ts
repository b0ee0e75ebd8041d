/** The samples on the benchmarks' service: a successful request of an endpoint. */

import {
  apiOf,
  type ContractApi,
  countConversations,
  indexMessages,
  jobNotice,
  logChanges,
  stepNotices,
} from '../samples/api.ts';
import { deliverNotices } from '../samples/lambda-queue.ts';
import knowledgeIndexer from '../workers/knowledge-indexer.ts';
import type { Bench } from './service.ts';

/** The API that samples use. They need only one organisation and mode. */
export function sampleApi({ runtime, send, key, organisationId }: Bench): ContractApi {
  const unused = () => Promise.reject(new Error('no sample needs this'));
  const tenant = `${organisationId}#live` as const;
  return {
    ...apiOf({ call: send, rootKey: key, organisationId }),
    testModeKey: unused,
    another: unused,
    indexMessages: (project) => indexMessages(runtime, tenant, project),
    countConversations: (project) => countConversations(runtime, tenant, project),
    logChanges: () => logChanges(runtime, organisationId),
    /** Only jobs of the index. */
    async workOff(project, job) {
      const notice = jobNotice(tenant, project, job);
      await deliverNotices(runtime, knowledgeIndexer, [notice]);
      const steps = await stepNotices(tenant, project, runtime);
      for (const step of steps) await deliverNotices(runtime, knowledgeIndexer, [step]);
      if (steps.length > 0) await deliverNotices(runtime, knowledgeIndexer, [notice]);
    },
  };
}
