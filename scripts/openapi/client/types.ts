/**
 * JSON Schema as TypeScript. Our own, because the usual generators need TypeScript's compiler API, which the version of this
 * project no longer has, and because every query, body and resource gets a name of its own.
 */

import { type Field, isRef, nameIn, type OpenApi, type Schema } from './document.ts';
import { type Operation, pascalCase } from './operations.ts';

/** Requests of callers may have a Date where JSON has a string. */
type Direction = 'sent' | 'received';

export function typeFile(document: OpenApi, operations: readonly Operation[]): string {
  const sent = reachable(
    document,
    operations.flatMap(({ body, query }) => [
      ...(body ? [body.schema] : []),
      ...query.map((one) => one.schema),
    ]),
  );
  const received = reachable(
    document,
    operations.flatMap(({ data }) => data.schemas),
  );
  const named = [...new Set([...sent, ...received])].sort().map((name) => {
    const schema = document.components.schemas[name] ?? {};
    const direction = received.has(name) ? 'received' : 'sent';
    return declaration(name, schema.description ?? '', typeOf(schema, direction));
  });
  const own = operations.flatMap(({ id, body, data, query, summary }) => [
    ...(query.length > 0
      ? [declaration(pascalCase(`${id}.query`), `The query of: ${summary}.`, typeOf(objectOf(query), 'sent'))]
      : []),
    ...(body && !isRef(body.schema)
      ? [declaration(body.type, `The body of: ${summary}.`, typeOf(body.schema, 'sent'))]
      : []),
    ...data.schemas
      .filter((schema) => !isRef(schema))
      .map((schema) =>
        declaration(pascalCase(`${id}.data`), `The data of: ${summary}.`, typeOf(schema, 'received')),
      ),
  ]);
  return [...named, ...own].join('\n');
}

/** A parameter that may be repeated also takes one value without a list. */
const orOne = (schema: Schema): Schema =>
  schema.type === 'array' && schema.items
    ? { anyOf: [schema.items, { type: 'array', items: schema.items }] }
    : schema;

const objectOf = (fields: readonly Field[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    fields.map(({ name, schema, description, deprecated }) => [
      name,
      { ...orOne(schema), ...(description && { description }), ...(deprecated && { deprecated }) },
    ]),
  ),
  required: fields.filter(({ required }) => required).map(({ name }) => name),
});

const declaration = (name: string, description: string, type: string) =>
  `${comment(description)}export type ${name} = ${type};\n`;

/** @returns the names of the components that these schemas contain */
export function reachable(document: OpenApi, schemas: readonly Schema[]): Set<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isRef(value) && !names.has(nameIn(value))) {
      names.add(nameIn(value));
      visit(document.components.schemas[nameIn(value)]);
    }
    for (const member of Object.values(value)) visit(member);
  };
  visit(schemas);
  return names;
}

export function typeOf(schema: Schema, direction: Direction, indent = ''): string {
  if (isRef(schema)) return nameIn(schema);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  const known = schema['x-extensible-enum'];
  // Editors offer the known values, and the compiler accepts other values.
  if (known) return [...known.map(literal), '(string & {})'].join(' | ');
  const inner = (one: Schema) => typeOf(one, direction, indent);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return [...new Set(alternatives.map(inner))].join(' | ');
  if (schema.allOf) return schema.allOf.map((one) => `(${inner(one)})`).join(' & ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => inner({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case 'string':
      return direction === 'sent' && schema.format === 'date-time' ? 'string | Date' : 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array': {
      const item = inner(schema.items ?? {});
      return /[ |&]/.test(item) ? `Array<${item}>` : `${item}[]`;
    }
    case 'object':
      return objectType(schema, direction, indent);
    default:
      return 'unknown';
  }
}

function objectType(schema: Schema, direction: Direction, indent: string): string {
  const { properties = {}, required = [], additionalProperties: further } = schema;
  const fields = Object.entries(properties);
  if (fields.length === 0)
    return `Record<string, ${typeof further === 'object' ? typeOf(further, direction, indent) : 'unknown'}>`;
  const inside = `${indent}  `;
  const lines = fields.map(([name, field]) => {
    const optional = required.includes(name) ? '' : '?';
    const type = `${typeOf(field, direction, inside)}${optional && ' | undefined'}`;
    const text = [
      field.description ?? '',
      ...(field.default !== undefined && optional ? [`Default: \`${literal(field.default)}\`.`] : []),
      ...(field.deprecated ? ['@deprecated'] : []),
    ].filter((line) => line && !(line.startsWith('Default') && /default:/i.test(field.description ?? '')));
    return `${comment(text.join('\n'), inside)}${inside}${propertyName(name)}${optional}: ${type};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

const propertyName = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : literal(name));

const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : JSON.stringify(value);

/** A JSDoc comment of Markdown; nothing without text. */
export function comment(text: string, indent = ''): string {
  const lines = text.trim().replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return lines[0] === '' ? '' : `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}
