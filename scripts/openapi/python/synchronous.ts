/** The synchronous variant of the Python client, from the modules of the asynchronous one. */

import { globSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { root } from '../../shared/root.ts';
import { unasync } from './unasync.ts';

const folder = 'clients/python/src/platform_api';

/** The synchronous client has its own, in _blocking: they have the code that differs. */
const ownFiles = ['__init__.py', 'io.py', 'work.py'];

/** Of a module that is generated itself. */
const notice = /^# Written by .*\n\n/;

/** @returns the text of each module by its path, relative to the root */
export function synchronousFiles(): Record<string, string> {
  const paths = globSync(`${folder}/_async/*.py`, { cwd: root }).sort();
  const modules = paths
    .filter((path) => !ownFiles.includes(basename(path)))
    .map((path): [string, string] => {
      const name = basename(path);
      const text = readFileSync(resolve(root, path), 'utf8');
      return [
        `${folder}/_sync/${name}`,
        `# Made from _async/${name}.\n\n${unasync(text.replace(notice, ''))}`,
      ];
    });
  const about =
    '"""The synchronous client. Its modules are made from those of _async, and are not in git."""\n';
  return { [`${folder}/_sync/__init__.py`]: about, ...Object.fromEntries(modules) };
}
