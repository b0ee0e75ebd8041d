/**
 * Checks the scope and the project. Reads the declared scope and the project in the path. For a credential that is
 * bound to other projects, the project does not exist. May fail with `insufficient_scope` or `not_found`.
 */

import { requireAuthorized } from '../admission.ts';
import type { Middleware, Request } from '../call.ts';
import type { Endpoint } from '../endpoint.ts';

export function authorize(endpoint: Endpoint): Middleware {
  function authorizeBefore({ event, context: { call } }: Request): void {
    const { caller } = call;
    if (!caller || endpoint.auth === 'public') return;
    requireAuthorized(endpoint, caller, event.pathParameters?.project_id);
  }

  return { before: authorizeBefore };
}
