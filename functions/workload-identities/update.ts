import * as z from 'zod';
import { addedGrant, refuseChange, refuseGrant } from '../../lib/api-keys/grants.ts';
import { grantOf } from '../../lib/api-keys/key.ts';
import { changedCredential } from '../../lib/api-keys/restrictions.ts';
import { requireCaller } from '../../lib/api-keys/store/credentials.ts';
import { showIdentity } from '../../lib/api-keys/workload-identities/identity.ts';
import { assertIssuer, readTrust } from '../../lib/api-keys/workload-identities/issuer.ts';
import { sentIdentity, WorkloadIdentity } from '../../lib/api-keys/workload-identities/schema.ts';
import {
  changeIdentity,
  identityStatus,
  workloadIdentityInPath,
} from '../../lib/api-keys/workload-identities/store.ts';
import { invalidField } from '../../lib/base/errors.ts';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { atLeastOneField, id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'workload-identities.update',
  method: 'PATCH',
  path: '/workload-identities/{identity_id}',
  summary: 'Update a workload identity',
  description:
    'Replaces the fields in the body, from the next request on. `status` `suspended` refuses all tokens until it is `active` ' +
    'again. The caller must have every scope of the identity. To change `issuer`, `subject`, `claims` or `jwks`, or to make the ' +
    'identity active, the caller must be able to create the identity as it is then. For all other fields, the rules of ' +
    '`PATCH /api-keys/{key_id}` apply. An identity cannot change itself. A deleted or expired identity cannot be changed.',
  auth: 'api-keys:write',
  loads: { identity: workloadIdentityInPath },
  request: {
    params: z.strictObject({ identity_id: id('workloadIdentity') }),
    body: atLeastOneField(
      z.strictObject({
        name: sentIdentity.name.exactOptional(),
        issuer: sentIdentity.issuer.exactOptional(),
        subject: sentIdentity.subject.exactOptional(),
        claims: sentIdentity.claims.exactOptional(),
        scopes: sentIdentity.scopes.exactOptional(),
        allowedCidrs: sentIdentity.allowedCidrs
          .nullable()
          .exactOptional()
          .meta({ description: 'The addresses from which its tokens may be used. Null for everywhere.' }),
        rateLimit: sentIdentity.rateLimit
          .nullable()
          .exactOptional()
          .meta({ description: 'The limit of all its tokens together. Null removes the limit.' }),
        expiresAt: sentIdentity.expiresAt
          .exactOptional()
          .meta({ description: 'When it expires. Null if it does not expire.' }),
        status: sentIdentity.status.exactOptional(),
        jwks: sentIdentity.jwks.exactOptional(),
      }),
    ),
  },
  causes: ['workload_identity.updated'],
  responses: { 200: WorkloadIdentity },
  errors: ['insufficient_scope', 'identity_ended', 'service_unavailable'],
  access: { apiKeys: ['UpdateItem', 'ConditionCheckItem'] },

  async handle({ loaded: { identity }, body, caller, store, nowMs, network }) {
    const status = identityStatus(identity, nowMs);
    if (status === 'deleted' || status === 'expired') return fail('identity_ended');
    if (identity.id === caller.id)
      return fail('insufficient_scope', 'A workload identity cannot change itself.');

    const { allowedCidrs, rateLimit, expiresAt: expiresAtMs, jwks, ...fields } = body;
    if (body.issuer !== undefined) assertIssuer(body.issuer, network);
    if (expiresAtMs !== undefined && expiresAtMs !== null && expiresAtMs <= nowMs)
      throw invalidField('expiresAt', 'must be in the future');
    const restrictions = { allowedCidrs, rateLimit };
    const change = {
      ...fields,
      ...(expiresAtMs !== undefined && { expiresAt: expiresAtMs === null ? null : timestamp(expiresAtMs) }),
      updatedAt: timestamp(nowMs),
    };
    const [before, after] = [grantOf(identity), grantOf(changedCredential(identity, change, restrictions))];
    // The owners of other tokens may then use all permissions of the identity.
    const isHandedOver =
      ['issuer', 'subject', 'claims', 'jwks'].some((name) => name in body) ||
      (body.status === 'active' && identity.status !== 'active');
    const addition = isHandedOver ? after : addedGrant(before, after);
    const refusal =
      (addition && refuseGrant(caller, addition)) ?? refuseChange(caller, identity.id, before, after);
    if (refusal) return fail('insufficient_scope', refusal);

    const issuer = body.issuer ?? identity.issuer;
    const isRead = jwks !== undefined || (body.issuer !== undefined && identity.jwks === null);
    const trust = isRead ? await readTrust({ issuer, jwks: jwks ?? null }, network, nowMs) : {};
    const all = { ...change, ...trust };
    return {
      status: 200,
      data: showIdentity(changedCredential(identity, all, restrictions), nowMs),
      writes: [
        changeIdentity(store, identity, all, restrictions),
        ...(addition ? requireCaller(store, caller) : []),
      ],
    };
  },
});
