/** The wheel of the Python client, from its folder. */

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from '../shared/root.ts';
import { type PythonProject, readPyproject } from './pyproject.ts';
import { wheelName, wheelOf } from './wheel.ts';

const folder = resolve(root, 'clients/python');

/**
 * @param build as in `WheelVersion`
 * @param publishedAs its name in a registry. Without it, PyPI refuses the wheel
 */
export function pythonWheel(build: string, publishedAs?: string): { file: string; bytes: Uint8Array } {
  const text = (name: string) => readFileSync(join(folder, name), 'utf8');
  const own = readPyproject(text('pyproject.toml'));
  const project = publishedAs === undefined ? own : published(own, publishedAs);
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

/** PyPI refuses every package with a classifier that begins with `Private`. */
const published = (project: PythonProject, name: string): PythonProject => ({
  ...project,
  name,
  classifiers: project.classifiers.filter((classifier) => !classifier.startsWith('Private ::')),
});
