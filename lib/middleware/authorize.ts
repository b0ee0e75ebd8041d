/**
 * What the caller may do. Reads the declared scope and, in the path, the project. A project that the credential is not
 * bound to does not exist for it. May answer `insufficient_scope` or `not_found`.
 */

import type { Middleware, Request } from '../call.ts';
import type { Endpoint } from '../endpoint.ts';
import { ApiError } from '../errors.ts';
import { holds } from '../scopes.ts';

export function authorize(endpoint: Endpoint): Middleware {
  function authorizeBefore({ event, context: { call } }: Request): void {
    const { caller } = call;
    if (!caller || endpoint.auth === 'public') return;
    if (endpoint.auth !== 'any' && !holds(caller.scopes, endpoint.auth)) {
      throw new ApiError('insufficient_scope', `This needs the scope ${endpoint.auth}.`);
    }
    const projectId = event.pathParameters?.project_id;
    if (projectId && caller.projectIds && !caller.projectIds.includes(projectId)) {
      throw new ApiError('not_found');
    }
  }

  return { before: authorizeBefore };
}
