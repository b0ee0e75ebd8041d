import * as z from 'zod';
import { grantFor } from '../../lib/api-keys/grants.ts';
import { newApiKey, showApiKey } from '../../lib/api-keys/key.ts';
import {
  ApiKeyWithSecret,
  allowedCidrs,
  apiKeyName,
  apiKeyProjectIds,
  apiKeyScopes,
  boundEnvironments,
  defaultLifetimeMs,
  expiresIn,
} from '../../lib/api-keys/schema.ts';
import { requireCaller } from '../../lib/api-keys/store/credentials.ts';
import { createApiKey } from '../../lib/api-keys/store.ts';
import { parseDurationMs } from '../../lib/base/time.ts';
import { makeApiKey } from '../../lib/credentials/api-key.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { rateLimit } from '../../lib/limits/schema/usage.ts';
import { requireProject } from '../../lib/projects/store.ts';

export default defineEndpoint({
  id: 'api-keys.create',
  method: 'POST',
  path: '/api-keys',
  summary: 'Create an API key',
  description:
    "Creates a key for the caller's organisation and mode. It cannot have more scopes, projects or environments, wider " +
    'addresses, a higher limit or a longer lifetime than the credential that creates it. Its requests also count ' +
    'in the limit of the key that creates it, and in the limits of the keys above that key: in at most four ' +
    'limits, including its own.\n\nOnly this response shows the `secret`. To read it again, repeat the request ' +
    'with the same Idempotency-Key and the same credential.',
  auth: 'api-keys:write',
  request: {
    body: z.strictObject({
      name: apiKeyName,
      scopes: apiKeyScopes,
      expiresIn: expiresIn.optional(),
      projectIds: apiKeyProjectIds.optional(),
      environments: boundEnvironments.optional(),
      allowedCidrs: allowedCidrs.optional(),
      rateLimit: rateLimit.nullable().optional().meta({
        description: 'The limit of requests. Default: the limit of the creating key, or no limit.',
      }),
    }),
  },
  causes: ['api_key.created'],
  responses: { 201: ApiKeyWithSecret },
  secrets: ['secret'],
  errors: ['insufficient_scope', 'not_found', 'service_unavailable'],
  access: { apiKeys: ['PutItem', 'ConditionCheckItem'], projects: ['ConditionCheckItem'] },

  async handle({ body, caller, store, nowMs, newId, randomBytes }) {
    const decision = grantFor(caller, body, expiryOf(body.expiresIn, caller.expiresAtMs, nowMs), 'key');
    if ('refusal' in decision) return fail('insufficient_scope', decision.refusal);

    const id = newId('apiKey');
    const { organisationId, mode } = caller;
    const { secret, secretHash, hint } = makeApiKey({ mode, organisationId, keyId: id }, randomBytes);
    const key = newApiKey({
      ...decision.grant,
      id,
      name: body.name,
      mode,
      hint,
      secretHash,
      createdBy: caller.principal,
      createdAtMs: nowMs,
    });
    const projects = (body.projectIds ?? []).map((id) => requireProject(store, id, 'not_found'));
    return {
      status: 201,
      data: { ...showApiKey(key, nowMs), secret },
      writes: [createApiKey(store, key), ...requireCaller(store, caller), ...projects],
    };
  },
});

/** @returns the requested expiry. The default expiry is not after that of the caller */
function expiryOf(lifetime: string | undefined, callerExpiresAtMs: number | null, nowMs: number): number {
  const lifetimeMs = lifetime === undefined ? undefined : parseDurationMs(lifetime);
  if (lifetimeMs !== undefined) return nowMs + lifetimeMs;
  return Math.min(nowMs + defaultLifetimeMs, callerExpiresAtMs ?? Number.POSITIVE_INFINITY);
}
