import * as z from 'zod';
import { defineEndpoint } from '../../../lib/http/endpoint.ts';
import { id } from '../../../lib/schema/common.ts';
import { KnowledgeSource, showSource } from '../../../lib/sources/schema/source.ts';
import { knowledgeSourceInPath } from '../../../lib/sources/store/sources.ts';

export default defineEndpoint({
  id: 'knowledge.sources.get',
  method: 'GET',
  path: '/projects/{project_id}/knowledge/sources/{source_id}',
  summary: 'Get a source',
  description: 'Returns the source, with its last refresh and the time of its next refresh.',
  auth: 'knowledge:read',
  project: 'existing',
  loads: { source: knowledgeSourceInPath },
  request: { params: z.strictObject({ project_id: id('project'), source_id: id('knowledgeSource') }) },
  responses: { 200: KnowledgeSource },

  async handle({ loaded: { source } }) {
    return { status: 200, data: showSource(source) };
  },
});
