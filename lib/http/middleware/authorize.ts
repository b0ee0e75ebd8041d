/**
 * What the caller may do. Reads the declared scope and, in the path, the project. A project that the credential is not
 * bound to does not exist for it. May answer `insufficient_scope` or `not_found`.
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
