/** Declarations that must not compile. `npm run check` type-checks this file and fails if an expected error is missing. */

import * as z from 'zod';
import { defineEndpoint, fail } from '../../../lib/http/endpoint.ts';

const common = {
  id: 'things.get',
  path: '/things',
  summary: 'Get a thing',
  description: 'For the type checker.',
  auth: 'projects:read',
  responses: { 200: z.object({ id: z.string() }) },
  errors: ['not_found'],
} as const;

defineEndpoint({ ...common, method: 'GET', handle: async () => ({ status: 200, data: { id: 'a' } }) });
defineEndpoint({ ...common, method: 'GET', handle: async () => fail('not_found') });

// @ts-expect-error a status that is not declared
defineEndpoint({ ...common, method: 'GET', handle: async () => ({ status: 201, data: { id: 'a' } }) });

// @ts-expect-error an error that is not declared
defineEndpoint({ ...common, method: 'GET', handle: async () => fail('job_ended') });

// @ts-expect-error data that does not fit the status's schema
defineEndpoint({ ...common, method: 'GET', handle: async () => ({ status: 200, data: { id: 5 } }) });

// @ts-expect-error an error that is in no row of the table
defineEndpoint({ ...common, method: 'GET', errors: ['teapot'], handle: async () => fail('not_found') });

// @ts-expect-error a scope that does not exist
defineEndpoint({ ...common, method: 'GET', auth: 'things:read', handle: async () => fail('not_found') });

// @ts-expect-error a list of scopes does not say whether one or all of them are required
defineEndpoint({ ...common, method: 'GET', auth: ['deploy:read'], handle: async () => fail('not_found') });

// @ts-expect-error an empty set would admit everybody
defineEndpoint({ ...common, method: 'GET', auth: [[]], handle: async () => fail('not_found') });

defineEndpoint({
  ...common,
  method: 'GET',
  // @ts-expect-error a list of scopes does not say whether one or all of them are required
  scopesFor: () => ['deploy:read', 'knowledge:read'],
  handle: async () => fail('not_found'),
});

defineEndpoint({
  ...common,
  method: 'POST',
  // @ts-expect-error a write whose failed condition means an error that is not declared
  handle: async ({ store }) => ({
    status: 200,
    data: { id: 'a' },
    writes: [
      store.check('projects', 'a', {
        condition: { kind: 'present' },
        onConditionFailed: 'project_not_deleted',
      }),
    ],
  }),
});

defineEndpoint({
  ...common,
  method: 'GET',
  auth: 'public',
  // @ts-expect-error a caller where none is asked for
  handle: async ({ caller }) => ({ status: 200, data: { id: caller.id } }),
});
