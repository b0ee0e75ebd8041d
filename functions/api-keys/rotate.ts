import * as z from 'zod';
import { refuseGrant } from '../../lib/api-keys/grants.ts';
import { defaultOverlapMs, minOwnOverlapMs, overlap, parseOverlapMs } from '../../lib/api-keys/overlap.ts';
import { ApiKeyWithSecret } from '../../lib/api-keys/schema.ts';
import {
  apiKeyInPath,
  expiryMs,
  grantOf,
  requireCaller,
  rotateApiKey,
  type StoredApiKey,
  secrets,
  showApiKey,
} from '../../lib/api-keys/store.ts';
import type { Caller } from '../../lib/caller.ts';
import { makeApiKey } from '../../lib/credentials/api-key.ts';
import { ApiError } from '../../lib/errors.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';
import { timestamp } from '../../lib/time.ts';

export default defineEndpoint({
  id: 'api-keys.rotate',
  method: 'POST',
  path: '/api-keys/{key_id}/rotate',
  summary: 'Rotate an API key',
  description:
    'Replaces the secret of a key. Everything else stays: id, name, scopes, projects, addresses and expiry. The ' +
    'old secret is valid until `previousSecretExpiresAt`, so that you can replace it everywhere. A key has at ' +
    'most two valid secrets: another rotation ends the older one immediately. The announced end of an old ' +
    'secret is never postponed.\n\nOnly this response shows the new `secret`. To read it again, repeat the ' +
    'request with the same Idempotency-Key and the same credential.\n\nA key that rotates itself needs an ' +
    'overlap of at least `1h`, so that a lost response cannot lock it out, and the secret that it used is the ' +
    'one that stays valid. The caller cannot rotate a key with more scopes, more projects, wider addresses, ' +
    'a higher limit or a longer lifetime than it has.',
  auth: 'api-keys:write',
  loads: { key: apiKeyInPath },
  request: {
    params: z.strictObject({ key_id: id('apiKey') }),
    body: z.strictObject({ overlap: overlap.optional() }),
  },
  responses: { 200: ApiKeyWithSecret },
  secrets: ['secret'],
  errors: ['insufficient_scope', 'key_not_active', 'overlap_required', 'service_unavailable'],
  access: { apiKeys: ['UpdateItem', 'ConditionCheckItem'] },

  async handle({ loaded: { key }, body, caller, store, nowMs, randomBytes }) {
    if (showApiKey(key, nowMs).status !== 'active') return fail('key_not_active');
    const isOwn = key.id === caller.id;
    const overlapMs = body.overlap === undefined ? defaultOverlapMs : (parseOverlapMs(body.overlap) ?? 0);
    if (isOwn && overlapMs < minOwnOverlapMs) return fail('overlap_required');
    const refusal = isOwn ? undefined : refuseGrant(caller, grantOf(key));
    if (refusal) return fail('insufficient_scope', refusal);

    const kept = isOwn ? usedSecret(caller, key, nowMs) : { hash: key.secretHash, endMs: null };
    const { organisationId, mode } = caller;
    const { secret, secretHash, hint } = makeApiKey({ mode, organisationId, keyId: key.id }, randomBytes);
    // The announced end of an old secret is never postponed.
    const ends = [nowMs + overlapMs, kept.endMs, expiryMs(key)].filter((endMs) => endMs !== null);
    const expiresAt = timestamp(Math.min(...ends));
    const previousSecret = overlapMs > 0 && { previousSecret: { hash: kept.hash, expiresAt } };
    const rotation = { secretHash, hint, rotatedAt: timestamp(nowMs), ...previousSecret };
    const { previousSecret: _, ...rest } = key;
    return {
      status: 200,
      data: { ...showApiKey({ ...rest, ...rotation }, nowMs), secret },
      writes: [rotateApiKey(store, key, rotation), ...(isOwn ? [] : requireCaller(store, caller))],
    };
  },
});

/**
 * The secret with which the key rotates itself, and its end if it has one.
 * @throws ApiError unauthorized if another rotation has ended it since the start of the request
 */
function usedSecret(caller: Caller, key: StoredApiKey, nowMs: number) {
  const used = secrets(key, nowMs).find(({ hash }) => hash === caller.secretHash);
  if (!used) throw new ApiError('unauthorized', 'Unknown API key');
  return used;
}
