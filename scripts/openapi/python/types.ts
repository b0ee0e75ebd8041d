/**
 * JSON Schema as Python types. An object of a response becomes a class for type checkers, with an attribute for each field. An
 * object of a request becomes a TypedDict with the same names.
 */

import { isRef, nameIn, type OpenApi, type Schema } from '../client/document.ts';
import { type Operation, pascalCase } from '../client/operations.ts';
import { reachable } from '../client/types.ts';
import { jobTypes } from './jobs.ts';
import { docstring, literal, pythonName } from './text.ts';

export type Direction = 'sent' | 'received';

/** Values of a longer enumeration get a name. */
const mostInline = 6;

/** Longer descriptions are left to the reference. */
const longestDoc = 160;

export type Types = {
  /** @param owner an unnamed type is named after it */
  typeOf(schema: Schema, direction: Direction, owner: string): string;
  /** The module. It is complete when every type was asked for. */
  file(): string;
};

/** @param prefix precedes a name in the modules that import these types */
export function typesOf(document: OpenApi, operations: readonly Operation[]): Types {
  const { schemas } = document.components;
  const received = reachable(
    document,
    operations.flatMap(({ data }) => data.schemas),
  );
  const declarations = new Map<string, string>();
  const enumerations = new Map<string, string>();

  const declare = (name: string, text: () => string): string => {
    if (!declarations.has(name)) {
      // It may contain itself.
      declarations.set(name, '');
      declarations.set(name, text());
    }
    return name;
  };

  const alias = (name: string, type: string, description = '') =>
    `${name}: TypeAlias = ${type.startsWith('Literal[') && !type.includes(' | ') ? type : `"${type.replaceAll('"', "'")}"`}\n${docstring(description, '')}`;

  function named(name: string, direction: Direction): string {
    const schema = schemas[name] ?? {};
    const isShared = direction === 'sent' && received.has(name) && hasObject(schema);
    const own = isShared ? `${name}Param` : name;
    return declare(own, () =>
      isClass(schema)
        ? classOf(own, schema, direction)
        : alias(own, typeOf({ ...schema, description: '' }, direction, own, true), schema.description),
    );
  }

  const hasObject = (schema: Schema): boolean =>
    schema.type === 'object' ||
    [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])].some((one) =>
      hasObject(isRef(one) ? (schemas[nameIn(one)] ?? {}) : one),
    );

  function classOf(name: string, schema: Schema, direction: Direction): string {
    const { properties = {}, required = [], description = '' } = schema;
    const fields = Object.entries(properties).map(([wireName, field]) => {
      const type = typeOf(field, direction, name + pascalCase(wireName));
      const isOptional = direction === 'sent' && !required.includes(wireName);
      const doc = field.description ?? '';
      return `    ${pythonName(wireName)}: ${isOptional ? `NotRequired[${type}]` : type}\n${doc.length > longestDoc ? '' : docstring(doc, '    ')}`;
    });
    const base = direction === 'sent' ? 'TypedDict' : 'Object';
    // `help` shows the docstring of a class, and shortens its annotations.
    const names = Object.keys(properties).map(
      (wireName) =>
        pythonName(wireName) + (direction === 'sent' && !required.includes(wireName) ? ' (optional)' : ''),
    );
    const doc = docstring([description, `Fields: ${names.join(', ')}.`].join('\n\n'), '    ');
    return `class ${name}(${base}):\n${doc}\n${fields.join('')}`;
  }

  function enumeration(values: readonly unknown[], owner: string, isNamed: boolean): string {
    const type = `Literal[${values.map(literal).join(', ')}]`;
    if (values.length <= mostInline || isNamed) return type;
    const known = enumerations.get(type);
    if (known) return known;
    enumerations.set(type, owner);
    return declare(owner, () => alias(owner, type));
  }

  function typeOf(schema: Schema, direction: Direction, owner: string, isNamed = false): string {
    const inner = (one: Schema) => typeOf(one, direction, owner);
    if (isRef(schema)) return named(nameIn(schema), direction);
    if (schema.const !== undefined)
      return schema.const === null ? 'None' : `Literal[${literal(schema.const)}]`;
    if (schema.enum) return enumeration(schema.enum, owner, isNamed);
    const known = schema['x-extensible-enum'];
    if (known) return `${enumeration(known, owner, isNamed)} | str`;
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (alternatives) return union(alternatives.map(inner));
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => inner({ ...schema, type })));
    switch (schema.type) {
      case 'string':
        return direction === 'sent' && schema.format === 'date-time' ? 'str | datetime' : 'str';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'array':
        return `${direction === 'sent' ? 'Sequence' : 'list'}[${inner(schema.items ?? {})}]`;
      case 'object': {
        if (isClass(schema)) return declare(owner, () => classOf(owner, schema, direction));
        const { additionalProperties: values } = schema;
        const value = typeof values === 'object' ? inner(values) : 'Any';
        return direction === 'sent' ? `Mapping[str, ${value}]` : `Map[${value}]`;
      }
      default:
        return 'Any';
    }
  }

  return {
    typeOf,
    file() {
      const texts = [...declarations].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
      return `"""The types of requests and responses. They exist for type checkers: at run time, every response is an Object."""

# An attribute of a response is not set, so that a narrower class can say more about it.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, TypedDict

from ._core.object import Object

if TYPE_CHECKING:
    from datetime import datetime
    from typing import Mapping, Sequence

    from typing_extensions import NotRequired, TypeAlias

Value = TypeVar("Value")
Result = TypeVar("Result")


class Map(Object, Generic[Value]):
    """Values by name. The names are free: they are the same in Python and on the wire."""

    if TYPE_CHECKING:

        def __getitem__(self, wire_name: str) -> Value: ...
        def to_dict(self) -> dict[str, Value]: ...


${texts.join('\n\n')}

${jobTypes(schemas)}`;
    },
  };
}

const isClass = (schema: Schema): boolean =>
  schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0;

const union = (types: readonly string[]): string =>
  [...new Set(types.flatMap((type) => splitUnion(type)))]
    .sort((a, b) => Number(a === 'None') - Number(b === 'None'))
    .join(' | ');

/** Only outside of brackets. */
function splitUnion(type: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const piece of type.split(/(\[|\]| \| )/)) {
    if (piece === '[') depth += 1;
    if (piece === ']') depth -= 1;
    if (piece === ' | ' && depth === 0) parts.push('');
    else parts.push((parts.pop() ?? '') + piece);
  }
  return parts;
}
