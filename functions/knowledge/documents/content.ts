import * as z from 'zod';
import { defineEndpoint } from '../../../lib/http/endpoint.ts';
import { DocumentContent } from '../../../lib/knowledge/schema/document.ts';
import { contentInPath } from '../../../lib/knowledge/store/contents.ts';
import { id } from '../../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'knowledge.documents.content',
  method: 'GET',
  path: '/projects/{project_id}/knowledge/documents/{document_id}/content',
  summary: 'Get the content of a document',
  description: 'Returns the content exactly as it was sent.',
  auth: 'knowledge:read',
  project: 'existing',
  loads: { content: contentInPath },
  request: { params: z.strictObject({ project_id: id('project'), document_id: id('knowledgeDocument') }) },
  responses: { 200: DocumentContent },

  async handle({ loaded }) {
    return { status: 200, data: loaded.content };
  },
});
