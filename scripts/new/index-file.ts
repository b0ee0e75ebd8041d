/** functions/index.ts and workers/index.ts, made from the files that they list. */

import type { Endpoint } from '../../lib/http/endpoint.ts';
import { endpointsInFiles, workersInFiles } from './known.ts';

export type Listed = Pick<Endpoint, 'id' | 'method' | 'path'>;

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Orders paths so that a literal segment comes before a parameter. */
const sortKey = ({ path, method }: Listed) => `${path.replaceAll('{', '~')} ${methods.indexOf(method)}`;

/** @returns `apiKeysCreate` for `api-keys.create` */
export const nameOf = (id: string): string =>
  id.replace(/[.-]([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** @returns the path below functions/ of an endpoint's file */
export const fileOf = (id: string): string => `${id.replaceAll('.', '/')}.ts`;

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** @returns the texts of both files by their paths */
export const indexFiles = async (): Promise<Record<string, string>> => ({
  'functions/index.ts': endpointIndex(await endpointsInFiles()),
  'workers/index.ts': workerIndex(workersInFiles()),
});

function endpointIndex(endpoints: readonly Listed[]): string {
  // Biome sorts imports in this order: `revoke.ts` is before `revoke-me.ts`.
  const byFile = [...endpoints].sort((a, b) => compare(a.id, b.id));
  const byPath = [...endpoints].sort((a, b) => compare(sortKey(a), sortKey(b)));
  const width = Math.max(...endpoints.map(({ id }) => nameOf(id).length));
  return [
    '/** Every endpoint, ordered by path: the table of contents of the API. Written by `npm run generate`. */',
    '',
    "import type { Endpoint } from '../lib/http/endpoint.ts';",
    ...byFile.map(({ id }) => `import ${nameOf(id)} from './${fileOf(id)}';`),
    '',
    'export const endpoints: readonly Endpoint[] = [',
    ...byPath.map(
      ({ id, method, path }) =>
        `  ${nameOf(id)}, //${' '.repeat(width - nameOf(id).length + 1)}${method.padEnd(6)} ${path}`,
    ),
    '];',
    '',
  ].join('\n');
}

function workerIndex(ids: readonly string[]): string {
  const names = [...ids].sort(compare);
  return [
    '/** Every worker: the background work. Written by `npm run generate`. */',
    '',
    "import type { Worker } from '../lib/workers/worker.ts';",
    ...names.map((id) => `import ${nameOf(id)} from './${id}.ts';`),
    '',
    'export const workers: readonly Worker[] = [',
    ...names.map((id) => `  ${nameOf(id)},`),
    '];',
    '',
  ].join('\n');
}
