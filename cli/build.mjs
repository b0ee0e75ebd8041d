/** Bundles the command line into one file: `node build.mjs [FOLDER]` writes platform.js into the folder; default: dist. */

import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { licenceTexts } from '../scripts/shared/licences.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = resolve(process.argv[2] ?? here('dist'));
const outfile = join(folder, 'platform.js');

await mkdir(folder, { recursive: true });
const { metafile } = await build({
  absWorkingDir: here('.'),
  entryPoints: [here('src/main.ts')],
  outfile,
  bundle: true,
  minify: true,
  keepNames: false,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  legalComments: 'none',
  metafile: true,
  banner: {
    js: [
      '#!/usr/bin/env node',
      // Libraries in CommonJS load the modules of Node with `require`.
      "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    ].join('\n'),
  },
});
await chmod(outfile, 0o755);
await writeFile(join(folder, 'LICENSES.txt'), await licenceTexts(Object.keys(metafile.inputs), here('.')));
