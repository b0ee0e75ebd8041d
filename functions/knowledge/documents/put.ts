import * as z from 'zod';
import { defineEndpoint } from '../../../lib/endpoint.ts';
import { upsertDocument } from '../../../lib/knowledge-documents.ts';
import { id } from '../../../lib/models/common.ts';
import { externalId, sentDocument, UpsertedDocument } from '../../../lib/models/knowledge-document.ts';
import { findByExternalId } from '../../../lib/store/knowledge-documents.ts';

export default defineEndpoint({
  id: 'knowledge.documents.put',
  method: 'PUT',
  path: '/projects/{project_id}/knowledge/documents/by-external-id/{external_id}',
  summary: 'Create or update a document by its externalId',
  description:
    'Makes the document what is sent, as a whole: what is left out has its default. It needs no Idempotency-Key: sent ' +
    'again, or twice at once, it makes one document, and where nothing changes nothing is written. Percent-encode the ' +
    'externalId (`handbook%2Freturns.md`).',
  auth: 'knowledge:write',
  project: 'active',
  request: {
    params: z.strictObject({ project_id: id('project'), external_id: externalId }),
    body: z.strictObject(sentDocument),
  },
  responses: { 200: UpsertedDocument, 201: UpsertedDocument },
  access: { knowledge: ['GetItem', 'PutItem'] },

  async handle(input) {
    const { params, body, project, store } = input;
    const externalId = params.external_id;
    const existing = await findByExternalId(store, project.id, externalId);
    const { writes, ...data } = upsertDocument(store, project.id, existing, { ...body, externalId }, input);
    return { status: data.outcome === 'created' ? 201 : 200, data, writes };
  },
});
