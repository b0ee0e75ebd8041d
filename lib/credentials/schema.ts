import * as z from 'zod';
import { scope } from '../api-keys/schema.ts';
import { id, mode, shownCredential, shownTime } from '../schema/common.ts';

export const Me = z
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
    expiresAt: shownTime().nullable().meta({
      description:
        'When it ends. After a rotation, the old secret ends at `previousSecretExpiresAt` of its key. Null if it does not expire.',
    }),
  })
  .meta({
    id: 'Me',
    description: 'The credential of the request: an API key, a workload identity or an access token.',
  });
