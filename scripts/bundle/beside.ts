/** What functions read from files beside them, and not from their code. */

import { basename } from 'node:path';
import type { Plugin } from 'esbuild';

/** The OpenAPI document is a separate file. As code, it would be parsed in every cold start. */
export const documentBeside: Plugin = {
  name: 'document-beside',
  setup({ onResolve }) {
    onResolve({ filter: /\/openapi\.json$/ }, ({ path }) => ({
      path: `./${basename(path)}`,
      external: true,
    }));
  },
};

/** The files of the pages and llms.txt are beside their functions. */
export const pagesBeside: Plugin = {
  name: 'pages-beside',
  setup({ onLoad }) {
    const folders = ['referenceFolder', 'consoleFolder', 'llmsFolder'];
    onLoad({ filter: /\/lib\/http\/page-folders\.ts$/ }, () => ({
      contents: folders.map((name) => `export const ${name} = import.meta.dirname;`).join('\n'),
    }));
  },
};
