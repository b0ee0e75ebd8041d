/** The pipeline of an endpoint with the code of its function, whose bundle has smaller libraries. */

import { resolve } from 'node:path';
import { build } from 'esbuild';
import { coreNameOf } from '../lib/http/middleware/cores.ts';
import type { Handler } from '../lib/http/middleware/pipeline.ts';
import type { Endpoint, Runtime } from '../lib/http/types.ts';
import type { Variables } from '../lib/runtime/function-client.ts';
import { buildOptions, leanPlugins } from '../scripts/bundle/bundle.ts';
import { sourceOf } from '../scripts/bundle/entries.ts';
import { withoutMetadata } from '../scripts/bundle/without-metadata.ts';
import { root } from '../scripts/shared/root.ts';

type Bundle = {
  /** @param own takes the place of parts of the function's runtime */
  open: (env: Variables, own: Partial<Runtime>) => Handler;
};

/** @returns a function that composes the handler, as those of lib/http/lambda/compose.ts do */
export async function functionCode(endpoint: Endpoint): Promise<Bundle['open']> {
  const outfile = resolve(root, `dist/pipeline/${endpoint.id}.mjs`);
  const core = `${coreNameOf(endpoint)}Core`;
  await build({
    ...buildOptions,
    // The names of the commands stay.
    minify: false,
    stdin: {
      resolveDir: root,
      contents: `
        import declared from '${sourceOf(endpoint)}';
        import { ${core} } from './lib/http/middleware/cores.ts';
        import { functionRuntime } from './lib/http/lambda/compose.ts';
        import { createHandler } from './lib/http/middleware/pipeline.ts';
        export const open = (env, own) => createHandler(declared, { ...functionRuntime(env), ...own }, ${core});`,
    },
    outfile,
    plugins: [...leanPlugins, withoutMetadata],
  });
  const { open } = (await import(outfile)) as Bundle;
  return open;
}
