/**
 * Access tokens are JWTs of OIDC issuers. The claims of a token are valid until it expires. Every request checks that its
 * organisation exists and is active. The code that reads tokens is loaded with the first token, so requests with an API key do
 * not wait for it.
 */

import { tenantOf } from '../base/caller.ts';
import { ApiError } from '../base/errors.ts';
import { getOrganisation } from '../organisations/store.ts';
import type { ReadToken } from './access-token-reader.ts';
import { hasJwtForm } from './jwt-form.ts';
import { type CredentialKind, requireActive, type Verified } from './kind.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** @param env without `OIDC_ISSUERS`, every token is refused */
export function accessTokenCredential(env: Variables): CredentialKind {
  let reader: Promise<ReadToken> | undefined;

  return {
    accepts: hasJwtForm,

    async identify(token, nowMs) {
      if (!env.OIDC_ISSUERS) {
        throw new ApiError('unauthorized', 'Access tokens are not configured here: send an API key');
      }
      reader ??= load(env);
      const readToken = await reader;
      const verdict = await readToken(token, nowMs);
      if ('refused' in verdict) throw new ApiError('unauthorized', verdict.refused);
      if ('unreachable' in verdict) {
        throw new ApiError('service_unavailable', undefined, { cause: verdict.unreachable });
      }
      const { subject, organisationId, mode, scopes, projectIds, environments, expiresAtMs } = verdict.holder;
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
            principal: `sub:${subject}`,
            organisationId,
            organisationName: organisation.name,
            mode,
            tenant,
            scopes,
            projectIds,
            environments,
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

async function load(env: Variables): Promise<ReadToken> {
  const { createReader } = await import('./access-token-reader.ts');
  return createReader(env);
}
