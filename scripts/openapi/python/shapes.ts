/** Which names of nested request fields differ between Python and the wire. */

import { isRef, nameIn, type OpenApi, resolveRef, type Schema } from '../client/document.ts';
import { pythonName } from './text.ts';

export type Shapes = {
  /** An expression of the shape of a field's value; undefined if nothing in it has another name. */
  shapeOf(schema: Schema): string | undefined;
  /** The module. It is complete when every shape was asked for. */
  file(): string;
};

/** What contains itself gets its content when it has its name. */
const constant = (name: string, text: string, isRecursive: boolean): string =>
  isRecursive
    ? `${name}: dict[str, str | tuple[str, Shape]] = {}\n${name}.update(${text})\n`
    : `${name}: Shape = ${text}\n`;

export function shapesOf(document: OpenApi): Shapes {
  /** The constants, in the order of their use. */
  const constants = new Map<string, string>();
  const open = new Set<string>();
  /** Those that contain themselves. */
  const recursive = new Set<string>();

  function shapeOf(schema: Schema): string | undefined {
    if (!isRef(schema)) return inline(schema);
    const name = nameIn(schema);
    if (open.has(name)) {
      recursive.add(name);
      return name;
    }
    open.add(name);
    const text = inline(resolveRef(document, schema));
    open.delete(name);
    if (!text?.startsWith('{')) return text;
    constants.set(name, text);
    return name;
  }

  function inline(schema: Schema): string | undefined {
    if (schema.items) return shapeOf(schema.items);
    const { additionalProperties: values } = schema;
    const ofValues = !schema.properties && typeof values === 'object' ? shapeOf(values) : undefined;
    // The names of a map are the caller's.
    if (ofValues) return `{"*": ("*", ${ofValues})}`;
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (alternatives) {
      const shapes = [...new Set(alternatives.flatMap((one) => shapeOf(one) ?? []))];
      return shapes.length > 1 ? `{${shapes.map((one) => `**${one}`).join(', ')}}` : shapes[0];
    }
    const entries = Object.entries(schema.properties ?? {}).flatMap(([wireName, field]) => {
      const name = pythonName(wireName);
      const inner = shapeOf(field);
      // Without a shape, the name of the wire stays by itself.
      if (inner) return [...new Set([name, wireName])].map((one) => `"${one}": ("${wireName}", ${inner})`);
      return name === wireName ? [] : [`"${name}": "${wireName}"`];
    });
    return entries.length > 0 ? `{${entries.join(', ')}}` : undefined;
  }

  return {
    shapeOf,
    file: () => `"""The names of the wire of nested request fields, by those of Python."""

from __future__ import annotations

from .._core.request import Shape

${[...constants].map(([name, text]) => constant(name, text, recursive.has(name))).join('')}`,
  };
}
