/** Bundles the command line into one file: `node build.mjs [FOLDER]` writes platform.js into the folder; default: dist. */

import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

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
await writeFile(join(folder, 'LICENSES.txt'), await licenses(Object.keys(metafile.inputs)));

/** The licences of the bundled libraries, which they require to go with every copy. */
async function licenses(inputs) {
  const folders = new Set(
    inputs.map((input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]).filter(Boolean),
  );
  const texts = await Promise.all(
    [...folders].sort().map(async (folder) => {
      const { name, version, license } = JSON.parse(await readFile(here(`${folder}/package.json`), 'utf8'));
      const files = ['LICENSE', 'LICENSE.md', 'license', 'LICENCE', 'LICENSE.txt'];
      const found = await Promise.all(
        files.map((file) => readFile(here(`${folder}/${file}`), 'utf8').catch(() => '')),
      );
      return `${name} ${version} (${license})\n\n${found.find(Boolean) ?? ''}`;
    }),
  );
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}
