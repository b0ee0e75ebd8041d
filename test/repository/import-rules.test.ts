/** Which folder may import which. Dependencies point in one direction, also those between files. */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/shared/root.ts';

/** The folders of lib/ that are about no resource. All others have one resource each. */
const mechanisms = [
  'base',
  'text',
  'network',
  'models',
  'schema',
  'dynamodb',
  'runtime',
  'workers',
  'credentials',
  'http',
];

/** The folders of docs/map.md, from the top. A folder imports only from folders below it. */
const order = [
  ...(readFileSync(resolve(root, 'docs/map.md'), 'utf8').split('\n\n')[2] ?? '').matchAll(
    /^\| \[[^\]]+\]\(\.\.\/([^)]+)\)/gm,
  ),
].map(([, folder = '']) => folder);

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

const imports = globSync(
  '{functions,infra,lib,measures,samples,scripts,workers,clients/typescript/src}/**/*.ts',
  {
    cwd: root,
  },
).flatMap(importsOf);
const show = ({ file, imported }: Import) => `${file} -> ${imported}`;

/** `lib/text`, or `functions`. */
const partOf = (path: string): string => path.split('/', path.startsWith('lib/') ? 2 : 1).join('/');

/** The storage of a resource: store.ts or store/, also of a part of a resource. */
const isStorage = (path: string) => /^lib\/[\w/-]+\/store(\.ts$|\/)/.test(path);
const isMechanism = (path: string) => mechanisms.includes(path.split('/')[1] ?? '');

test('docs/map.md names every folder of lib/', () => {
  const folders = globSync('lib/*/', { cwd: root }).map((folder) => folder.replace(/\/$/, ''));
  expect([...order].sort()).toEqual([...folders, 'functions', 'workers'].sort());
  expect(globSync('lib/*.ts', { cwd: root })).toEqual([]);
});

test('a folder imports only from folders below it in docs/map.md', () => {
  const upwards = imports.filter(({ file, imported }) => {
    const [from, to] = [order.indexOf(partOf(file)), order.indexOf(partOf(imported))];
    return from >= 0 && to >= 0 && from > to;
  });
  expect(upwards.map(show)).toEqual([]);
});

/**
 * A new arrow needs a reason, or another one less: a reader of a folder has to know the folders that it imports. A reply needs what it
 * answers with (avatar, index, conversation, model), and what limits it.
 */
const maxArrows = 204;

test(`the folders of lib/ have at most ${maxArrows} arrows between them`, () => {
  const folders = imports
    .map(({ file, imported }) => [partOf(file), partOf(imported)])
    .filter(([from, to]) => from !== to && [from, to].every((folder) => folder?.startsWith('lib/')));
  const arrows = new Set(folders.map(([from, to]) => `${from} -> ${to}`));
  expect(arrows.size).toBeLessThanOrEqual(maxArrows);
});

test('a folder of lib/ has at most 4000 lines', () => {
  const lines = new Map<string, number>();
  for (const file of globSync('lib/**/*.ts', { cwd: root })) {
    const count = readFileSync(resolve(root, file), 'utf8').split('\n').length - 1;
    lines.set(partOf(file), (lines.get(partOf(file)) ?? 0) + count);
  }
  expect([...lines].filter(([, count]) => count > 4000)).toEqual([]);
});

test('only mechanisms and storage import dynamodb/', () => {
  const forbidden = imports
    .filter(
      ({ file, imported }) => /^(lib|functions|workers)\//.test(file) && partOf(imported) === 'lib/dynamodb',
    )
    .filter(({ file }) => !(file.startsWith('lib/') && (isMechanism(file) || isStorage(file))))
    .map(show)
    .filter((edge) => !(edge in exceptions));
  expect(forbidden).toEqual([]);
});

test('resources do not import http/ or credentials/', () => {
  const forbidden = imports.filter(
    ({ file, imported }) =>
      file.startsWith('lib/') && !isMechanism(file) && /^lib\/(http|credentials)\//.test(imported),
  );
  expect(forbidden.map(show)).toEqual([]);
});

test('lib/base/errors.ts mentions no status and no header', () => {
  const source = readFileSync(resolve(root, 'lib/base/errors.ts'), 'utf8');
  expect(source).not.toMatch(/\b[1-5]\d\d\b|statusCode|headers\s*[:?]/);
});

test('the service imports no scripts or infrastructure', () => {
  const forbidden = imports.filter(
    ({ file, imported }) =>
      /^(functions|lib|workers)\//.test(file) && /^(scripts|infra|measures|samples)\//.test(imported),
  );
  expect(forbidden.map(show)).toEqual([]);
});

test('nothing imports tests or benchmarks; samples/ knows no measures, and infra/ neither', () => {
  const forbidden = imports.filter(
    ({ file, imported }) =>
      /^(test|bench)\//.test(imported) ||
      (/^(samples|infra)\//.test(file) && imported.startsWith('measures/')) ||
      (file.startsWith('infra/') && imported.startsWith('samples/')),
  );
  expect(forbidden.map(show)).toEqual([]);
});

test('the client imports nothing but its own files, and what Node has for files; the service does not import it', () => {
  const inClient = (path: string) => path.startsWith('clients/');
  const crossing = imports.filter(({ file, imported }) => inClient(file) !== inClient(imported));
  expect(crossing.map(show)).toEqual(['scripts/openapi/client.ts -> clients/typescript/package.json']);
  const packages = globSync('clients/typescript/src/**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(resolve(root, file), 'utf8').matchAll(/\bfrom '([^.'][^']*)'/g)].map(
      ([, name]) => `${file} ${name}`,
    ),
  );
  expect(packages).toEqual([
    'clients/typescript/src/node.ts node:fs/promises',
    'clients/typescript/src/node.ts node:path',
    // Types only: runtimes without files do not have these modules.
    'clients/typescript/src/runtime/folder.ts node:crypto',
    'clients/typescript/src/runtime/folder.ts node:fs/promises',
    'clients/typescript/src/runtime/folder.ts node:os',
    'clients/typescript/src/runtime/journal.ts node:fs/promises',
  ]);
});

test('the command line imports only its own files, what the client exports, the tools of agents, and the readers of JSON and of imported lines', () => {
  const crossing = globSync('cli/src/**/*.ts', { cwd: root })
    .flatMap(importsOf)
    .filter(({ imported }) => !imported.startsWith('cli/'));
  const ofTools = crossing.filter(({ imported }) => imported.startsWith('lib/'));
  expect(ofTools.map(show).sort()).toEqual([
    'cli/src/import/convert/fit.ts -> lib/bulk/imports/lines.ts',
    'cli/src/import/convert/fit.ts -> lib/bulk/imports/read-line.ts',
    'cli/src/import/convert/fit.ts -> lib/scores/value.ts',
    'cli/src/import/convert/shorten.ts -> lib/bulk/imports/read-line.ts',
    'cli/src/import/convert/shorten.ts -> lib/conversations/schema/message.ts',
    'cli/src/input.ts -> lib/base/json-syntax.ts',
    'cli/src/mcp/call.ts -> lib/base/version.ts',
    'cli/src/mcp/call.ts -> lib/mcp/server.ts',
    'cli/src/mcp/mcp.ts -> lib/mcp/batches.ts',
    'cli/src/mcp/mcp.ts -> lib/mcp/server.ts',
  ]);
  const others = crossing.filter((one) => !ofTools.includes(one));
  expect(new Set(others.map(({ imported }) => imported))).toEqual(
    new Set(['clients/typescript/src/index.ts', 'clients/typescript/src/node.ts']),
  );
});

test('no two folders import each other, directly or through others', () => {
  const folders = imports.map(({ file, imported }) => ({ file: dirname(file), imported: dirname(imported) }));
  expect(circlesIn(folders.filter(({ file, imported }) => file !== imported))).toEqual([]);
});

test('no two files import each other, directly or through others', () => {
  const everywhere = '{bench,cli,console,functions,infra,lib,scripts,test,workers,clients/typescript}';
  const modules = globSync(`${everywhere}/**/*.{ts,tsx,js,mjs}`, {
    cwd: root,
    exclude: ['**/node_modules', '**/dist'],
  });
  const pythonModules = globSync('clients/python/src/**/*.py', { cwd: root });
  expect(circlesIn([...modules.flatMap(importsOf), ...pythonModules.flatMap(pythonImportsOf)])).toEqual([]);
});

/** Reads `from .pages import AsyncPages` and `from .. import types`. */
function pythonImportsOf(file: string): Import[] {
  const statements = readFileSync(resolve(root, file), 'utf8').matchAll(
    /^ *from (\.+)([\w.]*) import (?:\(([^)]*)\)|(.*))$/gm,
  );
  return [...statements].flatMap(([, dots = '', path = '', inBrackets, inLine = '']) => {
    const module = join(dirname(file), '../'.repeat(dots.length - 1), path.replaceAll('.', '/'));
    const names = (inBrackets ?? inLine).split(',').map((name) => name.trim().split(' ')[0]);
    return [module, ...names.map((name) => join(module, `${name}`))]
      .map((name) => ({ file, imported: `${name}.py` }))
      .filter(({ imported }) => existsSync(resolve(root, imported)));
  });
}

/** @returns the paths that lead from a file or folder back to itself, over its imports */
function circlesIn(imports: readonly Import[]): string[] {
  const importsOfEach = Map.groupBy(imports, ({ file }) => file);
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) circles.push([...path.slice(path.indexOf(name)), name].join(' -> '));
    if (path.includes(name) || done.has(name)) return;
    for (const { imported } of importsOfEach.get(name) ?? []) visit(imported, [...path, name]);
    done.add(name);
  };
  for (const name of importsOfEach.keys()) visit(name, []);
  return circles;
}
