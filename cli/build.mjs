/**
 * Bundles the command line: `node build.mjs [FOLDER]` writes platform.js into the folder (default: dist), mcp.js, which only
 * `platform mcp` loads, and convert.js, which only an import with a map loads. So all other commands start without them. The maps
 * are beside the bundles.
 */

import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { ensureDerived } from '../scripts/openapi/derived.ts';
import { licenceTexts } from '../scripts/shared/licences.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = resolve(process.argv[2] ?? here('dist'));

/** Leaves mcp.js out of platform.js. The splitting of esbuild would make a third file, with a few helpers. */
const withoutMcp = {
  name: 'without-mcp',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/mcp\/mcp\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './mcp.js', external: true } : undefined,
    ),
};

const bundles = [
  { entry: 'src/main.ts', file: 'platform.js', first: ['#!/usr/bin/env node'], plugins: [withoutMcp] },
  { entry: 'src/mcp/mcp.ts', file: 'mcp.js', first: [], plugins: [] },
  { entry: 'src/import/convert/worker.ts', file: 'convert.js', first: [], plugins: [] },
];

await ensureDerived();
await mkdir(folder, { recursive: true });
const builds = await Promise.all(
  bundles.map(({ entry, file, first, plugins }) =>
    build({
      absWorkingDir: here('.'),
      entryPoints: [here(entry)],
      outfile: join(folder, file),
      bundle: true,
      minify: true,
      keepNames: false,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      legalComments: 'none',
      metafile: true,
      plugins,
      banner: {
        js: [
          ...first,
          // Libraries in CommonJS load the modules of Node with `require`.
          "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
        ].join('\n'),
      },
    }),
  ),
);
await chmod(join(folder, 'platform.js'), 0o755);
await rm(join(folder, 'maps'), { recursive: true, force: true });
await cp(here('maps'), join(folder, 'maps'), { recursive: true });
const inputs = new Set(builds.flatMap(({ metafile }) => Object.keys(metafile.inputs)));
const licences = [
  await licenceTexts([...inputs], here('.')),
  await readFile(here('jq-licences.txt'), 'utf8'),
];
await writeFile(join(folder, 'LICENSES.txt'), licences.join(`\n${'-'.repeat(80)}\n\n`));
