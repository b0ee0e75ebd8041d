/** The generated files of the TypeScript client: its types, methods and error classes, and its version. */

import manifest from '../../clients/typescript/package.json' with { type: 'json' };
import { errors } from '../../lib/http/errors.ts';
import type { OpenApi } from './client/document.ts';
import { methods } from './client/methods.ts';
import { operationsIn, pascalCase } from './client/operations.ts';
import { resources } from './client/resources.ts';
import { comment, typeFile } from './client/types.ts';
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

/** `not_found` as `NotFoundError`, `internal_error` as `InternalError`. */
const className = (code: string) => `${pascalCase(code.replace(/_error$/, ''))}Error`;

/** @param rows status and message of each code */
export function errorClasses(rows: Readonly<Record<string, { status: number; message: string }>>): string {
  const classes = Object.entries(rows).map(
    ([code, { status, message }]) =>
      `${comment(`${status} \`${code}\`: ${message}`)}export class ${className(code)} extends ApiError<'${code}'> {}
`,
  );
  const entries = Object.keys(rows).map((code) => `  ${code}: ${className(code)},\n`);
  return `import { ApiError, named } from '../core/errors.ts';

/** Every error code that this version of the client knows. */
export type ErrorCode = keyof typeof errorClasses;

${classes.join('\n')}
export const errorClasses = {
${entries.join('')}};

// As above: a minifier renames classes.
for (const [code, type] of Object.entries(errorClasses))
  named(type, \`\${code.replace(/_error$|(?:^|_)(.)/g, (_, first = '') => first.toUpperCase())}Error\`);
`;
}
