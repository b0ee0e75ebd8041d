/** One error class per code. */

import { pascalCase } from './operations.ts';
import { comment } from './types.ts';

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
