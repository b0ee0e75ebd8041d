import * as z from 'zod';
import { readSent, uploadOf } from '../../../lib/bulk/imports/documents/sent-document.ts';
import { documentHeader, newDocument } from '../../../lib/documents/documents.ts';
import { documentOrFile, externalId, KnowledgeDocument } from '../../../lib/documents/schema/document.ts';
import { createDocument, findByName, usesOf } from '../../../lib/documents/store/documents.ts';
import { defineEndpoint, fail } from '../../../lib/http/endpoint.ts';
import { countUses } from '../../../lib/limits/store/quotas.ts';
import { id } from '../../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'knowledge.documents.create',
  method: 'POST',
  path: '/projects/{project_id}/knowledge/documents',
  summary: 'Create a document',
  description:
    'Creates a document. It is `pending` until it is indexed. To synchronise documents from another system, use ' +
    '`PUT …/by-external-id/{external_id}`: you do not have to remember which documents you have sent.\n\nSend ' +
    '`content`, or `uploadId` for a file. The document of a file has no content until its `extraction` is `done`, ' +
    'after some seconds. A re-index waits for files that were sent before it.',
  auth: 'knowledge:write',
  project: 'active',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    body: documentOrFile({ externalId: externalId.optional() }),
  },
  causes: ['document.created'],
  responses: { 201: KnowledgeDocument },
  headers: documentHeader,
  errors: ['external_id_taken', 'quota_exceeded'],
  access: { knowledge: ['GetItem', 'PutItem'], jobs: ['GetItem', 'UpdateItem'] },

  async handle(input) {
    const { body, store, limits, nowMs } = input;
    const { source, externalId = null } = body;
    const holder = externalId !== null && (await findByName(store, { source, externalId }));
    if (holder) return fail('external_id_taken', `The document ${holder.id} already has this externalId.`);
    const upload = await uploadOf(store, body);
    const context = { upload, quotas: limits.quotas, nowMs };
    const { sent, take } = readSent(store, { ...body, externalId }, context);
    const { document, attached } = newDocument(sent, input);
    const counts = countUses(store, limits.quotas, usesOf(attached, undefined), nowMs);
    return {
      status: 201,
      data: document,
      writes: [...createDocument(store, document, attached), ...take(document), ...counts],
    };
  },
});
