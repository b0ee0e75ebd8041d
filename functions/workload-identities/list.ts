import * as z from 'zod';
import { listCredentials } from '../../lib/api-keys/store/credentials.ts';
import { showIdentity } from '../../lib/api-keys/workload-identities/identity.ts';
import { WorkloadIdentity, workloadIdentityStatus } from '../../lib/api-keys/workload-identities/schema.ts';
import { identities, identityStatus } from '../../lib/api-keys/workload-identities/store.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { credentialId, listOf } from '../../lib/schema/common.ts';
import { defaultLimit, pageQuery, rangeBefore } from '../../lib/schema/query.ts';

export default defineEndpoint({
  id: 'workload-identities.list',
  method: 'GET',
  path: '/workload-identities',
  summary: 'List workload identities',
  description:
    'Returns identities, newest first, including those that were deleted or expired in the last 30 days. A ' +
    'credential that is bound to projects gets only identities that are bound to the same projects or to some ' +
    'of them.\n\nWith a selective filter, a page may have fewer than `limit` items, or no items. Continue ' +
    'until `nextCursor` is null.',
  auth: 'api-keys:read',
  request: {
    query: z.strictObject({
      ...pageQuery,
      expiresBefore: rangeBefore('identities that expire'),
      createdBy: credentialId().optional().meta({
        description: 'Only identities that this key or this workload identity created.',
      }),
      status: workloadIdentityStatus.optional().meta({ description: 'Only identities with this status.' }),
    }),
  },
  responses: { 200: listOf(WorkloadIdentity).meta({ id: 'WorkloadIdentityList' }) },
  access: { apiKeys: ['Query'] },

  async handle({ query, caller, store, nowMs, cursor }) {
    const list = {
      createdBy: query.createdBy,
      status: query.status,
      expiresBeforeMs: query.expiresBefore,
      after: cursor.position(query.cursor),
      limit: query.limit ?? defaultLimit,
    };
    const items = identities.at(store);
    const kind = { kind: 'workloadIdentity', items, statusOf: identityStatus } as const;
    const page = await listCredentials(kind, { caller, nowMs }, list);
    return {
      status: 200,
      data: {
        items: page.items.map((identity) => showIdentity(identity, nowMs)),
        nextCursor: cursor.next(page.next),
      },
    };
  },
});
