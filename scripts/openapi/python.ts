/** The generated files of the Python client: its types, methods and exceptions. */

import { existsSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { resolve } from 'node:path';
import { errors } from '../../lib/http/errors.ts';
import manifest from '../../package.json' with { type: 'json' };
import { root } from '../shared/root.ts';
import type { OpenApi } from './client/document.ts';
import { groupOf } from './client/methods.ts';
import { operationsIn, pascalCase } from './client/operations.ts';
import { methods } from './python/methods.ts';
import { resources } from './python/resources.ts';
import { shapesOf } from './python/shapes.ts';
import { docstring, pythonName } from './python/text.ts';
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
    // The methods are first, because they add to the types and shapes.
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

/** `Not Found` and `not_found` as `NotFoundError`. */
const className = (text: string) => `${pascalCase(text.replace(/[ _]error$/i, ''))}Error`;

/** @param rows status and message of each code */
export function errorClasses(rows: Readonly<Record<string, { status: number; message: string }>>): string {
  const codes = Object.entries(rows).map(([code, row]) => ({ code, name: className(code), ...row }));
  const statuses = [...new Set(codes.map(({ status }) => status))].sort((a, b) => a - b);
  const statusClass = (status: number) => className(STATUS_CODES[status] ?? `${status}`);
  const ofStatuses = statuses.map(
    (status) =>
      `class ${statusClass(status)}(ApiError):\n${docstring(`${status} ${STATUS_CODES[status]}.`, '    ')}`,
  );
  // A code with the name of its status, such as not_found, has no class of its own.
  const further = codes.filter(({ name, status }) => name !== statusClass(status));
  const ofCodes = further.map(
    ({ code, name, status, message }) =>
      `class ${name}(${statusClass(status)}):\n${docstring(`${status} \`${code}\`: ${message}`, '    ')}`,
  );
  const names = [...statuses.map(statusClass), ...further.map(({ name }) => name)].sort();
  if (new Set(names).size !== names.length) throw new Error('two error classes have the same name');
  return `"""One exception per status of HTTP, and one per error code."""

from __future__ import annotations

from .._core.errors import ApiError

__all__ = [
${names.map((name) => `    "${name}",\n`).join('')}]


${[...ofStatuses, ...ofCodes].join('\n\n')}

status_classes: dict[int, type[ApiError]] = {
${statuses.map((status) => `    ${status}: ${statusClass(status)},\n`).join('')}}

error_classes: dict[str, type[ApiError]] = {
${codes.map(({ code, name }) => `    "${code}": ${name},\n`).join('')}}
`;
}
