import * as z from 'zod';
import { defineEndpoint } from '../lib/http/endpoint.ts';
import { revalidatedHeaders, textTag } from '../lib/http/raw-documents.ts';
import document from '../openapi.json' with { type: 'json' };

let documentTag: string | undefined;
/** The document does not change while a process runs. */
function tag(): string {
  documentTag ??= textTag(JSON.stringify(document));
  return documentTag;
}

export default defineEndpoint({
  id: 'openapi',
  method: 'GET',
  path: '/openapi.json',
  summary: 'Get this document',
  description: 'Returns the OpenAPI 3.1 document, without an envelope.',
  auth: 'public',
  ifNoneMatch: true,
  responses: {
    200: z
      .looseObject({
        openapi: z
          .string()
          .meta({ description: 'The version of the OpenAPI Specification.', example: '3.1.1' }),
      })
      .meta({ id: 'OpenApi', description: 'An OpenAPI document.' }),
    304: z.object({}),
  },
  headers: revalidatedHeaders<unknown>(tag),
  raw: 'json',

  async handle({ isKnown }) {
    return isKnown(tag()) ? { status: 304, data: {} } : { status: 200, data: document };
  },
});
