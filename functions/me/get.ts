import { credentialKind, subjectIn } from '../../lib/base/caller.ts';
import { timestamp } from '../../lib/base/time.ts';
import { Me } from '../../lib/credentials/schema.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';

export default defineEndpoint({
  id: 'me.get',
  method: 'GET',
  path: '/me',
  summary: 'Get the calling credential',
  description:
    'Returns the calling credential, an API key, a workload identity or an access token, and its permissions. Requires no ' +
    'scope. `GET /api-keys/me` returns all fields of a key, and `GET /usage` returns the limits.',
  auth: 'any',
  responses: { 200: Me },

  async handle({ caller }) {
    const { id, principal, organisationId, organisationName, mode, expiresAtMs } = caller;
    return {
      status: 200,
      data: {
        kind: credentialKind(id),
        id,
        subject: subjectIn(principal),
        organisationId,
        organisationName,
        mode,
        scopes: caller.scopes.slice(),
        projectIds: caller.projectIds?.slice() ?? null,
        expiresAt: expiresAtMs === null ? null : timestamp(expiresAtMs),
      },
    };
  },
});
