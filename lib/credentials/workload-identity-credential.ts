/**
 * A token of CI or of another workload names a workload identity as its audience. Every request reads the identity and its
 * organisation, in parallel and strongly consistent, as for a key. So a deleted or suspended identity is refused at once. The
 * code that reads tokens is loaded with the first token.
 */

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { isAllowedFrom } from '../api-keys/addresses.ts';
import { expiryMs, isUseDue, noteUse } from '../api-keys/store/credentials.ts';
import { audiencePrefix } from '../api-keys/workload-identities/audience.ts';
import { getIdentity, identityStatus } from '../api-keys/workload-identities/store.ts';
import { principalOf } from '../base/caller.ts';
import { ApiError } from '../base/errors.ts';
import type { Session } from '../dynamodb/session.ts';
import { sendUpdate, type UpdateParameters } from '../dynamodb/session.ts';
import { bindStore } from '../dynamodb/store.ts';
import { getOrganisation } from '../organisations/store.ts';
import { audiencesIn } from './jwt-form.ts';
import { type CredentialKind, requireActive, type Verified } from './kind.ts';
import type { IdentityItem, Outside, TokenReader } from './workload-token-reader.ts';

const namesIdentity = (audience: unknown) =>
  typeof audience === 'string' && audience.startsWith(audiencePrefix);

/** The message for an identity that does not exist, or may not be used from this address. */
const unknownIdentity = 'Unknown workload identity';

export function workloadIdentityCredential(outside: Outside): CredentialKind {
  let tokenReader: Promise<TokenReader> | undefined;

  return {
    accepts: (token) => audiencesIn(token).some(namesIdentity),

    async identify(text) {
      tokenReader ??= load(outside);
      const reader = await tokenReader;
      const token = reader.read(text);
      if ('refused' in token) throw new ApiError('unauthorized', token.refused);
      const { organisationId, mode, tenant, identityId } = token.audience;

      return {
        tenant,
        async verify({ session, sourceAddress }, nowMs): Promise<Verified> {
          const item: IdentityItem = {
            read: () => getIdentity(bindStore(session, tenant), identityId, nowMs),
            mayReadKeys: (identity) => identityStatus(identity, nowMs) === 'active',
            update: (parameters) => updateIf(session, parameters),
          };
          const [storedIdentity, organisation] = await Promise.all([
            item.read(),
            getOrganisation(session, organisationId),
          ]);
          // An identity without an organisation has been brought back by a restore.
          if (!organisation) throw new ApiError('unauthorized', unknownIdentity);
          const verdict = await reader.verify(token, storedIdentity, item, nowMs);
          if ('refused' in verdict) throw new ApiError('unauthorized', verdict.refused);
          if ('unreachable' in verdict) {
            const { unreachable: cause, retryAfterSeconds } = verdict;
            throw new ApiError(
              'service_unavailable',
              'The keys of the issuer of this token cannot be read at the moment',
              {
                cause,
                retryAfterSeconds,
              },
            );
          }
          const { identity, subject, expiresAtMs } = verdict;
          const principal = principalOf(identityId, subject);
          const refusal = { tenant, keyId: identityId, by: principal } as const;
          const allowedCidrs = identity.allowedCidrs ?? null;
          // The error is the same as for an unknown identity, so that a thief does not learn where the token works.
          if (!isAllowedFrom(allowedCidrs, sourceAddress)) {
            throw new ApiError('unauthorized', unknownIdentity, {
              refused: { ...refusal, reason: 'address_not_allowed' },
            });
          }
          const status = identityStatus(identity, nowMs);
          if (status !== 'active') {
            throw new ApiError('unauthorized', `This workload identity is ${status}`, {
              refused: { ...refusal, reason: `identity_${status}` },
            });
          }
          return {
            caller: {
              id: identityId,
              principal,
              organisationId,
              organisationName: organisation.name,
              mode,
              tenant,
              scopes: identity.scopes,
              projectIds: identity.projectIds,
              environments: identity.environments ?? null,
              allowedCidrs,
              rateLimit: identity.rateLimit ?? null,
              limitedBy: identity.limitedBy ?? [],
              expiresAtMs: Math.min(expiresAtMs, expiryMs(identity) ?? Number.POSITIVE_INFINITY),
              changedIn: identity.changedIn,
              secretHash: null,
              ...requireActive(organisation),
            },
            ...(isUseDue(identity, nowMs) && {
              background: noteUse(session, tenant, identityId, { nowMs, sourceAddress }),
            }),
          };
        },
      };
    },
  };
}

/** @returns whether the condition of the update holds */
async function updateIf(session: Session, parameters: UpdateParameters): Promise<boolean> {
  try {
    await sendUpdate(session, 'apiKeys', parameters);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

async function load(outside: Outside): Promise<TokenReader> {
  const { createReader } = await import('./workload-token-reader.ts');
  return createReader(outside);
}
