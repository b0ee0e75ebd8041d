/** Which folder may import which: dependencies point in one direction. */

import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/shared/root.ts';

/** The folders of lib/ that are about no resource. */
const mechanisms = [
  'text',
  'schema',
  'dynamodb',
  'runtime',
  'workers',
  'schedule',
  'credentials',
  'http',
].map((name) => `lib/${name}`);

/** All others have one resource each. */
const domains = globSync('lib/*/', { cwd: root })
  .map((folder) => folder.replace(/\/$/, ''))
  .filter((folder) => !mechanisms.includes(folder));

/** What each part of the tree may import besides itself. `lib` stands for the files directly in lib/. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'lib/text': [],
  lib: [],
  'lib/schema': ['lib'],
  'lib/dynamodb': ['lib'],
  'lib/runtime': ['lib', 'lib/dynamodb'],
  // A worker does nothing for a deleted organisation.
  'lib/workers': ['lib', 'lib/dynamodb', 'lib/runtime', 'lib/organisations'],
  'lib/schedule': ['lib', 'lib/dynamodb', 'lib/runtime', 'lib/workers'],
  // Of dynamodb/ only their storage files: see below.
  ...Object.fromEntries(
    domains.map((domain) => [
      domain,
      ['lib', 'lib/text', 'lib/schema', 'lib/dynamodb', 'lib/workers', 'lib/schedule', ...domains],
    ]),
  ),
  'lib/credentials': [
    'lib',
    'lib/dynamodb',
    'lib/schema',
    'lib/runtime',
    'lib/api-keys',
    'lib/organisations',
  ],
  'lib/http': ['lib', 'lib/dynamodb', 'lib/runtime', 'lib/credentials', ...domains],
  functions: ['lib', 'lib/text', 'lib/schema', 'lib/credentials', 'lib/http', ...domains],
  workers: ['lib', 'lib/schedule', 'lib/workers', ...domains],
};

/** A file that may do what its folder may not, and why. */
const exceptions: Readonly<Record<string, string>> = {
  'functions/health.ts -> lib/dynamodb/transient.ts': 'it asks whether DynamoDB responds',
};

type Import = { file: string; imported: string };

/** Type imports count too: who needs a type depends on what it says. */
function importsOf(file: string): Import[] {
  const source = readFileSync(resolve(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const specifiers = source.matchAll(/(?:\bfrom|\bimport|\bimport\(|\bnew URL\()\s*'(\.[^']+)'/g);
  return [...specifiers].map(([, specifier = '']) => ({
    file,
    imported: normalize(join(dirname(file), specifier)),
  }));
}

const imports = globSync('{functions,infra,lib,scripts,workers,client/src}/**/*.ts', { cwd: root }).flatMap(
  importsOf,
);
const show = ({ file, imported }: Import) => `${file} -> ${imported}`;

/** `lib/text`, `functions`, or `lib` for a file directly in lib/. */
function partOf(path: string): string {
  const [top = '', second = '', third] = path.split('/');
  return top === 'lib' && third !== undefined ? `${top}/${second}` : top;
}

test.each(Object.entries(mayImport))('%s imports only %j', (part, allowed) => {
  const forbidden = imports
    .filter(({ file }) => partOf(file) === part)
    .filter(({ imported }) => ![part, ...allowed, 'package.json', 'openapi.json'].includes(partOf(imported)))
    .map(show)
    .filter((edge) => !(edge in exceptions));
  expect(forbidden).toEqual([]);
});

test('in a domain, only store.ts or store/ imports dynamodb/', () => {
  const forbidden = imports
    .filter(({ file, imported }) => domains.includes(partOf(file)) && partOf(imported) === 'lib/dynamodb')
    .filter(({ file }) => !/^lib\/[\w-]+\/store(\.ts$|\/)/.test(file));
  expect(forbidden.map(show)).toEqual([]);
});

test('lib/errors.ts mentions no status and no header', () => {
  const source = readFileSync(resolve(root, 'lib/errors.ts'), 'utf8');
  expect(source).not.toMatch(/\b[1-5]\d\d\b|statusCode|headers\s*[:?]/);
});

test('the service imports no tests, benchmarks, scripts or infrastructure', () => {
  const forbidden = imports.filter(
    ({ file, imported }) =>
      /^(test|bench)\//.test(imported) ||
      (/^(functions|lib|workers)\//.test(file) && /^(scripts|infra)\//.test(imported)),
  );
  expect(forbidden.map(show)).toEqual([]);
});

test('the client imports nothing but its own files, and what Node has for files; the service does not import it', () => {
  const inClient = (path: string) => path.startsWith('client/');
  const crossing = imports.filter(({ file, imported }) => inClient(file) !== inClient(imported));
  expect(crossing.map(show)).toEqual(['scripts/openapi/client.ts -> client/package.json']);
  const packages = globSync('client/src/**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(resolve(root, file), 'utf8').matchAll(/\bfrom '([^.'][^']*)'/g)].map(
      ([, name]) => `${file} ${name}`,
    ),
  );
  expect(packages).toEqual(['client/src/node.ts node:fs/promises', 'client/src/node.ts node:path']);
});

test('the command line imports only its own files, and what the client exports', () => {
  const crossing = globSync('cli/src/**/*.ts', { cwd: root })
    .flatMap(importsOf)
    .filter(({ imported }) => !imported.startsWith('cli/'));
  expect(new Set(crossing.map(({ imported }) => imported))).toEqual(
    new Set(['client/src/index.ts', 'client/src/node.ts']),
  );
});

test('no two folders import each other, directly or through others', () => {
  const folders = new Map<string, Set<string>>();
  for (const { file, imported } of imports) {
    const [from, to] = [dirname(file), dirname(imported)];
    if (from !== to) folders.set(from, (folders.get(from) ?? new Set()).add(to));
  }
  expect([...folders.keys()].map((folder) => pathBack(folders, folder)).filter(Boolean)).toEqual([]);
});

test("in the README's map, a folder imports only from folders below it", () => {
  const [map = ''] = readFileSync(resolve(root, 'README.md'), 'utf8').split('## Where things are').slice(1);
  const order = [...map.matchAll(/^\| \[[^\]]+\]\(([^)]+)\)/gm)].map(([, folder = '']) => folder);
  expect(order).toEqual(expect.arrayContaining(Object.keys(mayImport)));
  const upwards = imports.filter(({ file, imported }) => {
    const [from, to] = [order.indexOf(partOf(file)), order.indexOf(partOf(imported))];
    return partOf(file) in mayImport && partOf(imported) in mayImport && from > to;
  });
  expect(upwards.map(show)).toEqual([]);
});

/** @returns a path of folders from this one back to itself; undefined where there is none */
function pathBack(folders: ReadonlyMap<string, ReadonlySet<string>>, start: string): string | undefined {
  const seen = new Set<string>();
  const paths = [[start]];
  for (let path = paths.shift(); path; path = paths.shift()) {
    for (const next of folders.get(path.at(-1) ?? '') ?? []) {
      if (next === start) return [...path, start].join(' -> ');
      if (!seen.has(next)) paths.push([...path, next]);
      seen.add(next);
    }
  }
  return undefined;
}
