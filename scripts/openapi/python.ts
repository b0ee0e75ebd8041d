/** The generated files of the Python client: its types, methods and exceptions, and its synchronous variant. */

import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { errors } from '../../lib/http/errors.ts';
import manifest from '../../package.json' with { type: 'json' };
import { root } from '../shared/root.ts';
import type { OpenApi } from './client/document.ts';
import { groupOf } from './client/methods.ts';
import { operationsIn } from './client/operations.ts';
import { errorClasses } from './python/errors.ts';
import { methods } from './python/methods.ts';
import { resources } from './python/resources.ts';
import { shapesOf } from './python/shapes.ts';
import { pythonName } from './python/text.ts';
import { typesOf } from './python/types.ts';
import { unasync } from './python/unasync.ts';
import type { Json } from './schemas.ts';

const folder = 'clients/python/src/platform_api';

const notice = '# Written by `npm run generate`.\n\n';

/** Both clients have their own file, with the code that differs. */
const ownFiles = ['__init__.py', 'io.py', 'work.py'];

/**
 * @param document the OpenAPI document
 * @returns the text of each file by its path, relative to the root
 */
export function pythonFiles(document: Json): Record<string, string> {
  const openApi = document as OpenApi;
  const operations = operationsIn(openApi);
  const types = typesOf(openApi, operations);
  const shapes = shapesOf(openApi);
  const written = handWritten();
  const extended = [...new Set(operations.map(groupOf))].filter(
    (group) => group !== '' && `${pythonName(group)}.py` in written,
  );
  const generated = {
    'methods.py': notice + methods(operations, { document: openApi, types, shapes }),
    'resources.py': notice + resources(operations, extended),
  };
  const files = {
    '_generated/errors.py': notice + errorClasses(errors),
    '_generated/shapes.py': notice + shapes.file(),
    '_version.py': `${notice}version = "${manifest.version}"\n`,
    'types.py': notice + types.file(),
    ...below('_async', generated),
    ...below('_sync', synchronous({ ...written, ...generated })),
  };
  return below(folder, files);
}

const below = (path: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${path}/${name}`, text]));

const synchronous = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(files).map(([name, text]) => [
      name,
      `# Written by \`npm run generate\` from _async/${name}.\n\n${unasync(text.replace(notice, ''))}`,
    ]),
  );

/** The asynchronous modules that are not generated. */
function handWritten(): Record<string, string> {
  const path = resolve(root, folder, '_async');
  const names = readdirSync(path).filter((name) => name.endsWith('.py') && !ownFiles.includes(name));
  const texts = names.map((name): [string, string] => [name, readFileSync(resolve(path, name), 'utf8')]);
  return Object.fromEntries(texts.filter(([, text]) => !text.startsWith(notice)).sort());
}
