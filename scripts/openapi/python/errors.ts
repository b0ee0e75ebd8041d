/** One exception class per status, and one per code. */

import { STATUS_CODES } from 'node:http';
import { pascalCase } from '../client/operations.ts';
import { docstring } from './text.ts';

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
