import * as z from 'zod';
import { requireOtherCreator } from '../../lib/api-keys/creators.ts';
import { refuseEnd } from '../../lib/api-keys/grants.ts';
import { showApiKey } from '../../lib/api-keys/key.ts';
import { RevokedApiKey } from '../../lib/api-keys/schema.ts';
import {
  apiKeyInPath,
  revokeApiKey,
  revokeWithChildren,
  type StoredApiKey,
} from '../../lib/api-keys/store.ts';
import { timestamp } from '../../lib/base/time.ts';
import { countStarted } from '../../lib/events/webhooks/store/revoked.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'api-keys.revoke',
  method: 'DELETE',
  path: '/api-keys/{key_id}',
  summary: 'Revoke an API key',
  description:
    'Revokes the key permanently. Every request that starts after this response is refused. Revoking a revoked ' +
    'key changes nothing. The caller must have every scope of the key, unless the key revokes itself. If no key ' +
    'that can create keys would be left, `force=true` is needed.\n\nWith `children=true`, the response is 202. ' +
    'The key is revoked at once. Soon after, the keys that it created are revoked, and the keys that those keys ' +
    'created, except keys with a scope that the caller does not have. Then every webhook is disabled whose URL, ' +
    'content or secret one of these keys has set, and every source is paused that acts on behalf of one of these keys. `childrenRevocation` of this key shows the progress. Without ' +
    '`children=true`, webhooks stay on: `webhooks` counts them.\n\nWith `dryRun=true`, nothing changes. The ' +
    'response is 200 with the unchanged key and the effects that the revocation would have.',
  auth: 'api-keys:write',
  loads: { key: apiKeyInPath },
  request: {
    params: z.strictObject({ key_id: id('apiKey') }),
    query: z.strictObject({
      children: z
        .enum(['true', 'false'])
        .optional()
        .meta({
          description:
            'Whether the keys below this key are revoked too (the keys that it created, and the keys that those created), ' +
            'their webhooks disabled, and their sources paused. Default: false.',
        }),
      force: z.enum(['true', 'false']).optional().meta({
        description: 'Whether to revoke the key even if no key is left that can create keys. Default: false.',
      }),
      dryRun: z.enum(['true', 'false']).optional().meta({
        description:
          'Whether to only show the effects of the revocation, without any change. Default: false.',
      }),
    }),
  },
  causes: ['api_key.revoked', 'api_key.updated'],
  responses: { 200: RevokedApiKey, 202: RevokedApiKey },
  errors: ['insufficient_scope', 'last_key'],
  access: {
    apiKeys: ['UpdateItem', 'Query', 'ConditionCheckItem'],
    webhooks: ['Query'],
    knowledge: ['Query', 'BatchGetItem'],
  },

  async handle({ loaded: { key }, query, caller, store, nowMs }) {
    const withChildren = query.children === 'true';
    const isDry = query.dryRun === 'true';
    // A key that may end other keys may also end them when it ends itself.
    const ender = key.id === caller.id ? key : caller;
    const count = () => countStarted(store, key.id, { ender, caller, withChildren, isDry, nowMs });
    if (key.revokedAt !== null && !withChildren)
      return { status: 200, data: { ...showApiKey(key, nowMs), ...(await count()) } };
    const refusal = refuseEnd(caller, key);
    if (refusal) return fail('insufficient_scope', refusal);
    const [others, counts] = await Promise.all([
      query.force === 'true' ? [] : requireOtherCreator(store, key, withChildren, nowMs),
      count(),
    ]);
    if (!others) return fail('last_key');
    const show = (shown: StoredApiKey) => ({ ...showApiKey(shown, nowMs), ...counts });
    if (isDry) return { status: 200, data: show(key) };

    const revokedAt = key.revokedAt ?? timestamp(nowMs);
    if (!withChildren) {
      const writes = [revokeApiKey(store, key, revokedAt), ...others];
      return { status: 200, data: show({ ...key, revokedAt }), writes };
    }
    if (key.childrenRevocation?.finishedAt === null) return { status: 202, data: show(key) };
    const { scopes, projectIds } = ender;
    const requestedAt = timestamp(nowMs);
    const state = { finishedAt: null, revoked: 0, skipped: 0, webhookIds: [] };
    const childrenRevocation = { requestedAt, scopes, projectIds, ...state };
    return {
      status: 202,
      data: show({ ...key, revokedAt, childrenRevocation }),
      writes: [revokeWithChildren(store, key, revokedAt, childrenRevocation), ...others],
    };
  },
});
