/** The wheel of the Python client, from its folder. */

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from '../shared/root.ts';
import { type PythonProject, wheelName, wheelOf } from './wheel.ts';

const folder = resolve(root, 'clients/python');

/** @param build as in `WheelVersion` */
export function pythonWheel(build: string): { file: string; bytes: Uint8Array } {
  const text = (name: string) => readFileSync(join(folder, name), 'utf8');
  const project = readPyproject(text('pyproject.toml'));
  const [, number = ''] = /^version = "(.*)"$/m.exec(text('src/platform_api/_version.py')) ?? [];
  const version = { version: number, build };
  const source = join(folder, 'src');
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll('\\', '/'),
  );
  // Only what is meant to be installed: Python leaves its cache here.
  const installed = names.filter((name) => name.endsWith('.py') || name.endsWith('/py.typed'));
  const files = Object.fromEntries(
    installed.map((name) => [name, new Uint8Array(readFileSync(join(source, name)))]),
  );
  const bytes = wheelOf(files, { ...project, licence: text('LICENSE'), readme: text('README.md') }, version);
  return { file: wheelName(project.name, version), bytes };
}

/**
 * Reads only the forms that clients/python/pyproject.toml has: strings, and arrays of strings.
 * @throws Error if a field is missing
 */
export function readPyproject(toml: string): PythonProject {
  const fields = fieldsIn(toml);
  const one = (name: string): string => {
    const [value] = fields.get(`project.${name}`) ?? [];
    if (value === undefined) throw new Error(`pyproject.toml has no ${name}`);
    return value;
  };
  const extra = 'project.optional-dependencies.';
  const extras = [...fields].filter(([name]) => name.startsWith(extra));
  return {
    name: one('name'),
    description: one('description'),
    license: one('license'),
    requiresPython: one('requires-python'),
    classifiers: fields.get('project.classifiers') ?? [],
    extras: Object.fromEntries(extras.map(([name, needs]) => [name.slice(extra.length), needs])),
  };
}

/** The strings of each field, by the name of its table and its own. */
function fieldsIn(toml: string): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  let table = '';
  let open: string[] | undefined;
  for (const line of toml.split('\n')) {
    const heading = /^\[([\w.-]+)\]$/.exec(line)?.[1];
    const [, name, text = line] = /^([\w-]+) = (.*)$/.exec(line) ?? [];
    if (heading) table = heading;
    if (name) {
      open = [];
      fields.set(`${table}.${name}`, open);
    }
    open?.push(...[...text.matchAll(/"([^"\\]*)"/g)].map(([, value = '']) => value));
    if (!text.trimEnd().endsWith('[') && !text.trimEnd().endsWith(',')) open = undefined;
  }
  return fields;
}
