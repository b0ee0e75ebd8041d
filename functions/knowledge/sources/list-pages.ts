import * as z from 'zod';
import { defineEndpoint } from '../../../lib/http/endpoint.ts';
import { id, listOf } from '../../../lib/schema/common.ts';
import { defaultLimit, pageQuery } from '../../../lib/schema/query.ts';
import { pageIdPattern } from '../../../lib/sources/rules/urls.ts';
import { pageStatus, SourcePage } from '../../../lib/sources/schema/source.ts';
import { listPages } from '../../../lib/sources/store/pages.ts';
import { knowledgeSourceInPath } from '../../../lib/sources/store/sources.ts';

export default defineEndpoint({
  id: 'knowledge.sources.list-pages',
  method: 'GET',
  path: '/projects/{project_id}/knowledge/sources/{source_id}/pages',
  summary: 'List the pages of a source',
  description:
    'Returns the pages in no particular order, each with its document, or why it could not be read.\n\nWith a filter, a page ' +
    'of the list may have fewer than `limit` items, or no items. Continue until `nextCursor` is null.',
  auth: 'knowledge:read',
  project: 'existing',
  loads: { source: knowledgeSourceInPath },
  request: {
    params: z.strictObject({ project_id: id('project'), source_id: id('knowledgeSource') }),
    query: z.strictObject({
      ...pageQuery,
      status: z.enum(pageStatus.options).optional().meta({ description: 'Only pages with this status.' }),
    }),
  },
  responses: { 200: listOf(SourcePage).meta({ id: 'SourcePageList' }) },
  access: { knowledge: ['Query'] },

  async handle({ loaded: { source }, query, store, cursor }) {
    const page = await listPages(store, source.id, {
      status: query.status,
      after: cursor.position(query.cursor, pageIdPattern),
      limit: query.limit ?? defaultLimit,
    });
    return { status: 200, data: { items: page.items, nextCursor: cursor.next(page.next) } };
  },
});
