/**
 * Bundles the process that reads the files of strangers. It is a build of its own: only this process has the libraries for such
 * files, and they need what functions leave out, such as `ReadableStream`.
 */

import { cpSync } from 'node:fs';
import { resolve } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { fetchPackage } from '../shared/fetched-packages.ts';
import { root } from '../shared/root.ts';
import { moduleAt, replaceModule } from './replaced.ts';

const characterMaps = moduleAt('lib/extraction/pdf/character-maps.ts');

const source = resolve(root, 'lib/extraction/extraction-child.ts');
const maps = resolve(root, 'node_modules/pdfjs-dist/cmaps');

/** The character maps for PDFs are in a folder beside it. */
const mapsBeside: Plugin = {
  name: 'maps-beside',
  setup(build) {
    replaceModule(build, characterMaps, () => ({
      contents: `export const characterMaps = new URL('cmaps/', import.meta.url);`,
    }));
  },
};

/** Writes the bundle and what it reads into the folder of a function. @returns esbuild's list of its contents */
export async function bundleExtractionChild(folder: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [source],
    outfile: resolve(folder, 'extraction-child.mjs'),
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    legalComments: 'none',
    logLevel: 'warning',
    // Libraries in CommonJS load builtins.
    banner: { js: `import{createRequire}from'node:module';const require=createRequire(import.meta.url);` },
    plugins: [mapsBeside],
    metafile: true,
  });
  await fetchPackage('pdfjs-dist');
  cpSync(maps, resolve(folder, 'cmaps'), { recursive: true });
  return metafile;
}
