import * as z from 'zod';
import { showApiKey } from '../../lib/api-keys/key.ts';
import { endQuery, RevokedApiKey } from '../../lib/api-keys/schema.ts';
import { apiKeyInPath } from '../../lib/api-keys/store.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';
import { endCredential, endingCredential } from '../../lib/webhooks/store/end-credential.ts';

export default defineEndpoint({
  ...endingCredential,
  id: 'api-keys.revoke',
  method: 'DELETE',
  path: '/api-keys/{key_id}',
  summary: 'Revoke an API key',
  description:
    'Revokes the key permanently. Every request that starts after this response is refused. Revoking a revoked ' +
    'key changes nothing. The caller must have every scope of the key, unless the key revokes itself. If no key ' +
    'that can create keys would be left, `force=true` is needed.\n\nWith `children=true`, the response is 202. ' +
    'The key is revoked at once. Soon after, the keys and workload identities that it created end, and those that ' +
    'they created, except those with a scope that the caller does not have. Then every webhook is disabled whose URL, ' +
    'content or secret one of these keys has set, and every source, every evaluator and every rollout is paused that acts on behalf of one of these keys. Evaluation runs, refreshes of sources and exports ' +
    'that one of these keys has requested fail with `credential_revoked` before their next call, request or file. ' +
    'Other jobs go on. `childrenRevocation` of this key shows the progress. Without ' +
    '`children=true`, webhooks stay on: `webhooks` counts them.\n\nWith `dryRun=true`, nothing changes. The ' +
    'response is 200 with the unchanged key and the effects that the revocation would have.',
  loads: { key: apiKeyInPath },
  request: {
    params: z.strictObject({ key_id: id('apiKey') }),
    query: z.strictObject(endQuery),
  },
  causes: ['api_key.revoked', 'api_key.updated'],
  responses: { 200: RevokedApiKey, 202: RevokedApiKey },

  handle: ({ loaded: { key }, store, ...request }) => endCredential(store, key, request, showApiKey),
});
