import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { referenceFolder } from '../../lib/http/page-folders.ts';
import { assetOf } from '../../lib/http/web-page.ts';

export default defineEndpoint({
  id: 'docs.asset',
  method: 'GET',
  path: '/docs/{file}',
  summary: 'Get a file of the API reference',
  description:
    'Returns a script or a style sheet of the page, or the licences of the libraries in them. The name contains the hash of the contents.',
  ...assetOf(referenceFolder),
});
