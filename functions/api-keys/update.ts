import * as z from 'zod';
import { requireOtherCreator } from '../../lib/api-keys/creators.ts';
import { addedGrant, refuseChange, refuseGrant } from '../../lib/api-keys/grants.ts';
import { grantOf, showApiKey, usesCurrentSecret } from '../../lib/api-keys/key.ts';
import { changedCredential } from '../../lib/api-keys/restrictions.ts';
import { ApiKey, allowedCidrs, apiKeyName, apiKeyScopes, expiresIn } from '../../lib/api-keys/schema.ts';
import { requireCaller } from '../../lib/api-keys/store/credentials.ts';
import { type ApiKeyChange, apiKeyInPath, changeApiKey } from '../../lib/api-keys/store.ts';
import { holds } from '../../lib/base/scopes.ts';
import { parseDurationMs, timestamp } from '../../lib/base/time.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { rateLimit } from '../../lib/limits/schema/usage.ts';
import { atLeastOneField, id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'api-keys.update',
  method: 'PATCH',
  path: '/api-keys/{key_id}',
  summary: 'Update an API key',
  description:
    'Changes the name, the scopes, the addresses, the limit or the expiry, from the next request on. `scopes` and ' +
    '`allowedCidrs` replace all scopes and addresses. `expiresIn` counts from now. The caller must have every ' +
    'scope of the key, and every scope that it adds, for at least as long as the key is valid. A caller that ' +
    'extends the key, or allows further addresses or requests, may not exceed its own lifetime, addresses and ' +
    'limit. To shorten the key, or to restrict its addresses or requests, the caller must be able to grant the ' +
    'key in its current form. A key can change itself only with its current secret. The last key that can create ' +
    'keys keeps `api-keys:write`.',
  auth: 'api-keys:write',
  loads: { key: apiKeyInPath },
  request: {
    params: z.strictObject({ key_id: id('apiKey') }),
    body: atLeastOneField(
      z.strictObject({
        name: apiKeyName.exactOptional(),
        scopes: apiKeyScopes.exactOptional(),
        expiresIn: expiresIn.exactOptional().meta({
          description:
            'The lifetime of the key from now: a whole number of hours, days or weeks, at most 365 days.',
        }),
        allowedCidrs: allowedCidrs
          .nullable()
          .exactOptional()
          .meta({ description: 'The addresses from which the key may be used. Null for everywhere.' }),
        rateLimit: rateLimit
          .nullable()
          .exactOptional()
          .meta({ description: 'The limit of requests. Null removes the limit.' }),
      }),
    ),
  },
  causes: ['api_key.updated'],
  responses: { 200: ApiKey },
  errors: ['insufficient_scope', 'key_not_active', 'last_key', 'service_unavailable'],
  access: { apiKeys: ['UpdateItem', 'Query', 'ConditionCheckItem'] },

  async handle({ loaded: { key }, body, caller, store, nowMs }) {
    if (showApiKey(key, nowMs).status !== 'active') return fail('key_not_active');

    const { expiresIn, allowedCidrs, rateLimit, ...fields } = body;
    const restrictions = { allowedCidrs, rateLimit };
    const expiresAt = expiresIn && timestamp(nowMs + (parseDurationMs(expiresIn) ?? 0));
    const change: ApiKeyChange = { ...fields, ...(expiresAt && { expiresAt }) };
    const keyAfter = changedCredential(key, change, restrictions);
    const [before, after] = [grantOf(key), grantOf(keyAfter)];
    // A key that changes itself is checked against its stored state, on which the write is conditional.
    const isSelf = key.id === caller.id;
    if (isSelf && !usesCurrentSecret(caller, key)) {
      return fail(
        'insufficient_scope',
        'A key can change itself with its current secret only, not with the previous one.',
      );
    }
    const addition = addedGrant(before, after);
    const refusal =
      (addition && refuseGrant(isSelf ? { ...caller, ...before } : caller, addition)) ??
      refuseChange(caller, key.id, before, after);
    if (refusal) return fail('insufficient_scope', refusal);
    const endsCreator = !holds(keyAfter.scopes, 'api-keys:write');
    const creatorChecks = endsCreator ? await requireOtherCreator(store, key, false, nowMs) : [];
    if (!creatorChecks)
      return fail('last_key', 'No key would be left that can create keys. Create another such key first.');
    const writes = [changeApiKey(store, key, change, restrictions), ...creatorChecks];
    return {
      status: 200,
      data: showApiKey(keyAfter, nowMs),
      writes: addition && !isSelf ? [...writes, ...requireCaller(store, caller)] : writes,
    };
  },
});
