import * as z from 'zod';
import { PlatformEvent } from '../../lib/events/schema.ts';
import { eventInPath } from '../../lib/events/store/events.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'events.get',
  method: 'GET',
  path: '/events/{event_id}',
  summary: 'Get an event',
  description:
    'Returns an event, for 30 days. A credential that is bound to projects gets 404 for the events of others.',
  auth: 'events:read',
  loads: { event: eventInPath },
  request: { params: z.strictObject({ event_id: id('event') }) },
  responses: { 200: PlatformEvent },

  async handle({ loaded: { event } }) {
    return { status: 200, data: event };
  },
});
