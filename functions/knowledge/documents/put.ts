import * as z from 'zod';
import { readSent, uploadOf } from '../../../lib/bulk/imports/documents/sent-document.ts';
import { documentTag, upsertDocument, upsertHeader } from '../../../lib/documents/documents.ts';
import { documentOrFile, externalId, UpsertedDocument } from '../../../lib/documents/schema/document.ts';
import { findByName } from '../../../lib/documents/store/documents.ts';
import { shownDocument } from '../../../lib/documents/store/search-fields.ts';
import { defineEndpoint, fail } from '../../../lib/http/endpoint.ts';
import { countUses } from '../../../lib/limits/store/quotas.ts';
import { searchFieldsOf } from '../../../lib/projects/store.ts';
import { id } from '../../../lib/schema/common.ts';
import { externalIdInPath } from '../../../lib/schema/names.ts';

export default defineEndpoint({
  id: 'knowledge.documents.put',
  method: 'PUT',
  path: '/projects/{project_id}/knowledge/documents/by-external-id/{external_id}',
  summary: 'Create or update a document by externalId',
  description:
    'Creates or replaces the document with this externalId and `source`. Documents of other sources are ' +
    'not affected. An omitted field gets its default.\n\nYou can repeat the request without an ' +
    'Idempotency-Key: it creates one document, and writes nothing if nothing has changed. With ' +
    '`If-Match`, only the document with this ETag is changed. Percent-encode the externalId ' +
    '(`handbook%2Freturns.md`).\n\nSend `content`, or `uploadId` for a file. A file always replaces the content, ' +
    'unless the request is repeated with the same upload: compare its SHA-256 with `fileSha256` before you upload it again.',
  auth: 'knowledge:write',
  project: 'active',
  ifMatch: true,
  request: {
    params: z.strictObject({ project_id: id('project'), external_id: externalId }),
    body: documentOrFile({ externalId: externalIdInPath(externalId) }),
  },
  causes: ['document.created', 'document.updated'],
  responses: { 200: UpsertedDocument, 201: UpsertedDocument },
  headers: upsertHeader,
  errors: ['version_mismatch', 'quota_exceeded'],
  access: { knowledge: ['GetItem', 'PutItem', 'DeleteItem'], jobs: ['GetItem', 'UpdateItem'] },

  async handle(input) {
    const { params, body, project, matches, store, limits, nowMs } = input;
    const externalId = params.external_id;
    // The upload is read before the document: if a repetition of this request has just used the upload, the document shows that.
    const upload = await uploadOf(store, body);
    const existing = await findByName(store, { source: body.source, externalId });
    if (!matches(existing && documentTag(existing))) return fail('version_mismatch');
    const context = { upload, existing, quotas: limits.quotas, nowMs };
    const { sent, take } = readSent(store, { ...body, externalId }, context);
    const { writes, uses, outcome, document } = upsertDocument(store, existing, sent, input);
    const counts = countUses(store, limits.quotas, uses, nowMs);
    return {
      status: outcome === 'created' ? 201 : 200,
      data: { outcome, document: shownDocument(document, searchFieldsOf(project)) },
      writes: [...writes, ...take(document), ...counts],
    };
  },
});
