/** The naive handler, bundled with esbuild's defaults for Node. */

import { resolve } from 'node:path';
import { build } from 'esbuild';

/** @returns the bundle's path */
export async function bundleNaive(): Promise<string> {
  const outfile = resolve(import.meta.dirname, '../../dist/naive/index.cjs');
  await build({
    entryPoints: [resolve(import.meta.dirname, 'handler.ts')],
    bundle: true,
    platform: 'node',
    outfile,
    logLevel: 'warning',
  });
  return outfile;
}
