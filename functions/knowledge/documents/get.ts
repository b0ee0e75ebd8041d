import * as z from 'zod';
import { documentHeader } from '../../../lib/documents/documents.ts';
import { KnowledgeDocument } from '../../../lib/documents/schema/document.ts';
import { knowledgeDocumentInPath } from '../../../lib/documents/store/documents.ts';
import { shownDocument } from '../../../lib/documents/store/search-fields.ts';
import { defineEndpoint } from '../../../lib/http/endpoint.ts';
import { searchFieldsOf } from '../../../lib/projects/store.ts';
import { id } from '../../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'knowledge.documents.get',
  method: 'GET',
  path: '/projects/{project_id}/knowledge/documents/{document_id}',
  summary: 'Get a document',
  description: 'Returns the document without its content.',
  auth: 'knowledge:read',
  project: 'existing',
  loads: { document: knowledgeDocumentInPath },
  request: { params: z.strictObject({ project_id: id('project'), document_id: id('knowledgeDocument') }) },
  responses: { 200: KnowledgeDocument },
  headers: documentHeader,

  async handle({ loaded: { document }, project }) {
    return { status: 200, data: shownDocument(document, searchFieldsOf(project)) };
  },
});
