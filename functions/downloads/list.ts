import * as z from 'zod';
import { fileNamePattern, installCommand, unversionedName } from '../../lib/downloads/releases.ts';
import { Download } from '../../lib/downloads/schema.ts';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { listOf } from '../../lib/schema/common.ts';
import { defaultLimit, pageQuery } from '../../lib/schema/query.ts';

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
