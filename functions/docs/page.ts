import * as z from 'zod';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { readReferenceFile, revalidatedHeaders, textTag } from '../../lib/http/raw-documents.ts';

/**
 * The page loads its own files, and sends requests to the API it came from. Scalar and its editor add styles at run time, so
 * styles may be inline. Scripts may not, and there is no `unsafe-eval`.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const Page = z.object({ text: z.string() });
const tag = ({ text }: z.output<typeof Page>) => textTag(text);

export default defineEndpoint({
  id: 'docs.page',
  method: 'GET',
  path: '/docs',
  summary: 'Get the API reference',
  description: 'Returns the API reference as an HTML page.',
  auth: 'public',
  ifNoneMatch: true,
  responses: { 200: Page, 304: Page },
  headers: {
    ...revalidatedHeaders(tag),
    'Content-Type': { description: 'HTML.', value: () => 'text/html; charset=utf-8' },
    'Content-Security-Policy': { description: 'What the page may load.', value: () => policy },
    // For browsers without frame-ancestors.
    'X-Frame-Options': { description: 'No other page may embed it.', value: () => 'DENY' },
    'Referrer-Policy': { description: 'No other page learns where a link was.', value: () => 'no-referrer' },
  },
  raw: 'text',

  async handle({ isKnown }) {
    const text = await readReferenceFile('page.html');
    if (text === undefined) throw new Error('page.html is missing');
    return { status: isKnown(tag({ text })) ? 304 : 200, data: { text } };
  },
});
