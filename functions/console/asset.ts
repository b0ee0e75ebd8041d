import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { consoleFolder } from '../../lib/http/page-folders.ts';
import { assetOf } from '../../lib/http/web-page.ts';

export default defineEndpoint({
  id: 'console.asset',
  method: 'GET',
  path: '/console/{file}',
  summary: 'Get a file of the console',
  description:
    'Returns a script or a style sheet of the console, or the licences of the libraries in them. The name contains the hash of the contents.',
  ...assetOf(consoleFolder),
});
