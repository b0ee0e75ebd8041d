import * as z from 'zod';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { Project, projectExternalId } from '../../lib/projects/schema.ts';
import { listProjects } from '../../lib/projects/store.ts';
import { listOf } from '../../lib/schema/common.ts';
import {
  defaultLimit,
  pageQuery,
  rangeAfter,
  rangeBefore,
  rangeFrom,
  rangeStartMs,
} from '../../lib/schema/query.ts';

export default defineEndpoint({
  id: 'projects.list',
  method: 'GET',
  path: '/projects',
  summary: 'List projects',
  description:
    'Returns the current state, newest first.\n\nWith a selective filter, a page may have fewer than ' +
    '`limit` items, or no items. Continue until `nextCursor` is null.',
  auth: 'projects:read',
  request: {
    query: z.strictObject({
      ...pageQuery,
      externalId: projectExternalId
        .optional()
        .meta({ description: 'Only the project with this externalId.' }),
      status: z
        .enum(['active', 'archived'])
        .optional()
        .meta({ description: 'Only projects with this status.' }),
      createdFrom: rangeFrom('projects created'),
      createdBefore: rangeBefore('projects created'),
      createdAfter: rangeAfter('projects created', 'createdFrom'),
    }),
  },
  responses: { 200: listOf(Project).meta({ id: 'ProjectList' }) },
  access: { projects: ['GetItem', 'Query', 'BatchGetItem'] },

  async handle({ query, caller, store, cursor }) {
    const list = {
      externalId: query.externalId,
      status: query.status,
      createdFromMs: rangeStartMs('created', { from: query.createdFrom, after: query.createdAfter }),
      createdBeforeMs: query.createdBefore,
      after: cursor.position(query.cursor),
      limit: query.limit ?? defaultLimit,
    };
    const page = await listProjects(store, list, caller.projectIds);
    return { status: 200, data: { items: page.items, nextCursor: cursor.next(page.next) } };
  },
});
