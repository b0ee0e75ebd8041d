import * as z from 'zod';
import { refuseGrant } from '../../lib/api-keys/grants.ts';
import { grantOf, showApiKey, usesCurrentSecret } from '../../lib/api-keys/key.ts';
import { ApiKeyWithSecret } from '../../lib/api-keys/schema.ts';
import { expiryMs, requireCaller } from '../../lib/api-keys/store/credentials.ts';
import { apiKeyInPath, rotateApiKey } from '../../lib/api-keys/store.ts';
import { hourMs, timestamp } from '../../lib/base/time.ts';
import { makeApiKey } from '../../lib/credentials/api-key.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';
import { overlapMsOf, previousSecretEnd, Rotation } from '../../lib/schema/overlap.ts';

/** The minimum when a key rotates itself. If the response is lost, the caller can repeat the request with the old secret. */
const minSelfOverlapMs = hourMs;

export default defineEndpoint({
  id: 'api-keys.rotate',
  method: 'POST',
  path: '/api-keys/{key_id}/rotate',
  summary: 'Rotate an API key',
  description:
    'Replaces the secret of a key. Everything else stays: id, name, scopes, projects, addresses and expiry. The ' +
    'old secret is valid until `previousSecretExpiresAt`, so that you can replace it everywhere. A key has at ' +
    'most two valid secrets. While the old secret is valid, another rotation is refused (`previous_secret_valid`, ' +
    'with the end of the old secret in the details), unless `endPrevious` is true.\n\nOnly this response shows ' +
    'the new `secret`. To read it again, repeat the request with the same Idempotency-Key and the same ' +
    'credential.\n\nA key can rotate itself only with its current secret. It needs an Idempotency-Key (otherwise ' +
    '400 `idempotency_key_required`) and an overlap of at least `1h`, so that a lost response cannot lock it out. ' +
    'The caller cannot rotate a key with more scopes, more projects, wider addresses, a higher limit or a longer ' +
    'lifetime than the caller has.',
  auth: 'api-keys:write',
  loads: { key: apiKeyInPath },
  request: {
    params: z.strictObject({ key_id: id('apiKey') }),
    body: Rotation,
  },
  causes: ['api_key.rotated'],
  responses: { 200: ApiKeyWithSecret },
  secrets: ['secret'],
  errors: [
    'insufficient_scope',
    'idempotency_key_required',
    'key_not_active',
    'overlap_required',
    'previous_secret_valid',
    'service_unavailable',
  ],
  access: { apiKeys: ['UpdateItem', 'ConditionCheckItem'] },

  async handle({ loaded: { key }, body, caller, store, nowMs, randomBytes, recordRef }) {
    const before = showApiKey(key, nowMs);
    if (before.status !== 'active') return fail('key_not_active');
    const isSelf = key.id === caller.id;
    const overlapMs = overlapMsOf(body);
    if (isSelf) {
      if (!usesCurrentSecret(caller, key)) {
        return fail(
          'insufficient_scope',
          'A key can rotate itself with its current secret only, not with the previous one.',
        );
      }
      if (!recordRef) return fail('idempotency_key_required');
      if (overlapMs < minSelfOverlapMs) return fail('overlap_required');
    }
    const refusal = isSelf ? undefined : refuseGrant(caller, grantOf(key));
    if (refusal) return fail('insufficient_scope', refusal);
    const { previousSecretExpiresAt } = before;
    if (previousSecretExpiresAt !== null && !body.endPrevious) {
      return fail('previous_secret_valid', undefined, previousSecretEnd(previousSecretExpiresAt));
    }

    const { organisationId, mode } = caller;
    const { secret, secretHash, hint } = makeApiKey({ mode, organisationId, keyId: key.id }, randomBytes);
    const expiresAt = timestamp(Math.min(nowMs + overlapMs, expiryMs(key) ?? Number.POSITIVE_INFINITY));
    const previousSecret = overlapMs > 0 && { previousSecret: { hash: key.secretHash, expiresAt } };
    const rotation = { secretHash, hint, rotatedAt: timestamp(nowMs), ...previousSecret };
    const { previousSecret: _, ...rest } = key;
    return {
      status: 200,
      data: { ...showApiKey({ ...rest, ...rotation }, nowMs), secret },
      writes: [rotateApiKey(store, key, rotation), ...(isSelf ? [] : requireCaller(store, caller))],
    };
  },
});
