import * as z from 'zod';
import { boundEnvironments, scope } from '../../lib/api-keys/schema.ts';
import { credentialKind, subjectIn } from '../../lib/base/caller.ts';
import { timestamp } from '../../lib/base/time.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id, mode, shownCredential, shownTime } from '../../lib/schema/common.ts';

const Me = z
  .object({
    kind: z
      .enum(['api_key', 'workload_identity', 'access_token'])
      .meta({ isOpen: true, description: 'The kind of the credential.', example: 'api_key' }),
    id: shownCredential().meta({
      description:
        'The id of the API key or of the workload identity, or `sub:` and the subject of the access token.',
    }),
    subject: z.string().nullable().meta({
      description: 'The subject of the token of a workload identity. Null for other credentials.',
      example: null,
    }),
    organisationId: id('organisation'),
    organisationName: z.string().meta({ description: 'The name of the organisation.', example: 'Acme' }),
    mode: mode.meta({ description: 'Whether it accesses live or test data. They are separate.' }),
    scopes: z.array(scope).meta({
      description: 'The permissions of the credential.',
      uniqueItems: true,
      example: ['projects:read'],
    }),
    projectIds: z
      .array(id('project'))
      .nullable()
      .meta({ description: 'The projects that it can access. Null for all.' }),
    environments: boundEnvironments
      .nullable()
      .meta({ description: 'The environments that it can access. Null for all.' }),
    expiresAt: shownTime().nullable().meta({
      description:
        'When it ends. After a rotation, the old secret ends at `previousSecretExpiresAt` of its key. Null if it does not expire.',
    }),
  })
  .meta({
    id: 'Me',
    description: 'The credential of the request: an API key, a workload identity or an access token.',
  });

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
        environments: caller.environments?.slice() ?? null,
        expiresAt: expiresAtMs === null ? null : timestamp(expiresAtMs),
      },
    };
  },
});
