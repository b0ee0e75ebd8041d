import * as z from 'zod';
import { AuditEvent } from '../../lib/audit/schema.ts';
import { listEvents } from '../../lib/audit/store/events.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { id, listOf } from '../../lib/schema/common.ts';
import { defaultLimit, pageQuery, rangeBefore, rangeFrom } from '../../lib/schema/query.ts';
import { text } from '../../lib/schema/text.ts';

const filter = text(300).min(1, 'must not be empty').optional();

export default defineEndpoint({
  id: 'audit-events.list',
  method: 'GET',
  path: '/audit-events',
  summary: 'List audit events',
  description:
    'Returns changes with their authors, and requests that were refused for reasons of security, newest first. ' +
    'There is one event for each call and each resource that it changed. A credential that is bound to projects ' +
    'gets only the events of these projects.\n\nAn event appears within seconds, and is sorted by the start of ' +
    'its request. So events of the last minute may still appear, also between events that you have read. With ' +
    'several filters, a page may have fewer than `limit` items, or no items. Continue until `nextCursor` is null.',
  auth: 'audit:read',
  environments: 'refused',
  request: {
    query: z.strictObject({
      ...pageQuery,
      actor: filter.meta({
        description:
          'Only events of this actor. A workload identity is named by its id, whatever the subject of its tokens is.',
        example: 'key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
      }),
      action: filter.meta({ description: 'Only events of this action.', example: 'projects.update' }),
      resourceId: filter.meta({
        description: 'Only events of this resource.',
        example: 'proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
      }),
      projectId: id('project').optional().meta({ description: 'Only events of this project.' }),
      from: rangeFrom('events'),
      to: rangeBefore('events'),
    }),
  },
  responses: { 200: listOf(AuditEvent).meta({ id: 'AuditEventList' }) },
  access: { audit: ['Query', 'BatchGetItem'] },

  async handle({ query, caller, store, nowMs, cursor }) {
    const { actor, action, resourceId, projectId, from, to, limit = defaultLimit } = query;
    const list = {
      ...{ actor, action, resourceId, projectId },
      fromMs: from,
      toMs: to,
      begin: cursor.position(query.cursor),
      limit,
    };
    const { items, next } = await listEvents(store, caller, list, nowMs);
    return { status: 200, data: { items, nextCursor: cursor.next(next) } };
  },
});
