import { timestamp } from '../../lib/base/time.ts';
import { Me } from '../../lib/credentials/schema.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';

export default defineEndpoint({
  id: 'me.get',
  method: 'GET',
  path: '/me',
  summary: 'Get the calling credential',
  description:
    'Returns the calling credential, an API key or an access token, and its permissions. Requires no scope. `GET ' +
    '/api-keys/me` returns all fields of a key, and `GET /usage` returns its limits.',
  auth: 'any',
  responses: { 200: Me },

  async handle({ caller }) {
    const { id, organisationId, organisationName, mode, expiresAtMs } = caller;
    return {
      status: 200,
      data: {
        kind: id.startsWith('key_') ? 'api_key' : 'access_token',
        id,
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
