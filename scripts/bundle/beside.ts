/** The files beside the code of functions: documents and pages, and code that is loaded on demand. */

import { basename, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import type { Endpoint } from '../../lib/http/endpoint.ts';
import type { Worker } from '../../lib/workers/worker.ts';
import { existing, moduleAt, replaceModule } from './replaced.ts';

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

const pageFolders = moduleAt('lib/http/page-folders.ts');

/** The files of the pages and llms.txt are beside their functions. */
export const pagesBeside: Plugin = {
  name: 'pages-beside',
  setup(build) {
    const folders = ['referenceFolder', 'consoleFolder', 'llmsFolder'];
    replaceModule(build, pageFolders, () => ({
      contents: folders.map((name) => `export const ${name} = import.meta.dirname;`).join('\n'),
    }));
  },
};

type OnDemand = { source: string; file: string; isNeededBy: (one: Endpoint | Worker) => boolean };

const isEndpoint = (one: Endpoint | Worker) => 'auth' in one;
const hasCredential = (one: Endpoint | Worker) => 'auth' in one && one.auth !== 'public';
const usesKms = (one: Endpoint | Worker) => ('auth' in one ? one.encrypts : one.decrypts);
const asksModels = (one: Endpoint | Worker) => !('auth' in one) && one.models;
const forwards = (one: Endpoint | Worker) => 'auth' in one && one.forwards;
const checksRules = (one: Endpoint | Worker) => 'auth' in one && one.models;

/** The code that not every request needs: tokens, the limiter, errors, the SDK of MCP, KMS, models and rules. */
export const onDemand: readonly OnDemand[] = [
  ['lib/credentials/access-token-reader.ts', hasCredential] as const,
  ['lib/credentials/workload-token-reader.ts', hasCredential] as const,
  ['lib/http/limiter.ts', hasCredential] as const,
  ['lib/http/errors.ts', isEndpoint] as const,
  ['lib/mcp/exchange.ts', forwards] as const,
  ['lib/runtime/kms.ts', usesKms] as const,
  ['lib/models/bedrock.ts', asksModels] as const,
  ['lib/models/chat-completions.ts', asksModels] as const,
  ['lib/evaluations/rules/evaluate.ts', asksModels] as const,
  ['lib/evaluations/rules/pattern.ts', checksRules] as const,
].map(([source, isNeededBy]) => ({
  source: existing(source),
  file: `${basename(source, '.ts')}.mjs`,
  isNeededBy,
}));

export const onDemandBeside: Plugin = {
  name: 'on-demand-beside',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
      const found =
        kind === 'dynamic-import' && onDemand.find(({ source }) => source === resolve(resolveDir, path));
      return found ? { path: `./${found.file}`, external: true } : undefined;
    });
  },
};
