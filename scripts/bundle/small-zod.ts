/** In the bundles, the schemas of what functions run are made by scripts/bundle/zod/. It has the part of zod that they use. */

import { relative, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { root } from '../shared/root.ts';

/** The code that declares or uses our schemas. */
const folders = ['functions', 'lib', 'workers'].map((folder) => `${root}/${folder}/`);

/** It sets up zod for the SDK of MCP, whose schemas need all of zod. */
const othersSchemas = `${root}/lib/mcp/`;

const isOurs = (file: string): boolean =>
  folders.some((folder) => file.startsWith(folder)) && !file.startsWith(othersSchemas);

export const smallZod: Plugin = {
  name: 'small-zod',
  setup({ onEnd, onResolve }) {
    // A declaration that uses more of zod would fail in a function.
    onEnd(({ warnings }) => ({ errors: warnings.filter(({ id }) => id === 'import-is-undefined') }));
    onResolve({ filter: /^zod(\/|$)/ }, ({ path, importer }) => {
      if (!isOurs(importer)) return undefined;
      if (path === 'zod') return { path: resolve(import.meta.dirname, 'zod/index.ts'), sideEffects: false };
      throw new Error(`${relative(root, importer)} imports ${path}: the bundles have only a part of zod`);
    });
  },
};
