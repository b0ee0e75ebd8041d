import * as z from 'zod';
import {
  documentStatus,
  externalId,
  KnowledgeDocument,
  source,
} from '../../../lib/documents/schema/document.ts';
import { noteCode } from '../../../lib/documents/schema/extraction-note.ts';
import { tag } from '../../../lib/documents/schema/tag.ts';
import { listDocuments } from '../../../lib/documents/store/documents.ts';
import { defineEndpoint } from '../../../lib/http/endpoint.ts';
import { searchFieldsOf } from '../../../lib/projects/store.ts';
import { readerVersion } from '../../../lib/readers/types.ts';
import { flag, id, listOf, sentNumber } from '../../../lib/schema/common.ts';
import { defaultLimit, pageQuery, rangeAfter, rangeFrom, rangeStartMs } from '../../../lib/schema/query.ts';

export default defineEndpoint({
  id: 'knowledge.documents.list',
  method: 'GET',
  path: '/projects/{project_id}/knowledge/documents',
  summary: 'List documents',
  description:
    'Returns documents without their content, newest first.\n\nWith a selective filter or large ' +
    'documents, a page may have fewer than `limit` items, or no items. Continue until `nextCursor` is null.',
  auth: 'knowledge:read',
  project: 'existing',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    query: z.strictObject({
      ...pageQuery,
      status: documentStatus.optional().meta({ description: 'Only documents with this status.' }),
      ignored: flag().meta({
        description: '`true` lists only ignored documents, and `false` only all other documents.',
        documentedAs: { type: 'boolean' },
      }),
      tag: tag.optional().meta({ description: 'Only documents with this tag.' }),
      source: source.optional().meta({ description: 'Only documents with exactly this source.' }),
      externalId: externalId.optional().meta({
        description: 'Only documents with exactly this externalId: one per source.',
      }),
      extractionNote: noteCode.optional().meta({
        description: 'Only documents with this note in their `extractionNotes`.',
      }),
      extractedBefore: sentNumber(/^[1-9]\d{0,3}$/, [1, 9999]).meta({
        description:
          'Only documents whose file or page was read by a version of the readers before this one: their `extractedBy` is lower.',
      }),
      updatedFrom: rangeFrom('documents changed'),
      updatedAfter: rangeAfter('documents changed', 'updatedFrom'),
    }),
  },
  responses: {
    200: listOf(KnowledgeDocument)
      .extend({
        readerVersion: z.int().meta({
          description:
            'The current version of the readers. A document with a lower `extractedBy` may get more text when it is read again.',
          example: readerVersion,
        }),
      })
      .meta({ id: 'KnowledgeDocumentList', description: 'A page of a list.' }),
  },
  access: { knowledge: ['BatchGetItem', 'Query'] },

  async handle({ query, project, store, cursor }) {
    const page = await listDocuments(store, {
      searchFields: searchFieldsOf(project),
      status: query.status,
      ignored: query.ignored && query.ignored === 'true',
      tag: query.tag,
      source: query.source,
      externalId: query.externalId,
      extractionNote: query.extractionNote,
      extractedBefore: query.extractedBefore,
      updatedFromMs: rangeStartMs('updated', { from: query.updatedFrom, after: query.updatedAfter }),
      after: cursor.position(query.cursor),
      limit: query.limit ?? defaultLimit,
    });
    return { status: 200, data: { items: page.items, nextCursor: cursor.next(page.next), readerVersion } };
  },
});
