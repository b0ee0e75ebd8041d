/** The existing endpoints, ids and stores, read from the files of the repository: `npm run new` plans with them. */

import { globSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Endpoint } from '../../lib/http/endpoint.ts';
import { root } from '../shared/root.ts';
import type { Known } from './plan.ts';

const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

/** @returns the endpoints of all files in functions/, whether they are in the list or not */
export async function endpointsInFiles(): Promise<Endpoint[]> {
  const files = globSync('functions/**/*.ts', { cwd: root }).filter((file) => file !== 'functions/index.ts');
  const modules = files.map(async (file) => {
    const { default: endpoint } = (await import(pathToFileURL(resolve(root, file)).href)) as {
      default: Endpoint;
    };
    return endpoint;
  });
  return Promise.all(modules);
}

/** @returns the ids of all files in workers/ */
export const workersInFiles = (): string[] =>
  globSync('workers/*.ts', { cwd: root })
    .map((file) => basename(file, '.ts'))
    .filter((name) => name !== 'index');

/** @returns the existing endpoints, ids and stores */
export async function knownInFiles(): Promise<Known> {
  const declared = globSync('functions/**/*.ts', { cwd: root }).map(read).join('\n');
  const stores = globSync('lib/**/*.ts', { cwd: root });
  return {
    endpoints: await endpointsInFiles(),
    idKinds: new Map(
      [...declared.matchAll(/\b(\w+_id): id\('(\w+)'\)/g)].map(([, name = '', kind = '']) => [name, kind]),
    ),
    loads: new Map(
      stores.flatMap((file) =>
        [...read(file).matchAll(/^export const (\w+InPath) = load\(/gm)].map(
          ([, name = '']) => [name, file] as const,
        ),
      ),
    ),
    collections: new Map(
      stores.flatMap((store) =>
        [...read(store).matchAll(/^export const (\w+) = projectCollection<Stored(\w+)>\('(\w+)'\);/gm)].map(
          ([, name = '', Type = '', table = '']) => [name, { store, table, Type }] as const,
        ),
      ),
    ),
  };
}
