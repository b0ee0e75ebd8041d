import * as z from 'zod';
import {
  downloadKinds,
  fileNamePattern,
  installCommand,
  unversionedName,
} from '../../lib/downloads/releases.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { listOf, shownCount } from '../../lib/schema/common.ts';
import { defaultLimit, pageQuery } from '../../lib/schema/query.ts';

const Download = z
  .object({
    file: z.string().meta({
      description: 'The name, with the version and the commit. A file never changes.',
      example: 'platform-api-cli-0.2.0-g1bc1bbf.tgz',
    }),
    kind: z.enum(downloadKinds).meta({ description: 'The command line (`cli`), or a client.' }),
    version: z.string().meta({ description: 'The version.', example: '0.2.0-g1bc1bbf' }),
    bytes: shownCount().meta({ description: 'The size.', example: 181_245 }),
    sha256: z.string().meta({
      description: 'The SHA-256 of the file, in hexadecimal.',
      example: 'f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2',
    }),
    url: z.string().meta({
      description: 'The address of the file.',
      example: 'https://api.example.com/api/v1/downloads/platform-api-cli-0.2.0-g1bc1bbf.tgz',
    }),
    install: z.string().meta({
      description: 'The command that installs the file.',
      example:
        'npm install --global https://api.example.com/api/v1/downloads/platform-api-cli-0.2.0-g1bc1bbf.tgz',
    }),
  })
  .meta({ id: 'Download', description: 'A file for callers of the API: the command line, or a client.' });

export default defineEndpoint({
  id: 'downloads.list',
  method: 'GET',
  path: '/downloads',
  summary: 'List downloads',
  description:
    'Returns the command line and the clients of this deployment: first those of the version that it runs, then those of ' +
    'earlier versions. npm and pip install them without a registry. A deployment keeps the files of its last ten releases.',
  auth: 'public',
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: listOf(Download).meta({ id: 'DownloadList' }) },
  downloads: true,

  async handle({ query, cursor, downloads, baseUrl }) {
    const { releases } = await downloads.list();
    const all = releases.flatMap(({ files }, age) =>
      files.map((file) => ({ ...file, isCurrent: age === 0 })),
    );
    const after = cursor.position(query.cursor, fileNamePattern);
    const index = all.findIndex(({ file }) => file === after);
    // The file of the cursor may be gone, with all files behind it.
    const from = after !== undefined && index === -1 ? all.length : index + 1;
    const page = all.slice(from, from + (query.limit ?? defaultLimit));
    const urlOf = (name: string) => `${baseUrl()}/downloads/${name}`;
    const items = page.map(({ isCurrent, ...file }) => {
      // Only the global command may be installed from a name whose file changes: lock files have hashes.
      const source = isCurrent && file.kind === 'cli' ? unversionedName.cli : file.file;
      return { ...file, url: urlOf(file.file), install: installCommand(file, urlOf(source)) };
    });
    const last = page.at(-1)?.file ?? null;
    return {
      status: 200,
      data: { items, nextCursor: cursor.next(from + page.length < all.length ? last : null) },
    };
  },
});
