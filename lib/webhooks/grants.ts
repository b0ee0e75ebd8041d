/** What a caller may do with a webhook. */

import { type Caller, withinProjects } from '../caller.ts';
import { holds } from '../scopes.ts';
import type { Webhook } from './schema.ts';

/**
 * A webhook shows its receiver events of its projects, and messages. Whoever sets where they go must be allowed to read them.
 * @param webhook as it will be, or as it is when it is changed
 * @returns why the request is refused, or undefined if it is allowed
 */
export function refuseWebhook(
  caller: Pick<Caller, 'projectIds' | 'scopes'>,
  { projectIds, include }: Pick<Webhook, 'projectIds' | 'include'>,
): string | undefined {
  if (!withinProjects(caller, projectIds))
    return 'You cannot receive events of projects that your credential is not bound to.';
  if (include.includes('messages') && !holds(caller.scopes, 'conversations:read'))
    return 'A webhook with messages requires the scope conversations:read.';
  return undefined;
}
