import * as z from 'zod';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { readReferenceFile } from '../../lib/http/raw-documents.ts';

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};

const Asset = z.object({ name: z.string(), text: z.string() });

export default defineEndpoint({
  id: 'docs.asset',
  method: 'GET',
  path: '/docs/{file}',
  summary: 'Get a file of the API reference',
  description:
    'Returns a script or a style sheet of the page, or the licences of the libraries in them. The name contains the hash of the contents.',
  auth: 'public',
  request: {
    params: z.strictObject({ file: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.(?:js|css|txt)$/) }),
  },
  responses: { 200: Asset },
  headers: {
    'Content-Type': {
      description: 'The type of the file.',
      value: ({ name }) => types[name.split('.').at(-1) ?? ''],
    },
    'Cache-Control': {
      description: 'Other contents have another name.',
      value: () => 'public, max-age=31536000, immutable',
    },
    Vary: { description: 'The file may be compressed.', value: () => 'Accept-Encoding' },
  },
  raw: 'text',
  errors: ['not_found'],

  async handle({ params: { file } }) {
    const text = await readReferenceFile(file);
    return text === undefined ? fail('not_found') : { status: 200, data: { name: file, text } };
  },
});
