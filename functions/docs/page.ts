import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { referenceFolder } from '../../lib/http/page-folders.ts';
import { contentSecurityPolicy, pageHeaders, pageTag, readPage, WebPage } from '../../lib/http/web-page.ts';

/**
 * The page loads its own files, and sends requests to the API it came from. Scalar and its editor add styles at run time, so
 * styles may be inline. Scripts may not, and there is no `unsafe-eval`.
 */
const policy = contentSecurityPolicy({
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
});

export default defineEndpoint({
  id: 'docs.page',
  method: 'GET',
  path: '/docs',
  summary: 'Get the API reference',
  description: 'Returns the API reference as an HTML page.',
  auth: 'public',
  ifNoneMatch: true,
  responses: { 200: WebPage, 304: WebPage },
  headers: pageHeaders,
  raw: 'text',

  async handle({ isKnown }) {
    const data = { text: await readPage(referenceFolder), policy };
    return { status: isKnown(pageTag(data)) ? 304 : 200, data };
  },
});
