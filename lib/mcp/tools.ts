/** The tools of agents come from openapi.json (scripts/openapi/tools.ts). scripts/openapi/derived.ts makes their file. */

import { holds, type ScopeSets } from '../base/scopes.ts';
import generated from './generated/tools.json' with { type: 'json' };

/** A schema has the type, the choices, and the names of the fields of an object. */
type Property = {
  type?: string;
  description?: string;
  enum?: string[];
  items?: { type?: string; description?: string };
};

/** The reason why an argument deletes or ends something, and the value that does; by default, any value. */
type Removal = { why: string; if?: unknown };

export type Tool = {
  /** The id of the operation, with `_`. */
  name: string;
  id: string;
  description: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below the base URL, with the names of its parameters. */
  path: string;
  /** The arguments that go into the query. */
  query: readonly string[];
  hasBody: boolean;
  isList: boolean;
  /** A caller needs one of these sets; none if the list is empty. */
  scopes: ScopeSets;
  /** A reading tool changes nothing, as every GET. */
  isReading: boolean;
  /** A sentence that says what the tool deletes or ends; undefined if it deletes and ends nothing. */
  removes: string | undefined;
  /** With these arguments, the tool deletes or ends something. */
  destructiveArguments: Readonly<Record<string, Removal>>;
  properties: Readonly<Record<string, Property>>;
  required: readonly string[];
};

/** The generator leaves usual values out. */
type GeneratedTool = Pick<Tool, 'name' | 'id' | 'description' | 'path'> & Partial<Tool>;

// The cast is needed because JSON has no type for a method.
export const tools: readonly Tool[] = (generated as readonly GeneratedTool[]).map((tool) => ({
  method: 'GET',
  query: [],
  hasBody: false,
  isList: false,
  scopes: [],
  removes: undefined,
  destructiveArguments: {},
  properties: {},
  required: [],
  isReading: (tool.method ?? 'GET') === 'GET',
  ...tool,
}));

const byName = new Map(tools.map((tool) => [tool.name, tool]));

export const toolNamed = (name: string): Tool | undefined => byName.get(name);

/** @returns the arguments that a caller may send */
export const argumentsOf = (tool: Tool, allowDestructive: boolean): string[] =>
  Object.keys(tool.properties).filter((name) => {
    const removal = allowDestructive ? undefined : tool.destructiveArguments[name];
    return removal === undefined || 'if' in removal;
  });

/** @returns why this argument deletes or ends something; undefined if it does not */
export function removalBy({ destructiveArguments }: Tool, name: string, value: unknown): string | undefined {
  const removal = Object.hasOwn(destructiveArguments, name) ? destructiveArguments[name] : undefined;
  // A value in a query is a text.
  return removal && (!('if' in removal) || String(value) === String(removal.if)) ? removal.why : undefined;
}

/**
 * @returns the tools that a caller with these scopes may use. A caller that only reads gets no tool that writes, although the
 *   API lets each key revoke itself, and cancel jobs that it reads.
 */
export const offeredTools = (callerScopes: readonly string[], allowDestructive: boolean): Tool[] =>
  tools.filter(
    ({ scopes, isReading, removes }) =>
      (allowDestructive || removes === undefined) &&
      (isReading || callerScopes.some((scope) => scope.endsWith(':write'))) &&
      (scopes.length === 0 || holds(callerScopes, scopes)),
  );

/**
 * The tool as `tools/list` shows it. The hints are those of the specification (revision 2026-07-28, "ToolAnnotations"). A POST is
 * idempotent only with the same key, so it has no such hint.
 */
export function shownTool(tool: Tool, allowDestructive: boolean) {
  const { name, description, method, isReading, removes, destructiveArguments, required } = tool;
  const names = argumentsOf(tool, allowDestructive);
  const properties = Object.fromEntries(names.map((argument) => [argument, tool.properties[argument] ?? {}]));
  const mayRemove = allowDestructive && Object.keys(destructiveArguments).length > 0;
  const destructiveHint = removes !== undefined || mayRemove;
  const writeHints = { destructiveHint, ...(method !== 'POST' && { idempotentHint: true }) };
  return {
    name,
    description,
    inputSchema: {
      type: 'object' as const,
      properties,
      ...(required.length > 0 && { required: [...required] }),
    },
    annotations: isReading ? { readOnlyHint: true } : writeHints,
  };
}
