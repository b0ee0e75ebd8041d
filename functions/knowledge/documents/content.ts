import * as z from 'zod';
import { invalidField } from '../../../lib/base/errors.ts';
import { DocumentContent } from '../../../lib/documents/schema/document.ts';
import { contentInPath } from '../../../lib/documents/store/contents.ts';
import { knowledgeDocumentInPath } from '../../../lib/documents/store/documents.ts';
import { getTextPart } from '../../../lib/documents/store/text-parts.ts';
import { defineEndpoint, fail, optional } from '../../../lib/http/endpoint.ts';
import { id } from '../../../lib/schema/common.ts';
import { pageQuery } from '../../../lib/schema/query.ts';

/** The hash of the content, and the number of the part. */
const positionForm = /^[0-9a-f]{64}\.\d{1,3}$/;

export default defineEndpoint({
  id: 'knowledge.documents.content',
  method: 'GET',
  path: '/projects/{project_id}/knowledge/documents/{document_id}/content',
  summary: 'Get the content of a document',
  description:
    'Returns the content exactly as it was sent.\n\nA content of more than 200 KB has several parts. Join the parts: ' +
    'continue with `cursor` until `nextCursor` is null. If the content changes in the meantime, the cursor is ' +
    'invalid: start again.',
  auth: 'knowledge:read',
  project: 'existing',
  loads: { document: knowledgeDocumentInPath, content: optional(contentInPath) },
  request: {
    params: z.strictObject({ project_id: id('project'), document_id: id('knowledgeDocument') }),
    query: z.strictObject({
      cursor: pageQuery.cursor.meta({ description: 'The `nextCursor` of the previous part.' }),
    }),
  },
  responses: { 200: DocumentContent },

  errors: ['not_extracted'],

  async handle({ params, query, loaded: { document, content }, store, cursor }) {
    // While a file is read, the content that it replaces is still stored.
    if (!content || document.extraction === 'pending') {
      return fail('not_extracted', document.extractionError?.message);
    }
    const { contentSha256, more } = content;
    const position = cursor.position(query.cursor, positionForm);
    const [hash, number] = position === undefined ? [contentSha256, 0] : readPosition(position);
    const text =
      number === 0 ? content.content : more && (await getTextPart(store, params.document_id, more, number));
    if (hash !== contentSha256 || text === undefined) {
      throw invalidField('cursor', 'must be of the current content, which has changed: start again');
    }
    const next = number < (more?.count ?? 0) ? `${contentSha256}.${number + 1}` : null;
    return { status: 200, data: { ...content, content: text, nextCursor: cursor.next(next) } };
  },
});

function readPosition(position: string): [hash: string, number: number] {
  const [hash = '', number] = position.split('.');
  return [hash, Number(number)];
}
