import * as z from 'zod';
import { downloadKinds, fileNamePattern, unversionedName } from '../../lib/downloads/releases.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';

const Bytes = z
  .custom<Uint8Array>((value) => value instanceof Uint8Array)
  .meta({ documentedAs: { type: 'string', format: 'binary' } });
const File = z.object({ name: z.string(), bytes: Bytes });
const Redirect = z.object({ name: z.string() });

export default defineEndpoint({
  id: 'downloads.get',
  method: 'GET',
  path: '/downloads/{file}',
  summary: 'Get a download',
  description:
    'Returns a file of `GET /downloads`. A file never changes, so its hash can stand in a lock file. A name without a version, ' +
    'such as `platform-api-cli.tgz`, redirects to the current file. Use it with `npm install --global` only.',
  auth: 'public',
  request: { params: z.strictObject({ file: z.string().regex(fileNamePattern) }) },
  responses: { 200: File, 302: Redirect },
  headers: {
    'Content-Type': {
      description: 'The type of the file.',
      value: (data) => ('bytes' in data ? 'application/octet-stream' : undefined),
    },
    'Cache-Control': {
      description: 'A file never changes. A redirect does.',
      value: (data) => ('bytes' in data ? 'public, max-age=31536000, immutable' : 'public, no-cache'),
    },
    Location: {
      description: 'The name of the file that a redirect leads to, relative to the address of the request.',
      value: (data) => ('bytes' in data ? undefined : data.name),
    },
  },
  raw: 'bytes',
  errors: ['not_found'],
  downloads: true,

  async handle({ params: { file }, downloads }) {
    const kind = downloadKinds.find((one) => unversionedName[one] === file);
    if (kind !== undefined) {
      const { files } = await downloads.current();
      const download = files.find((one) => one.kind === kind);
      return download ? { status: 302, data: { name: download.file } } : fail('not_found');
    }
    const bytes = await downloads.read(file);
    return bytes === undefined ? fail('not_found') : { status: 200, data: { name: file, bytes } };
  },
});
