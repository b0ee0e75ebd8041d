import * as z from 'zod';
import { grantFor } from '../../lib/api-keys/grants.ts';
import { storedGrant } from '../../lib/api-keys/key.ts';
import { requireCaller } from '../../lib/api-keys/store/credentials.ts';
import { showIdentity } from '../../lib/api-keys/workload-identities/identity.ts';
import { assertIssuer, readTrust } from '../../lib/api-keys/workload-identities/issuer.ts';
import { sentIdentity, WorkloadIdentity } from '../../lib/api-keys/workload-identities/schema.ts';
import { createIdentity, takePlace } from '../../lib/api-keys/workload-identities/store.ts';
import { invalidField } from '../../lib/base/errors.ts';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { requireProject } from '../../lib/projects/store.ts';

export default defineEndpoint({
  id: 'workload-identities.create',
  method: 'POST',
  path: '/workload-identities',
  summary: 'Create a workload identity',
  description:
    'Accepts OIDC tokens of another issuer in place of an API key, such as those that GitHub Actions gives to each run. A token ' +
    'must have the `issuer`, the `subject`, all `claims`, and the `audience` of the response as its only audience. Send it as ' +
    '`Authorization: Bearer`.\n\nThe identity cannot have more scopes, projects or environments, wider addresses, a higher limit or a longer ' +
    'lifetime than the credential that creates it. Without `jwks`, the service reads the document of the issuer ' +
    '(`/.well-known/openid-configuration`) and its keys: if it cannot, the response is 400 with the reason.',
  auth: 'api-keys:write',
  request: {
    body: z.strictObject({
      name: sentIdentity.name,
      issuer: sentIdentity.issuer,
      subject: sentIdentity.subject,
      claims: sentIdentity.claims.optional(),
      scopes: sentIdentity.scopes,
      projectIds: sentIdentity.projectIds.optional(),
      environments: sentIdentity.environments.optional(),
      allowedCidrs: sentIdentity.allowedCidrs.optional(),
      rateLimit: sentIdentity.rateLimit.nullable().optional().meta({
        description:
          'The limit of all its tokens together. Default: the limit of the creating credential, or no limit.',
      }),
      expiresAt: sentIdentity.expiresAt.optional().meta({
        description: 'When it expires, or null. Default: when the creating credential expires.',
      }),
      status: sentIdentity.status
        .optional()
        .meta({ description: 'Whether its tokens are accepted. Default: `active`.' }),
      jwks: sentIdentity.jwks.optional(),
    }),
  },
  causes: ['workload_identity.created'],
  responses: { 201: WorkloadIdentity },
  errors: ['insufficient_scope', 'not_found', 'service_unavailable', 'too_many_identities'],
  access: {
    apiKeys: ['PutItem', 'Query', 'BatchGetItem', 'ConditionCheckItem'],
    projects: ['ConditionCheckItem'],
  },

  async handle({ body, caller, store, nowMs, newId, network }) {
    assertIssuer(body.issuer, network);
    const expiresAtMs = body.expiresAt === undefined ? caller.expiresAtMs : body.expiresAt;
    if (expiresAtMs !== null && expiresAtMs <= nowMs)
      throw invalidField('expiresAt', 'must be in the future');
    const decision = grantFor(caller, body, expiresAtMs, 'workload identity');
    if ('refusal' in decision) return fail('insufficient_scope', decision.refusal);

    const { name, issuer, subject, claims = {}, status = 'active', jwks = null } = body;
    const id = newId('workloadIdentity');
    const [place, trust] = await Promise.all([
      takePlace(store, id, nowMs),
      readTrust({ issuer, jwks }, network, nowMs),
    ]);
    if (!place) return fail('too_many_identities');
    const createdAt = timestamp(nowMs);
    const identity = {
      id,
      name,
      issuer,
      subject,
      claims,
      status,
      ...trust,
      ...storedGrant(decision.grant),
      createdBy: caller.principal,
      createdAt,
      updatedAt: createdAt,
      revokedAt: null,
      lastUsedAt: null,
    };
    const projects = (body.projectIds ?? []).map((one) => requireProject(store, one, 'not_found'));
    return {
      status: 201,
      data: showIdentity({ ...identity, tenant: caller.tenant }, nowMs),
      writes: [createIdentity(store, identity), place, ...requireCaller(store, caller), ...projects],
    };
  },
});
