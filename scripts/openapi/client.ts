/** The generated files of the TypeScript client: its types, methods and error classes, and its version. */

import manifest from '../../clients/typescript/package.json' with { type: 'json' };
import { errors } from '../../lib/http/errors.ts';
import type { OpenApi } from './client/document.ts';
import { errorClasses } from './client/errors.ts';
import { methods } from './client/methods.ts';
import { operationsIn } from './client/operations.ts';
import { resources } from './client/resources.ts';
import { typeFile } from './client/types.ts';
import type { Json } from './schemas.ts';

/**
 * @param document the OpenAPI document
 * @returns the text of each file by its path, relative to the root
 */
export function clientFiles(document: Json): Record<string, string> {
  const openApi = document as OpenApi;
  const operations = operationsIn(openApi);
  const files = {
    'generated/types.ts': typeFile(openApi, operations),
    'generated/methods.ts': methods(operations),
    'resources.ts': resources(operations),
    'generated/errors.ts': errorClasses(errors),
    'generated/version.ts': `export const version = '${manifest.version}';\n`,
  };
  const notice = '// Written by `npm run generate`.\n\n';
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => [`clients/typescript/src/${name}`, notice + text]),
  );
}
