/**
 * The entries of the bundles. An entry has two lines: it imports a declaration and the function that composes the handler of its
 * kind, and it calls this function. Nothing else reads the environment of a function.
 */

import { resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { endpoints } from '../../functions/index.ts';
import type { Endpoint } from '../../lib/http/endpoint.ts';
import { coreNameOf } from '../../lib/http/middleware/cores.ts';
import { dispatcherId } from '../../lib/workers/dispatcher.ts';
import { schedulerId } from '../../lib/workers/schedule/scheduler.ts';
import type { Worker } from '../../lib/workers/worker.ts';
import { workers } from '../../workers/index.ts';
import { root } from '../shared/root.ts';

/** The path of an endpoint's declaration, derived from its id. */
export const sourceOf = (endpoint: Endpoint): string =>
  resolve(root, 'functions', `${endpoint.id.replaceAll('.', '/')}.ts`);

/** The path of a worker's declaration. */
export const workerSourceOf = ({ id }: Worker): string => resolve(root, 'workers', `${id}.ts`);

const entryCode = (declaration: string, composer: string, name = 'compose'): string =>
  `import ${declaration}; import { ${name} as compose } from '${composer}';
export const handler = compose(declared, process.env);`;

/** The functions in lib/http/lambda/ have names such as `readWithFiles`, for what the endpoint declares. */
const endpointCode = (endpoint: Endpoint) => {
  const suffix = endpoint.files.length > 0 ? 'WithFiles' : '';
  return entryCode(
    `declared from '${sourceOf(endpoint)}'`,
    `./lib/http/lambda/${endpoint.downloads ? 'downloads' : 'compose'}.ts`,
    `${coreNameOf(endpoint)}${endpoint.downloads ? 'WithDownloads' : suffix}`,
  );
};

const workerCode = (worker: Worker) =>
  entryCode(
    `declared from '${workerSourceOf(worker)}'`,
    `./lib/workers/lambda/worker${worker.files.length > 0 ? '-with-files' : ''}.ts`,
  );

/** @param id the dispatcher or the scheduler, which have a file of their own in lib/workers/lambda/ */
const senderCode = (id: string) =>
  entryCode("{ workers as declared } from './workers/index.ts'", `./lib/workers/lambda/${id}.ts`);

/** The code of the entries by the id of their function. */
const codes = new Map<string, string>([
  ...endpoints.map((endpoint) => [endpoint.id, endpointCode(endpoint)] as const),
  ...workers.map((worker) => [worker.id, workerCode(worker)] as const),
  ...[dispatcherId, schedulerId].map((id) => [id, senderCode(id)] as const),
]);

const prefix = 'function:';

export const functionEntries = [...codes.keys()].map((id) => ({ in: `${prefix}${id}`, out: `${id}/index` }));

export const entries: Plugin = {
  name: 'entries',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^function:/ }, ({ path }) => ({
      path: path.slice(prefix.length),
      namespace: 'function',
    }));
    onLoad({ filter: /.*/, namespace: 'function' }, ({ path }) => ({
      resolveDir: root,
      contents: codes.get(path) ?? '',
    }));
  },
};
