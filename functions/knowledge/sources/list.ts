import * as z from 'zod';
import { defineEndpoint } from '../../../lib/http/endpoint.ts';
import { id, listOf } from '../../../lib/schema/common.ts';
import { defaultLimit, pageQuery } from '../../../lib/schema/query.ts';
import { KnowledgeSource, showSource } from '../../../lib/sources/schema/source.ts';
import { listSources } from '../../../lib/sources/store/sources.ts';

export default defineEndpoint({
  id: 'knowledge.sources.list',
  method: 'GET',
  path: '/projects/{project_id}/knowledge/sources',
  summary: 'List sources',
  description: 'Returns sources, newest first.',
  auth: 'knowledge:read',
  project: 'existing',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    query: z.strictObject(pageQuery),
  },
  responses: { 200: listOf(KnowledgeSource).meta({ id: 'KnowledgeSourceList' }) },
  access: { knowledge: ['Query'] },

  async handle({ query, store, cursor }) {
    const page = await listSources(store, {
      after: cursor.position(query.cursor),
      limit: query.limit ?? defaultLimit,
    });
    return { status: 200, data: { items: page.items.map(showSource), nextCursor: cursor.next(page.next) } };
  },
});
