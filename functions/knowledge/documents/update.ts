import * as z from 'zod';
import {
  describeContent,
  documentHeader,
  documentTag,
  noExtraction,
  withChanges,
} from '../../../lib/documents/documents.ts';
import {
  documentContent,
  documentTitle,
  externalId,
  KnowledgeDocument,
  mimeType,
  sentSource,
  tags,
} from '../../../lib/documents/schema/document.ts';
import {
  changeDocument,
  findByName,
  knowledgeDocumentInPath,
  usesOf,
} from '../../../lib/documents/store/documents.ts';
import { nameKey } from '../../../lib/documents/store/external-names.ts';
import { shownDocument } from '../../../lib/documents/store/search-fields.ts';
import { defineEndpoint, fail } from '../../../lib/http/endpoint.ts';
import { countUses } from '../../../lib/limits/store/quotas.ts';
import { searchFieldsOf } from '../../../lib/projects/store.ts';
import { atLeastOneField, id } from '../../../lib/schema/common.ts';
import { metadata } from '../../../lib/schema/metadata.ts';
import { isManaged } from '../../../lib/sources/store/sources.ts';

export default defineEndpoint({
  id: 'knowledge.documents.update',
  method: 'PATCH',
  path: '/projects/{project_id}/knowledge/documents/{document_id}',
  summary: 'Update a document',
  description:
    'Replaces the fields in the body. Set `externalId` or `source` to null to remove it. `mimeType` is ' +
    'allowed only together with `content`; without it, the type does not change. If the title, content, ' +
    'tags or a value of the `searchFields` of the project change, the document is `pending` again.\n\nWith `"ignored": true`, the next index leaves the document ' +
    'out, and it counts in no warning: use this for a file that has no text. Its `status` does not change. With ' +
    '`"ignored": false`, the document is `pending` again, unless its file has no text. Only ' +
    '`ignored` can be changed in a document of a source.',
  auth: 'knowledge:write',
  project: 'active',
  loads: { document: knowledgeDocumentInPath },
  ifMatch: true,
  request: {
    params: z.strictObject({ project_id: id('project'), document_id: id('knowledgeDocument') }),
    body: atLeastOneField(
      z
        .strictObject({
          title: documentTitle.exactOptional(),
          content: documentContent.exactOptional(),
          mimeType: mimeType.exactOptional(),
          tags: tags.exactOptional(),
          metadata: metadata.exactOptional(),
          source: sentSource.nullable().exactOptional(),
          externalId: externalId.nullable().exactOptional(),
          ignored: KnowledgeDocument.shape.ignored.exactOptional().meta({
            removes: 'The next index leaves the document out, and searches do not find it.',
            removesIf: true,
          }),
        })
        .refine((fields) => !('mimeType' in fields) || 'content' in fields, {
          path: ['mimeType'],
          error: 'must be sent together with content',
        })
        .meta({ dependentRequired: { mimeType: ['content'] } }),
    ),
  },
  causes: ['document.updated'],
  responses: { 200: KnowledgeDocument },
  headers: documentHeader,
  errors: ['version_mismatch', 'external_id_taken', 'managed_by_source', 'quota_exceeded'],
  access: { knowledge: ['GetItem', 'PutItem', 'DeleteItem'] },

  async handle({ loaded: { document }, body, project, matches, store, limits, nowMs }) {
    if (!matches(documentTag(document))) return fail('version_mismatch');
    const { content: text, ...fields } = body;
    const changesText = Object.keys(body).some((name) => name !== 'ignored');
    if (changesText && (await isManaged(store, document))) return fail('managed_by_source');
    const { externalId, source } = { ...document, ...fields };
    const isRenamed = nameKey({ externalId, source }) !== nameKey(document);
    const holder = isRenamed && externalId !== null && (await findByName(store, { source, externalId }));
    if (holder && holder.id !== document.id) {
      return fail('external_id_taken', `The document ${holder.id} already has this externalId.`);
    }
    const content =
      text === undefined ? undefined : describeContent(text, body.mimeType ?? document.mimeType);
    const { content: _, ...contentFields } = content ?? {};
    const changes = { ...fields, ...(content && { ...noExtraction, ...contentFields }) };
    const after = withChanges(document, changes, nowMs);
    const attachment = content && { content };
    const counts = countUses(store, limits.quotas, usesOf(attachment, document), nowMs);
    return {
      status: 200,
      data: shownDocument(after, searchFieldsOf(project)),
      writes: [...changeDocument(store, document, after, attachment), ...counts],
    };
  },
});
