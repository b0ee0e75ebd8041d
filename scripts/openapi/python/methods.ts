/** One class per resource, with one method per operation. */

import type { Field, OpenApi, Schema } from '../client/document.ts';
import { resolveRef } from '../client/document.ts';
import { groupOf, isBound } from '../client/methods.ts';
import { isInPath, type Operation, pascalCase } from '../client/operations.ts';
import { jobType } from './jobs.ts';
import type { Shapes } from './shapes.ts';
import { docstring, literal, pythonName } from './text.ts';
import type { Types } from './types.ts';

const projectPath = '/projects/{project_id}';

export const className = (group: string) => `Async${pascalCase(group || 'service')}Methods`;

const callOptions = [
  'timeout',
  'deadline',
  'max_retries',
  'headers',
  'idempotency_key',
  'if_match',
  'if_none_match',
];

type Context = { document: OpenApi; types: Types; shapes: Shapes };

export function methods(operations: readonly Operation[], context: Context): string {
  const groups = [...Map.groupBy(operations, groupOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  const classes = groups.map(([group, members]) => {
    const raw = className(group).replace(/Methods$/, 'Raw');
    return `class ${className(group)}(AsyncResource):
    __slots__ = ()

    @property
    def with_raw_response(self) -> ${raw}:
        """The same methods, but they return the response: status, headers and data."""
        return ${raw}(self)

${members.map((one) => method(one, context)).join('\n')}

class ${raw}:
    def __init__(self, methods: ${className(group)}) -> None:
${members.map(rawMethod).join('')}`;
  });
  return `"""One class per resource, with one method per operation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from .._core.options import NOT_GIVEN
from .._core.request import path_of, to_wire
from .._generated import shapes
from .pages import AsyncPages
from .resource import AsyncResource, raw, raw_page

if TYPE_CHECKING:
    from datetime import datetime
    from typing import Literal, Sequence

    from typing_extensions import Unpack

    from .. import types as t
    from .._core.options import IfMatchOptions, PostIfMatchOptions, PostOptions, RequestOptions


${classes.join('\n\n')}`;
}

const methodName = ({ id }: Operation) => pythonName(id.split('.').at(-1) ?? '');

const rawMethod = (operation: Operation): string => {
  const name = methodName(operation);
  return `        self.${name} = ${operation.isList ? 'raw_page' : 'raw'}(methods.${name})\n`;
};

type Argument = {
  name: string;
  wireName: string;
  type: string;
  required: boolean;
  doc: string;
  schema: Schema;
};

function method(operation: Operation, context: Context): string {
  const { id, isList, takes } = operation;
  const ids = operation.pathParameters.filter(({ name }) => !(isBound(operation) && name === 'project_id'));
  const query = operation.query
    .filter(({ deprecated }) => !deprecated)
    .map((field) => argument(field, id, context));
  const body = bodyFields(operation, context).map((field) => argument(field, id, context));
  const named = [...query, ...body].sort((a, b) => Number(b.required) - Number(a.required));
  const all = [...ids.map(({ name }) => pythonName(name)), ...named.map(({ name }) => name), ...callOptions];
  if (new Set(all).size !== all.length) throw new Error(`two arguments of ${id} have the same name`);

  const positional = [
    'self',
    ...ids.map(({ name, schema }) => `${pythonName(name)}: ${schema.type === 'integer' ? 'int' : 'str'}`),
  ];
  const keywords = named.map(
    ({ name, type, required }) => `${name}: ${type}${required ? '' : ' = NOT_GIVEN'}`,
  );
  const doc = docstring(
    documentation(operation, [
      ...ids.map((one) => ({ name: pythonName(one.name), doc: one.description ?? '' })),
      ...named,
    ]),
    '        ',
  );
  const name = methodName(operation);
  const path = pathOf(operation);
  const queryText = query.length > 0 ? dictionary(query, context) : '';

  if (isList) {
    const type = `AsyncPages[${itemType(operation, context)}]`;
    return `${signature(`def ${name}`, positional, keywords, 'RequestOptions', type)}${doc}        return self._pages(${path}, options, ${queryText || '{}'})\n`;
  }
  const result = dataType(operation, context);
  const call = (options: string) => {
    const takesText = [
      ...(takes.idempotencyKey ? ['idempotency_key'] : []),
      ...(takes.ifMatch ? ['if_match'] : []),
      ...(takes.ifNoneMatch ? ['if_none_match'] : []),
    ].join(' ');
    const content = [
      ...(queryText ? [`query=${queryText}`] : []),
      ...(operation.body ? [`body=${dictionary(body, context)}`] : []),
      ...(takesText ? [`takes="${takesText}"`] : []),
    ];
    return `        return await self._call(${[`"${operation.method}"`, path, options, ...content].join(', ')})\n`;
  };
  if (takes.ifNoneMatch) {
    const one = (further: string[], type: string) =>
      `    @overload\n${signature(`async def ${name}`, positional, [...further, ...keywords], 'RequestOptions', type, ' ...')}`;
    const withTag = 'if_none_match: str | None';
    return `${one([], result)}
${one([withTag], `${result} | None`)}
${signature(`async def ${name}`, positional, [`${withTag} = NOT_GIVEN`, ...keywords], 'RequestOptions', 'Any')}${doc}${call('{**options, "if_none_match": if_none_match}')}`;
  }
  const { idempotencyKey, ifMatch } = takes;
  const options = `${idempotencyKey ? 'Post' : ''}${ifMatch ? 'IfMatch' : ''}` || 'Request';
  return `${signature(`async def ${name}`, positional, keywords, `${options}Options`, result)}${doc}${call('options')}`;
}

function signature(
  head: string,
  positional: string[],
  keywords: string[],
  options: string,
  result: string,
  end = '',
): string {
  const parts = [
    ...positional,
    ...(keywords.length > 0 ? ['*', ...keywords] : []),
    `**options: Unpack[${options}]`,
  ];
  const line = `    ${head}(${parts.join(', ')}) -> ${result}:${end}\n`;
  if (line.length <= 120) return line;
  return `    ${head}(\n${parts
    .map((part) => `        ${part},\n`)
    .join('')
    .replace(/,\n$/, '\n')}    ) -> ${result}:${end}\n`;
}

function argument(field: Field, operationId: string, { types }: Context): Argument {
  const { schema, required, description = '' } = field;
  const isFlag = schema.enum?.every((value) => value === 'true' || value === 'false');
  const name = pythonName(field.name);
  const type = isFlag
    ? 'bool'
    : qualified(types.typeOf(schema, 'sent', pascalCase(`${operationId}.${field.name}`)));
  return { name, wireName: field.name, type, required, doc: description, schema };
}

/** The fields of the body. If there are alternatives, the fields of all alternatives. */
function bodyFields(operation: Operation, { document }: Context): Field[] {
  if (!operation.body) return [];
  const alternatives = alternativesOf(document, operation.body.schema);
  const names = new Set(alternatives.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...names]
    .filter((name) => !isInPath(operation, name))
    .map((name) => {
      const found = alternatives.flatMap(({ properties = {} }) => properties[name] ?? []);
      const [first = {}] = found;
      const different = [
        ...new Map(found.map((one) => [JSON.stringify({ ...one, description: '' }), one])).values(),
      ];
      return {
        name,
        description: first.description ?? '',
        required: alternatives.every(({ required = [] }) => required.includes(name)),
        schema: different.length > 1 ? { anyOf: different } : first,
      };
    });
}

function alternativesOf(document: OpenApi, schema: Schema): Schema[] {
  const plain = resolveRef(document, schema);
  return (plain.anyOf ?? plain.oneOf)?.flatMap((one) => alternativesOf(document, one)) ?? [plain];
}

function dictionary(fields: readonly Argument[], { shapes }: Context): string {
  const entries = fields.map(({ name, wireName, schema }) => {
    const shape = shapes.shapeOf(schema);
    const value = shape ? `to_wire(${name}, ${shape.replace(/(\*\*|^|, )(?=[A-Z])/g, '$1shapes.')})` : name;
    return `"${wireName}": ${value}`;
  });
  return `{${entries.join(', ')}}`;
}

function pathOf(operation: Operation): string {
  const path = isBound(operation) ? operation.path.slice(projectPath.length) : operation.path;
  const parts = path.split(/\{(\w+)\}/).map((part, at) => (at % 2 === 0 ? literal(part) : pythonName(part)));
  return parts.length === 1
    ? (parts[0] ?? '')
    : `path_of(${parts.filter((part) => part !== '""').join(', ')})`;
}

function itemType({ data, id }: Operation, { document, types }: Context): string {
  const found = data.schemas.map((schema) => resolveRef(document, schema).properties?.items?.items ?? {});
  return qualified(
    [...new Set(found.map((one) => types.typeOf(one, 'received', pascalCase(`${id}.item`))))].join(' | '),
  );
}

function dataType({ data, id }: Operation, { types }: Context): string {
  const found = data.schemas.map((schema) => types.typeOf(schema, 'received', pascalCase(`${id}.data`)));
  return qualified([...new Set(found)].map((name) => (name === 'Job' ? jobType(id) : name)).join(' | '));
}

const builtIn = new Set(['Literal', 'Mapping', 'Sequence', 'Any', 'None']);

/** The names of our types with their module. */
const qualified = (type: string): string =>
  type.replace(/"[^"]*"|\b[A-Z]\w*/g, (word) =>
    word.startsWith('"') || builtIn.has(word) ? word : `t.${word}`,
  );

function documentation(
  { summary, description }: Operation,
  fields: readonly { name: string; doc: string }[],
): string {
  const lines = fields
    .filter(({ doc }) => doc !== '')
    .map(({ name, doc }) => `:param ${name}: ${doc.replaceAll('\n', ' ')}`);
  return [`${summary}.`, description, lines.join('\n')].filter((text) => text !== '').join('\n\n');
}
