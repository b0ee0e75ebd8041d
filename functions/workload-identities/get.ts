import * as z from 'zod';
import { showIdentity } from '../../lib/api-keys/workload-identities/identity.ts';
import { WorkloadIdentity } from '../../lib/api-keys/workload-identities/schema.ts';
import { workloadIdentityInPath } from '../../lib/api-keys/workload-identities/store.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'workload-identities.get',
  method: 'GET',
  path: '/workload-identities/{identity_id}',
  summary: 'Get a workload identity',
  description: 'Returns the identity. A deleted or expired identity is returned for 30 more days.',
  auth: 'api-keys:read',
  loads: { identity: workloadIdentityInPath },
  request: { params: z.strictObject({ identity_id: id('workloadIdentity') }) },
  responses: { 200: WorkloadIdentity },

  async handle({ loaded, nowMs }) {
    return { status: 200, data: showIdentity(loaded.identity, nowMs) };
  },
});
