/**
 * Access tokens as credentials: JWTs of OIDC issuers. A token's claims are valid until it expires. Every request
 * checks that its organisation exists and is active.
 */

import { tenantOf } from '../base/caller.ts';
import { ApiError } from '../base/errors.ts';
import { getOrganisation } from '../organisations/store.ts';
import { hasAccessTokenForm, readHolder } from './access-token.ts';
import type { Verify } from './access-token-verifier.ts';
import { type CredentialKind, requireActive, type Verified } from './kind.ts';
import { mayName, type OidcIssuer } from './oidc-issuers.ts';

/** @param issuers without any, every token is refused */
export function accessTokenCredential(issuers: readonly OidcIssuer[]): CredentialKind {
  let loaded: Promise<Verify> | undefined;

  return {
    accepts: hasAccessTokenForm,

    async identify(token, nowMs) {
      if (issuers.length === 0) {
        throw new ApiError('unauthorized', 'Access tokens are not configured here: send an API key');
      }
      loaded ??= load(issuers);
      const verify = await loaded;
      const verdict = await verify(token, nowMs);
      if ('refused' in verdict) throw new ApiError('unauthorized', verdict.refused);
      if ('unreachable' in verdict) {
        throw new ApiError('service_unavailable', undefined, { cause: verdict.unreachable });
      }
      const holder = readHolder(verdict.claims, verdict.issuer);
      const { subject, organisationId, mode, scopes, projectIds, expiresAtMs } = holder;
      if (!mayName(issuers, verdict.issuer, organisationId)) {
        throw new ApiError('unauthorized', 'The issuer of this access token may not name this organisation');
      }
      const tenant = tenantOf(organisationId, mode);

      return {
        tenant,
        async verify({ session }): Promise<Verified> {
          const organisation = await getOrganisation(session, organisationId);
          if (!organisation) {
            throw new ApiError('unauthorized', 'The organisation of this access token does not exist');
          }
          const caller = {
            id: `sub:${subject}`,
            organisationId,
            organisationName: organisation.name,
            mode,
            tenant,
            scopes,
            projectIds,
            allowedCidrs: null,
            rateLimit: null,
            limitedBy: [],
            expiresAtMs,
            changedIn: null,
            secretHash: null,
            ...requireActive(organisation),
          };
          return { caller };
        },
      };
    },
  };
}

async function load(issuers: readonly OidcIssuer[]): Promise<Verify> {
  const { createVerifier } = await import('./access-token-verifier.ts');
  return createVerifier(issuers);
}
