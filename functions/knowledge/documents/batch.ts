import * as z from 'zod';
import { upsertDocument } from '../../../lib/documents/documents.ts';
import { externalId, sentDocument, UpsertedDocument } from '../../../lib/documents/schema/document.ts';
import { findManyByName } from '../../../lib/documents/store/documents.ts';
import { nameKey } from '../../../lib/documents/store/external-names.ts';
import { shownDocument } from '../../../lib/documents/store/search-fields.ts';
import { defineEndpoint } from '../../../lib/http/endpoint.ts';
import { addUses, countUses } from '../../../lib/limits/store/quotas.ts';
import { searchFieldsOf } from '../../../lib/projects/store.ts';
import { id } from '../../../lib/schema/common.ts';

const maxDocuments = 25;

const documents = z
  .array(
    z
      .strictObject({ externalId, ...sentDocument })
      .meta({ id: 'KnowledgeDocumentInput', description: 'A complete document.' }),
  )
  .min(1, 'must have at least one document')
  .max(maxDocuments, `must have at most ${maxDocuments} documents`)
  .check(({ value, issues }) => {
    const keys = new Set<string>();
    for (const [index, document] of value.entries()) {
      const key = nameKey(document);
      if (keys.has(key)) {
        const path = [index, 'externalId'];
        issues.push({ code: 'custom', message: 'must be unique', path, input: document.externalId });
      }
      keys.add(key);
    }
  })
  .meta({
    description: 'The complete documents. Each has an `externalId` that is unique within its `source`.',
  });

export default defineEndpoint({
  id: 'knowledge.documents.batch',
  method: 'POST',
  path: '/projects/{project_id}/knowledge/documents/batch',
  summary: 'Create or update documents by externalId',
  description:
    'Creates or replaces up to 25 documents: all documents or no document. Each document is handled as in `PUT ' +
    '…/by-external-id/{external_id}`. The results are in the order of the documents.',
  auth: 'knowledge:write',
  project: 'active',
  request: {
    params: z.strictObject({ project_id: id('project') }),
    body: z.strictObject({ documents }),
  },
  causes: ['document.created', 'document.updated'],
  responses: {
    200: z
      .object({
        results: z
          .array(UpsertedDocument)
          .meta({ description: 'The results, in the order of the documents.' }),
      })
      .meta({ id: 'UpsertedDocuments', description: 'The results of a batch.' }),
  },
  errors: ['quota_exceeded'],
  access: { knowledge: ['BatchGetItem', 'PutItem', 'DeleteItem'] },

  async handle(input) {
    const { body, project, store, limits, nowMs } = input;
    const existing = await findManyByName(store, body.documents);
    const upserts = body.documents.map((document) =>
      upsertDocument(store, existing.get(nameKey(document)), document, input),
    );
    return {
      status: 200,
      data: {
        results: upserts.map(({ outcome, document }) => ({
          outcome,
          document: shownDocument(document, searchFieldsOf(project)),
        })),
      },
      writes: [
        ...upserts.flatMap(({ writes }) => writes),
        ...countUses(store, limits.quotas, addUses(upserts.map(({ uses }) => uses)), nowMs),
      ],
    };
  },
});
