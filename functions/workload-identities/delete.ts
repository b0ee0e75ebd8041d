import * as z from 'zod';
import { endQuery } from '../../lib/api-keys/schema.ts';
import { showIdentity } from '../../lib/api-keys/workload-identities/identity.ts';
import { DeletedWorkloadIdentity } from '../../lib/api-keys/workload-identities/schema.ts';
import { workloadIdentityInPath } from '../../lib/api-keys/workload-identities/store.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';
import { endCredential, endingCredential } from '../../lib/webhooks/store/end-credential.ts';

export default defineEndpoint({
  ...endingCredential,
  id: 'workload-identities.delete',
  method: 'DELETE',
  path: '/workload-identities/{identity_id}',
  summary: 'Delete a workload identity',
  description:
    'Deletes the identity permanently. Every request with one of its tokens that starts after this response is refused. ' +
    'Deleting a deleted identity changes nothing. The caller must have every scope of the identity, unless the identity ' +
    'deletes itself.\n\n`children=true`, `force=true` and `dryRun=true` are as for `DELETE /api-keys/{key_id}`: with ' +
    '`children=true`, the response is 202, and everything ends that the identity has created or set with any of its tokens. ' +
    '`childrenRevocation` shows the progress.',
  loads: { identity: workloadIdentityInPath },
  request: {
    params: z.strictObject({ identity_id: id('workloadIdentity') }),
    query: z.strictObject(endQuery),
  },
  causes: ['workload_identity.deleted', 'workload_identity.updated'],
  responses: { 200: DeletedWorkloadIdentity, 202: DeletedWorkloadIdentity },

  handle: ({ loaded: { identity }, store, ...request }) =>
    endCredential(store, identity, request, showIdentity),
});
