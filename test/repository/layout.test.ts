/** Where files are: endpoints, workers, tests and the map of folders. */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { tables } from '../../lib/dynamodb/tables.ts';
import { jobTypeNames } from '../../lib/jobs/types.ts';
import { samples } from '../../samples/samples.ts';
import { sourceOf, workerSourceOf } from '../../scripts/bundle/entries.ts';
import { workers } from '../../workers/index.ts';

const root = resolve(import.meta.dirname, '../..');

test('every file in functions/ is an endpoint whose id is its path', () => {
  const files = globSync('functions/**/*.ts', { cwd: root }).filter((file) => file !== 'functions/index.ts');
  expect(endpoints.map((endpoint) => relative(root, sourceOf(endpoint))).sort()).toEqual(files.sort());
  for (const endpoint of endpoints) {
    expect(readFileSync(sourceOf(endpoint), 'utf8')).toContain(`id: '${endpoint.id}'`);
  }
});

test('every file in workers/ is a worker whose id is its name', () => {
  const files = globSync('workers/**/*.ts', { cwd: root }).filter((file) => file !== 'workers/index.ts');
  expect(workers.map((worker) => relative(root, workerSourceOf(worker))).sort()).toEqual(files.sort());
  for (const worker of workers) {
    expect(readFileSync(workerSourceOf(worker), 'utf8')).toContain(`id: '${worker.id}'`);
    // Both name a construct and a bundle's folder.
    expect(endpoints.map(({ id }) => id)).not.toContain(worker.id);
    for (const source of worker.sources) expect(tables[source].stream, worker.id).toBe(true);
  }
});

test('functions/index.ts is ordered by path and has each route once', () => {
  const routes = endpoints.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(routes).size).toBe(routes.length);
  const paths = endpoints.map(({ path }) => path);
  // A literal segment comes before a parameter.
  const key = (path: string) => path.replaceAll('{', '~');
  expect(paths).toEqual([...paths].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0)));
});

test('endpoints below a project declare it; only erasures, exports and evaluations work in an archived one', () => {
  const below = endpoints.filter(
    ({ id, path }) => path.startsWith('/projects/{') && !id.startsWith('projects.'),
  );
  // What a person asks for by law has to work in an archived project too.
  const allowed = [
    'exports.create',
    'conversations.delete',
    'conversations.erase',
    'knowledge.documents.delete',
    // It changes nothing.
    'knowledge.evaluate',
  ];
  for (const { id, method, project } of below) {
    expect(project, id).toBe(method === 'GET' || allowed.includes(id) ? 'existing' : 'active');
  }
  const others = endpoints.filter((endpoint) => !below.includes(endpoint));
  expect(others.filter(({ project }) => project !== undefined)).toEqual([]);
});

test('every endpoint has a sample request, and every sample an endpoint', () => {
  expect(Object.keys(samples).sort()).toEqual(endpoints.map(({ id }) => id).sort());
});

describe('at import, no clock, randomness or environment is read in', () => {
  const files = globSync('{functions,lib,workers}/**/*.ts', { cwd: root });
  /** Where it is read on purpose: the composition root. */
  const allowed = ['lib/runtime/base-runtime.ts'];

  test.each(files.filter((file) => !allowed.includes(file)))('%s', (file) => {
    const source = readFileSync(resolve(root, file), 'utf8');
    expect(source).not.toMatch(/Date\.now|new Date\(\)|Math\.random|process\.env|randomUUID/);
  });
});

test('the root of scripts/ has only commands', () => {
  const { scripts } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const commands = Object.values(scripts).flatMap((line) => line.split(' '));
  expect(
    globSync('scripts/*', { cwd: root }).filter((file) => file.includes('.') && !commands.includes(file)),
  ).toEqual([]);
});

/** The folders of test/ that are named after what they test. */
const mirrors = ['bench', 'cli', 'clients', 'functions', 'infra', 'lib', 'measures', 'scripts'];

test.each(mirrors)('test/%s has only folders that the tree has', (mirror) => {
  const folders = globSync(`${mirror}/**/*/`, { cwd: resolve(root, 'test') });
  expect(folders.filter((folder) => !existsSync(resolve(root, folder)))).toEqual([]);
});

test('test/ itself has only the contract, which every endpoint keeps', () => {
  expect(globSync('test/*.ts', { cwd: root })).toEqual(['test/contract.test.ts']);
});

test('docs/map.md names every folder', () => {
  const map = readFileSync(resolve(root, 'docs/map.md'), 'utf8');
  const named = new Set([...map.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, target]) => target));
  // In docs/ itself.
  named.add('docs');
  const folders = globSync('{*/,test/*/,{lib,scripts,bench}/**/*/}', {
    cwd: root,
    // Not in git, or the same in every folder of a resource.
    exclude: [
      'node_modules',
      'dist',
      'cdk.out',
      'lib/**/schema',
      'lib/**/store',
      'lib',
      ...mirrors.map((mirror) => `test/${mirror}`),
    ],
  });
  expect(folders.map((folder) => folder.replace(/\/$/, '')).filter((folder) => !named.has(folder))).toEqual(
    [],
  );
});

/** The id of an endpoint is the name of its file. Nothing that is stored or published may depend on it. */
test('no file of lib/ or workers/ names an endpoint by its id, but in examples', () => {
  // Types of jobs may have the name of an endpoint.
  const ids = endpoints.map(({ id }) => id).filter((id) => !(jobTypeNames as readonly string[]).includes(id));
  const folders = new Set(ids.flatMap((id) => (id.includes('.') ? `${id.split('.')[0]}.` : [])));
  const literals = [...ids.filter((id) => id.includes('.')), ...folders].map((text) => `'${text}'`);
  const dependent = globSync('{lib,workers}/**/*.ts', { cwd: root }).flatMap((file) => {
    const code = readFileSync(resolve(root, file), 'utf8')
      .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
      .replace(/\bexample: '[^']*'|\bauditText\([^)]*\)/g, '');
    return literals.filter((literal) => code.includes(literal)).map((literal) => `${file} ${literal}`);
  });
  expect(dependent).toEqual([]);
});
