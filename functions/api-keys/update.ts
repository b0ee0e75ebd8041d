import * as z from 'zod';
import { addedGrant, refuseEnd, refuseGrant, takesAway } from '../../lib/api-keys/grants.ts';
import { ApiKey, allowedCidrs, apiKeyName, apiKeyScopes, expiresIn } from '../../lib/api-keys/schema.ts';
import {
  type ApiKeyChange,
  apiKeyInPath,
  changeApiKey,
  changedKey,
  grantOf,
  requireCaller,
  showApiKey,
} from '../../lib/api-keys/store.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { rateLimit } from '../../lib/limits/schema.ts';
import { id } from '../../lib/schema/common.ts';
import { atLeastOneField } from '../../lib/schema/patch.ts';
import { parseDurationMs, timestamp } from '../../lib/time.ts';

export default defineEndpoint({
  id: 'api-keys.update',
  method: 'PATCH',
  path: '/api-keys/{key_id}',
  summary: 'Update an API key',
  description:
    'Changes the name, the scopes, the addresses, the limit or the expiry, from the next request on. `scopes` and ' +
    '`allowedCidrs` replace all scopes and addresses. `expiresIn` counts from now. The caller must have every ' +
    'scope that it adds, for at least as long as the key is valid. To extend the key, or to allow further ' +
    'addresses or requests, it must have every scope of the key, and may not exceed its own lifetime, addresses ' +
    'and limit. Only a ' +
    'caller with every scope of the key can take something from it.',
  auth: 'api-keys:write',
  loads: { key: apiKeyInPath },
  request: {
    params: z.strictObject({ key_id: id('apiKey') }),
    body: atLeastOneField(
      z.strictObject({
        name: apiKeyName.exactOptional(),
        scopes: apiKeyScopes.exactOptional(),
        expiresIn: expiresIn.exactOptional(),
        allowedCidrs: allowedCidrs.nullable().exactOptional(),
        rateLimit: rateLimit.nullable().exactOptional(),
      }),
    ),
  },
  responses: { 200: ApiKey },
  errors: ['insufficient_scope', 'key_not_active', 'service_unavailable'],
  access: { apiKeys: ['UpdateItem', 'ConditionCheckItem'] },

  async handle({ loaded: { key }, body, caller, store, nowMs }) {
    if (showApiKey(key, nowMs).status !== 'active') return fail('key_not_active');

    const { expiresIn, allowedCidrs, rateLimit, ...fields } = body;
    const restrictions = { allowedCidrs, rateLimit };
    const expiresAt = expiresIn && timestamp(nowMs + (parseDurationMs(expiresIn) ?? 0));
    const change: ApiKeyChange = { ...fields, ...(expiresAt && { expiresAt }) };
    const changed = changedKey(key, change, restrictions);
    const [before, after] = [grantOf(key), grantOf(changed)];
    // A key that changes itself is checked against its stored state, on which the write is conditional.
    const isOwn = key.id === caller.id;
    const added = addedGrant(before, after);
    const refusal =
      (added && refuseGrant(isOwn ? { ...caller, ...before } : caller, added)) ??
      (takesAway(before, after) ? refuseEnd(caller, key) : undefined);
    if (refusal) return fail('insufficient_scope', refusal);
    const writes = [changeApiKey(store, key, change, restrictions)];
    return {
      status: 200,
      data: showApiKey(changed, nowMs),
      writes: added && !isOwn ? [...writes, ...requireCaller(store, caller)] : writes,
    };
  },
});
