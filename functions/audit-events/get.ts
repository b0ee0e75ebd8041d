import * as z from 'zod';
import { AuditEvent } from '../../lib/audit/schema.ts';
import { auditEventInPath } from '../../lib/audit/store/events.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'audit-events.get',
  method: 'GET',
  path: '/audit-events/{event_id}',
  summary: 'Get an audit event',
  description:
    'Returns an event. A credential that is bound to projects gets 404 for the events of other projects.',
  auth: 'audit:read',
  environments: 'refused',
  loads: { event: auditEventInPath },
  request: { params: z.strictObject({ event_id: id('auditEvent') }) },
  responses: { 200: AuditEvent },

  async handle({ loaded: { event } }) {
    return { status: 200, data: event };
  },
});
