/** The naive handler, bundled in two ways: an easy baseline and a hard one. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';

const source = resolve(import.meta.dirname, 'handler.ts');

/** `import { z }` includes all of zod's locales; `import * as z` does not. */
const namespaceImport: Plugin = {
  name: 'namespace-import',
  setup({ onLoad }) {
    onLoad({ filter: /\/naive\/handler\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text.replace("import { z } from 'zod'", "import * as z from 'zod'");
      if (contents === text) throw new Error(`${path} does not import { z }`);
      return { contents, loader: 'ts' };
    });
  },
};

const ways = {
  /** esbuild's defaults for Node. */
  naive: {},
  /** The same handler, optimised for size: minified, from the libraries' ES modules. */
  minified: {
    plugins: [namespaceImport],
    minify: true,
    format: 'esm',
    mainFields: ['module', 'main'],
    target: 'node24',
    // Middy and the SDK are partly CommonJS, which loads builtins with `require`.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  },
} satisfies Record<string, BuildOptions>;

export type Baseline = keyof typeof ways;

/** @returns the bundle's path */
export async function bundleNaive(baseline: Baseline): Promise<string> {
  const extension = baseline === 'naive' ? 'cjs' : 'mjs';
  const outfile = resolve(import.meta.dirname, `../../dist/naive/${baseline}.${extension}`);
  await build({
    entryPoints: [source],
    bundle: true,
    platform: 'node',
    outfile,
    logLevel: 'warning',
    ...ways[baseline],
  });
  return outfile;
}
