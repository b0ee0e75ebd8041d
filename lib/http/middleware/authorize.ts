/**
 * Checks the scope and the project. Reads the declared scope and the project in the path. For a credential that is
 * bound to other projects, the project does not exist. May fail with `insufficient_scope` or `not_found`.
 */

import { requireAuthorized } from '../admission.ts';
import type { Middleware, Request } from '../call.ts';
import { callAt } from '../stages.ts';
import type { Endpoint } from '../types.ts';

export function authorize(endpoint: Endpoint): Middleware {
  function authorizeBefore({ event, context }: Request): void {
    const call = callAt(context.call, 'authenticated');
    requireAuthorized(endpoint, call.sender.caller, event.pathParameters?.project_id);
    context.call = { ...call, stage: 'authorized' };
  }

  return { before: authorizeBefore };
}
