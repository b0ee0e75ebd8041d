/** The naive handler, bundled in two ways: an easy baseline and a hard one. The third bundle has no libraries: nothing is faster. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';

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

const small = { minify: true, format: 'esm', target: 'node24' } satisfies BuildOptions;

const ways = {
  /** esbuild's defaults for Node. */
  naive: { entryPoints: ['handler.ts'] },
  /** The same handler, optimised for size: minified, from the libraries' ES modules. */
  minified: {
    ...small,
    entryPoints: ['handler.ts'],
    plugins: [namespaceImport],
    mainFields: ['module', 'main'],
    // Middy and the SDK are partly CommonJS, which loads builtins with `require`.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  },
  limit: { ...small, entryPoints: ['limit.ts'] },
} satisfies Record<string, BuildOptions>;

export type Baseline = keyof typeof ways;

/** @returns the bundle's path */
export async function bundleNaive(baseline: Baseline): Promise<string> {
  const extension = baseline === 'naive' ? 'cjs' : 'mjs';
  const outfile = resolve(import.meta.dirname, `../../dist/naive/${baseline}.${extension}`);
  await build({
    absWorkingDir: import.meta.dirname,
    bundle: true,
    platform: 'node',
    outfile,
    logLevel: 'warning',
    ...ways[baseline],
  });
  return outfile;
}
