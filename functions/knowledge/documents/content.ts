import * as z from 'zod';
import { defineEndpoint, fail } from '../../../lib/http/endpoint.ts';
import { DocumentContent } from '../../../lib/knowledge/schema/document.ts';
import { getContent } from '../../../lib/knowledge/store/documents.ts';
import { id } from '../../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'knowledge.documents.content',
  method: 'GET',
  path: '/projects/{project_id}/knowledge/documents/{document_id}/content',
  summary: 'Get the content of a document',
  description: 'Returns the content exactly as it was sent.',
  auth: 'knowledge:read',
  project: 'existing',
  request: { params: z.strictObject({ project_id: id('project'), document_id: id('knowledgeDocument') }) },
  responses: { 200: DocumentContent },
  errors: ['not_found'],
  access: { knowledge: ['GetItem'] },

  async handle({ params, project, store }) {
    const content = await getContent(store, project.id, params.document_id);
    return content ? { status: 200, data: content } : fail('not_found');
  },
});
