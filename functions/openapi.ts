import * as z from 'zod';
import { defineEndpoint } from '../lib/http/endpoint.ts';
import document from '../openapi.json' with { type: 'json' };

export default defineEndpoint({
  id: 'openapi',
  method: 'GET',
  path: '/openapi.json',
  summary: 'Get this document',
  description: 'Returns the OpenAPI 3.1 document, without an envelope.',
  auth: 'public',
  responses: {
    200: z.looseObject({ openapi: z.string().meta({ example: '3.1.1' }) }).meta({ id: 'OpenApi' }),
  },
  raw: true,

  async handle() {
    return { status: 200, data: document };
  },
});
