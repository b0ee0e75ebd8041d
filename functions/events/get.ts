import * as z from 'zod';
import { missingScopes, namedScopes } from '../../lib/base/scopes.ts';
import { PlatformEvent } from '../../lib/events/schema.ts';
import { scopesOfEvent } from '../../lib/events/scopes.ts';
import { eventInPath } from '../../lib/events/store/events.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'events.get',
  method: 'GET',
  path: '/events/{event_id}',
  summary: 'Get an event',
  description:
    'Returns an event, for 30 days. It also requires the scope that reads the resource in its `data`: ' +
    '`conversations:read` for a conversation. A credential that is bound to projects gets 404 for the events of ' +
    'other projects.',
  auth: 'events:read',
  environments: 'refused',
  loads: { event: eventInPath },
  request: { params: z.strictObject({ event_id: id('event') }) },
  responses: { 200: PlatformEvent },
  errors: ['insufficient_scope'],

  async handle({ loaded: { event }, caller }) {
    const missing = missingScopes(caller.scopes, scopesOfEvent(event.type, event.data));
    if (missing.length > 0) return fail('insufficient_scope', `This event requires ${namedScopes(missing)}.`);
    return { status: 200, data: event };
  },
});
