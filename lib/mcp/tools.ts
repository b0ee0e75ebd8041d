/** The tools of agents, from openapi.json (scripts/openapi/tools.ts). Their file is not in git: scripts/derived/ensure.ts makes it. */

import { holds, type Scope } from '../base/scopes.ts';
import generated from './generated/tools.json' with { type: 'json' };

/** A schema: the type, the choices, and the names of the fields of an object. */
type Property = {
  type?: string;
  description?: string;
  enum?: string[];
  items?: { type?: string; description?: string };
};

/** Why an argument deletes or ends something, and the value that does. Default: any value. */
type Removal = { why: string; if?: unknown };

export type Tool = {
  /** The id of the operation, with `_`. */
  name: string;
  /** The id of the operation. */
  id: string;
  description: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base URL, with the names of its parameters. */
  path: string;
  /** The arguments that go into the query. */
  query: readonly string[];
  hasBody: boolean;
  /** Whether it returns a page of items. */
  isList: boolean;
  /** A caller needs one of these scopes; none if the list is empty. */
  scopes: readonly Scope[];
  /** Whether it only reads, as every GET does. */
  isReading: boolean;
  /** What it deletes or ends, in a sentence. Undefined if it deletes and ends nothing. */
  removes: string | undefined;
  /** The arguments with which it deletes or ends something. */
  destructiveArguments: Readonly<Record<string, Removal>>;
  properties: Readonly<Record<string, Property>>;
  required: readonly string[];
};

/** As the generator writes it: without what is usual. */
type Written = Pick<Tool, 'name' | 'id' | 'description' | 'path'> & Partial<Tool>;

// JSON cannot say that a method is one of these.
export const tools: readonly Tool[] = (generated as readonly Written[]).map((written) => ({
  method: 'GET',
  query: [],
  hasBody: false,
  isList: false,
  scopes: [],
  removes: undefined,
  destructiveArguments: {},
  properties: {},
  required: [],
  isReading: (written.method ?? 'GET') === 'GET',
  ...written,
}));

const byName = new Map(tools.map((tool) => [tool.name, tool]));

/** @returns the tool; undefined if there is no such tool */
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
  // In a query, a value is a text.
  return removal && (!('if' in removal) || String(value) === String(removal.if)) ? removal.why : undefined;
}

/**
 * @returns the tools that a caller with these scopes may use. A caller that only reads gets none that writes, though the API lets
 * each key revoke itself, and cancel jobs that it reads.
 */
export const offeredTools = (held: readonly string[], allowDestructive: boolean): Tool[] =>
  tools.filter(
    ({ scopes, isReading, removes }) =>
      (allowDestructive || removes === undefined) &&
      (isReading || held.some((scope) => scope.endsWith(':write'))) &&
      (scopes.length === 0 || scopes.some((scope) => holds(held, scope))),
  );

/**
 * The tool as `tools/list` shows it. The hints are those of the specification (revision 2026-07-28, "ToolAnnotations"). A POST is
 * idempotent only with the same key, so it has no such hint.
 */
export function shownTool(tool: Tool, allowDestructive: boolean) {
  const { name, description, method, isReading, removes, destructiveArguments, required } = tool;
  const shown = argumentsOf(tool, allowDestructive);
  const properties = Object.fromEntries(shown.map((one) => [one, tool.properties[one] ?? {}]));
  const mayRemove = allowDestructive && Object.keys(destructiveArguments).length > 0;
  const destructiveHint = removes !== undefined || mayRemove;
  const writing = { destructiveHint, ...(method !== 'POST' && { idempotentHint: true }) };
  return {
    name,
    description,
    inputSchema: {
      type: 'object' as const,
      properties,
      ...(required.length > 0 && { required: [...required] }),
    },
    annotations: isReading ? { readOnlyHint: true } : writing,
  };
}
