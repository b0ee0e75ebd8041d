import * as z from 'zod';
import { defineEndpoint, fail } from '../../../lib/http/endpoint.ts';
import { documentHeader } from '../../../lib/knowledge/documents.ts';
import { KnowledgeDocument } from '../../../lib/knowledge/schema/document.ts';
import { getDocument } from '../../../lib/knowledge/store/documents.ts';
import { id } from '../../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'knowledge.documents.get',
  method: 'GET',
  path: '/projects/{project_id}/knowledge/documents/{document_id}',
  summary: 'Get a document',
  description: 'Returns the document without its content.',
  auth: 'knowledge:read',
  project: 'existing',
  request: { params: z.strictObject({ project_id: id('project'), document_id: id('knowledgeDocument') }) },
  responses: { 200: KnowledgeDocument },
  headers: documentHeader,
  errors: ['not_found'],
  access: { knowledge: ['GetItem'] },

  async handle({ params, project, store }) {
    const document = await getDocument(store, project.id, params.document_id);
    return document ? { status: 200, data: document } : fail('not_found');
  },
});
