/** Credentials of runtimes beside keys, for the client's tests: workload identities, and access tokens of an issuer of the tests. */

import { accessTokenCredential } from '../../../lib/credentials/access-token-credential.ts';
import { apiKeyCredential } from '../../../lib/credentials/api-key-credential.ts';
import { defaultIssuer, oidcVariables } from '../../../lib/credentials/oidc-issuers.ts';
import { workloadIdentityCredential } from '../../../lib/credentials/workload-identity-credential.ts';
import type { Runtime } from '../../../lib/http/runtime.ts';
import type { TestApi } from '../../../samples/api.ts';
import {
  createIdentity,
  jwkOf,
  keysPath,
  newSigner,
  openWorkloadIssuer,
  signToken,
  tokenFor,
} from '../workloads.ts';
import type { Controls } from './proxy.ts';

const scopes = ['runtime:write'];
const audience = 'urn:platform-api:tests';

export async function openCredentials() {
  const signer = newSigner('RS256', 'tests');
  const { url, close } = await openWorkloadIssuer([signer]);
  const issuer = { ...defaultIssuer, issuer: url, audience, jwksUri: `${url}${keysPath}` };
  return {
    adjust: (runtime: Runtime) => ({
      credentials: [
        apiKeyCredential,
        workloadIdentityCredential(runtime),
        accessTokenCredential(oidcVariables([issuer])),
      ],
    }),
    controls: (api: TestApi): Controls => ({
      /** A new identity, and a token of it. */
      identity: async ({ project }) => {
        const jwks = { keys: [jwkOf(signer)] };
        const body = { scopes, jwks, projectIds: [project] };
        const identity = await createIdentity(api, 'https://oidc.acme.example', body);
        return { id: identity.id, token: tokenFor(api, identity, signer) };
      },
      /** An access token of this subject. */
      accessToken: ({ subject: sub }) => {
        const nowSeconds = Math.floor(api.runtime.nowMs() / 1000);
        const claims = {
          iss: url,
          aud: audience,
          sub,
          iat: nowSeconds,
          exp: nowSeconds + 600,
          organisation: api.organisationId,
          mode: 'live',
          scope: scopes.join(' '),
        };
        const { kid, algorithm } = signer;
        return { token: signToken({ alg: algorithm, typ: 'at+jwt', kid }, claims, signer) };
      },
    }),
    close,
  };
}
