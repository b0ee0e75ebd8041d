import * as z from 'zod';
import { defineEndpoint } from '../lib/http/endpoint.ts';
import document from '../openapi.json' with { type: 'json' };

export default defineEndpoint({
  id: 'openapi',
  method: 'GET',
  path: '/openapi.json',
  summary: 'This document',
  description: 'The OpenAPI 3.1 description of the API, as it is: without an envelope. Needs no credential.',
  auth: 'public',
  responses: {
    200: z.looseObject({ openapi: z.string().meta({ example: '3.1.1' }) }).meta({ id: 'OpenApi' }),
  },
  raw: true,

  async handle() {
    return { status: 200, data: document };
  },
});
