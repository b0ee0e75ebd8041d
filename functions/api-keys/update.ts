import * as z from 'zod';
import { refuseGrant } from '../../lib/api-keys/grants.ts';
import { ApiKey, apiKeyName, apiKeyScopes } from '../../lib/api-keys/schema.ts';
import { apiKeyInPath, changeApiKey, requireCaller, showApiKey } from '../../lib/api-keys/store.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';
import { atLeastOneField } from '../../lib/schema/patch.ts';
import { missingScopes } from '../../lib/scopes.ts';

export default defineEndpoint({
  id: 'api-keys.update',
  method: 'PATCH',
  path: '/api-keys/{key_id}',
  summary: 'Update an API key',
  description:
    'Changes the name or the scopes. `scopes` replaces all scopes, and takes effect with the next ' +
    'request. The caller must have every scope that it adds, for at least as long as the key is valid.',
  auth: 'api-keys:write',
  loads: { key: apiKeyInPath },
  request: {
    params: z.strictObject({ key_id: id('apiKey') }),
    body: atLeastOneField(
      z.strictObject({ name: apiKeyName.exactOptional(), scopes: apiKeyScopes.exactOptional() }),
    ),
  },
  responses: { 200: ApiKey },
  errors: ['insufficient_scope', 'key_not_active', 'service_unavailable'],
  access: { apiKeys: ['UpdateItem', 'ConditionCheckItem'] },

  async handle({ loaded: { key }, body, caller, store, nowMs }) {
    const shown = showApiKey(key, nowMs);
    if (shown.status !== 'active') return fail('key_not_active');

    const added = missingScopes(key.scopes, body.scopes ?? []);
    const grant = {
      scopes: added,
      projectIds: key.projectIds,
      expiresAtMs: key.expiresAt === null ? null : Date.parse(key.expiresAt),
    };
    const isGrant = added.length > 0;
    // A key that changes itself is checked against its stored state, on which the write is conditional.
    const giver = key.id === caller.id ? { ...caller, scopes: key.scopes } : caller;
    const refusal = isGrant ? refuseGrant(giver, grant) : undefined;
    if (refusal) return fail('insufficient_scope', refusal);
    const change = changeApiKey(store, key, body);
    const writes = isGrant && key.id !== caller.id ? [change, ...requireCaller(store, caller)] : [change];
    return { status: 200, data: { ...shown, ...body }, writes };
  },
});
