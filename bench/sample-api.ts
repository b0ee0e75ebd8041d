/** The samples of test/support on the benchmarks' service: a successful request for every endpoint. */

import {
  apiOf,
  type ContractApi,
  countConversations,
  indexMessages,
  logChanges,
  workOff,
} from '../test/support/api.ts';
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
    workOff: (project, job) => workOff(runtime, tenant, project, job, {}),
  };
}
