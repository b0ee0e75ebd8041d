import * as z from 'zod';
import { missingScopes, namedScopes } from '../../lib/base/scopes.ts';
import { eventTypePattern, PlatformEvent } from '../../lib/events/schema.ts';
import { scopesOfTypes } from '../../lib/events/scopes.ts';
import { listEvents } from '../../lib/events/store/events.ts';
import { typesMatching } from '../../lib/events/types.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { id, listOf } from '../../lib/schema/common.ts';
import { defaultLimit, pageQuery, rangeBefore, rangeFrom } from '../../lib/schema/query.ts';
import { text } from '../../lib/schema/text.ts';

export default defineEndpoint({
  id: 'events.list',
  method: 'GET',
  path: '/events',
  summary: 'List events',
  description:
    'Returns the events of the last 30 days, newest first, for consumers that were offline. A credential that is ' +
    'bound to projects gets only the events of these projects. A credential gets only events whose `data` it may ' +
    'read: events of conversations require `conversations:read`, as the GET of a conversation does. If the ' +
    'credential may read no event of the requested `type`, the request gets 403 `insufficient_scope`.\n\n`data` ' +
    'is the resource as its GET showed it when the event was written, usually within a second of the change. It ' +
    'never has a secret or the text of a message. When the resource is erased or permanently deleted, `data` is ' +
    'reduced to its id.\n\nAn event is sorted by the start of its request. So events of the last minute may still ' +
    'appear, also between events that you have read. With several filters, a page may have fewer than `limit` ' +
    'items, or no items. Continue until `nextCursor` is null.',
  auth: 'events:read',
  environments: 'refused',
  request: {
    query: z.strictObject({
      ...pageQuery,
      type: eventTypePattern.exclude(['*']).optional().meta({
        description: 'Only events of this type, or of all types of a kind of resource, such as `project.*`.',
        example: 'project.*',
      }),
      resourceId: text(300).min(1, 'must not be empty').optional().meta({
        description: 'Only events of this resource: its id, or the name of an environment.',
        example: 'proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
      }),
      projectId: id('project').optional().meta({ description: 'Only events of this project.' }),
      from: rangeFrom('events'),
      to: rangeBefore('events'),
    }),
  },
  responses: { 200: listOf(PlatformEvent).meta({ id: 'PlatformEventList' }) },
  errors: ['insufficient_scope'],
  access: { events: ['Query', 'BatchGetItem'] },

  async handle({ query, caller, store, nowMs, cursor }) {
    const { type, resourceId, projectId, from, to, limit = defaultLimit } = query;
    const readScopes = scopesOfTypes(type === undefined ? [] : [type]);
    if (readScopes.length > 0 && missingScopes(caller.scopes, readScopes).length === readScopes.length)
      return fail(
        'insufficient_scope',
        `This type of events requires ${readScopes.length > 1 ? 'one of ' : ''}${namedScopes(readScopes)}.`,
      );
    const list = {
      filters: {
        type: type === undefined ? undefined : typesMatching(type),
        resourceId: resourceId === undefined ? undefined : [resourceId],
        projectId: projectId === undefined ? undefined : [projectId],
      },
      fromMs: from,
      toMs: to,
      begin: cursor.position(query.cursor),
      limit,
    };
    const { items, next } = await listEvents(store, caller, list, nowMs);
    return { status: 200, data: { items, nextCursor: cursor.next(next) } };
  },
});
