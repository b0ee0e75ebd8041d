import * as z from 'zod';
import { defineEndpoint } from '../lib/http/endpoint.ts';
import { readLlmsText, revalidatedHeaders, textTag } from '../lib/http/raw-documents.ts';

const LlmsText = z.object({ text: z.string() });
const tag = ({ text }: z.output<typeof LlmsText>) => textTag(text);

export default defineEndpoint({
  id: 'llms',
  method: 'GET',
  path: '/llms.txt',
  summary: 'Get the API as text',
  description: 'Returns the API in one Markdown text, for language models (https://llmstxt.org).',
  auth: 'public',
  ifNoneMatch: true,
  responses: { 200: LlmsText, 304: LlmsText },
  headers: {
    ...revalidatedHeaders(tag),
    // Browsers show text/plain, and do not show text/markdown.
    'Content-Type': { description: 'Markdown.', value: () => 'text/plain; charset=utf-8' },
  },
  raw: 'text',

  async handle({ isKnown }) {
    const text = await readLlmsText();
    return { status: isKnown(tag({ text })) ? 304 : 200, data: { text } };
  },
});
