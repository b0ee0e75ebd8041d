import * as z from 'zod';
import { refuseEnd } from '../../lib/api-keys/grants.ts';
import { ApiKey } from '../../lib/api-keys/schema.ts';
import {
  apiKeyInPath,
  isLastCreator,
  revokeApiKey,
  revokeWithChildren,
  showApiKey,
} from '../../lib/api-keys/store.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';
import { timestamp } from '../../lib/time.ts';

export default defineEndpoint({
  id: 'api-keys.revoke',
  method: 'DELETE',
  path: '/api-keys/{key_id}',
  summary: 'Revoke an API key',
  description:
    'Revokes the key permanently. Every request that starts after this response is refused. Revoking a ' +
    'revoked key changes nothing. The caller must have every scope of the key, unless the key revokes ' +
    'itself. If no key that can create keys would be left, `force=true` is needed.\n\nWith `children=true`, ' +
    'the response is 202: the key is revoked at once, and soon after it the keys that it created, and ' +
    'theirs, except those with a scope that the caller does not have. `childrenRevocation` of this key ' +
    'shows the progress.',
  auth: 'api-keys:write',
  loads: { key: apiKeyInPath },
  request: {
    params: z.strictObject({ key_id: id('apiKey') }),
    query: z.strictObject({
      children: z.enum(['true', 'false']).optional().meta({
        description: 'Whether the keys that the key created are revoked, too, and theirs. Default: false.',
      }),
      force: z.enum(['true', 'false']).optional().meta({
        description: 'Whether to revoke it even if no key is left that can create keys. Default: false.',
      }),
    }),
  },
  responses: { 200: ApiKey, 202: ApiKey },
  errors: ['insufficient_scope', 'last_key'],
  access: { apiKeys: ['UpdateItem', 'Query'] },

  async handle({ loaded: { key }, query, caller, store, nowMs }) {
    const withChildren = query.children === 'true';
    if (key.revokedAt !== null && !withChildren) return { status: 200, data: showApiKey(key, nowMs) };
    const refusal = refuseEnd(caller, key);
    if (refusal) return fail('insufficient_scope', refusal);
    const mayLeaveNone = query.force === 'true';
    if (!mayLeaveNone && (await isLastCreator(store, key, withChildren, nowMs))) return fail('last_key');
    const revokedAt = key.revokedAt ?? timestamp(nowMs);
    if (!withChildren) {
      const writes = [revokeApiKey(store, key, revokedAt)];
      return { status: 200, data: showApiKey({ ...key, revokedAt }, nowMs), writes };
    }
    if (key.childrenRevocation?.finishedAt === null) return { status: 202, data: showApiKey(key, nowMs) };
    const { scopes, projectIds } = key.id === caller.id ? key : caller;
    const requestedAt = timestamp(nowMs);
    const childrenRevocation = { requestedAt, scopes, projectIds, finishedAt: null, revoked: 0, skipped: 0 };
    return {
      status: 202,
      data: showApiKey({ ...key, revokedAt, childrenRevocation }, nowMs),
      writes: [revokeWithChildren(store, key, revokedAt, childrenRevocation)],
    };
  },
});
