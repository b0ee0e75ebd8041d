import * as z from 'zod';
import { defineEndpoint, fail } from '../../../lib/endpoint.ts';
import { documentTag } from '../../../lib/knowledge-documents.ts';
import { id } from '../../../lib/models/common.ts';
import { KnowledgeDocument } from '../../../lib/models/knowledge-document.ts';
import { getDocument, removeDocument } from '../../../lib/store/knowledge-documents.ts';

export default defineEndpoint({
  id: 'knowledge.documents.delete',
  method: 'DELETE',
  path: '/projects/{project_id}/knowledge/documents/{document_id}',
  summary: 'Delete a document',
  description: 'Answers with the document as it was last. Its externalId can be used again at once.',
  auth: 'knowledge:write',
  project: 'active',
  ifMatch: true,
  request: { params: z.strictObject({ project_id: id('project'), document_id: id('knowledgeDocument') }) },
  responses: { 200: KnowledgeDocument },
  errors: ['not_found', 'version_mismatch'],
  access: { knowledge: ['GetItem', 'DeleteItem'] },

  async handle({ params, project, matches, store }) {
    const document = await getDocument(store, project.id, params.document_id);
    if (!document) return fail('not_found');
    if (!matches(documentTag(document))) return fail('version_mismatch');
    return { status: 200, data: document, writes: removeDocument(store, project.id, document) };
  },
});
