/** The generated files of the Python client: its types, methods and exceptions. */

import { existsSync } from 'node:fs';
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
import type { Json } from './schemas.ts';

const folder = 'clients/python/src/platform_api';

const notice = '# Written by `npm run generate`.\n\n';

/**
 * @param document the OpenAPI document
 * @returns the text of each file by its path, relative to the root
 */
export function pythonFiles(document: Json): Record<string, string> {
  const openApi = document as OpenApi;
  const operations = operationsIn(openApi);
  const types = typesOf(openApi, operations);
  const shapes = shapesOf(openApi);
  const extended = [...new Set(operations.map(groupOf))].filter(isExtended);
  const files = {
    // First: it adds to the types and shapes.
    '_async/methods.py': methods(operations, { document: openApi, types, shapes }),
    '_async/resources.py': resources(operations, extended),
    '_generated/errors.py': errorClasses(errors),
    '_generated/shapes.py': shapes.file(),
    '_version.py': `version = "${manifest.version}"\n`,
    'types.py': types.file(),
  };
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => [`${folder}/${name}`, notice + text]),
  );
}

/** Whether a module by hand adds methods to the group. */
const isExtended = (group: string): boolean =>
  group !== '' && existsSync(resolve(root, folder, `_async/${pythonName(group)}.py`));
