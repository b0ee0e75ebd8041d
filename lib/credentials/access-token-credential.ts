/**
 * Access tokens as credentials: JWTs of an OIDC issuer. A token's claims are valid until it expires. Every request
 * checks that its organisation exists.
 */

import { tenantOf } from '../caller.ts';
import { bindStore } from '../dynamodb/store.ts';
import { ApiError } from '../errors.ts';
import { getOrganisation } from '../organisations/store.ts';
import { hasAccessTokenForm, readHolder } from './access-token.ts';
import type { Verify } from './access-token-verifier.ts';
import type { CredentialKind, Verified } from './kind.ts';
import type { OidcSettings } from './oidc-settings.ts';

/** @param settings undefined if no issuer is configured; then every token is refused */
export function accessTokenCredential(settings: OidcSettings | undefined): CredentialKind {
  let loaded: Promise<Verify> | undefined;

  return {
    accepts: hasAccessTokenForm,

    async identify(token, nowMs) {
      if (!settings) {
        throw new ApiError('unauthorized', 'Access tokens are not configured here: send an API key');
      }
      loaded ??= load(settings);
      const verify = await loaded;
      const verdict = await verify(token, nowMs);
      if ('refused' in verdict) throw new ApiError('unauthorized', verdict.refused);
      if ('unreachable' in verdict) {
        throw new ApiError('service_unavailable', undefined, { cause: verdict.unreachable });
      }
      const { subject, organisationId, mode, scopes, expiresAtMs } = readHolder(verdict.claims, settings);
      const tenant = tenantOf(organisationId, mode);

      return {
        tenant,
        async verify(session): Promise<Verified> {
          // An organisation has its own partition, whatever the mode.
          const organisation = await getOrganisation(bindStore(session, organisationId), organisationId);
          if (!organisation) {
            throw new ApiError('unauthorized', 'The organisation of this access token does not exist');
          }
          const caller = {
            id: `sub:${subject}`,
            organisationId,
            mode,
            tenant,
            scopes,
            projectIds: null,
            expiresAtMs,
            changedIn: null,
          };
          return { caller };
        },
      };
    },
  };
}

async function load(settings: OidcSettings): Promise<Verify> {
  const { createVerifier } = await import('./access-token-verifier.ts');
  return createVerifier(settings);
}
