import { argumentsOf, removalBy, type Tool } from './tools.ts';

export type Arguments = Readonly<Record<string, unknown>>;

export type ToolRequest = {
  method: string;
  /** The path below the base URL, with its query. */
  path: string;
  headers: Record<string, string>;
  body?: string;
};

/** The number of items of a page for an agent. */
export const pageSize = 20;

/** Some tools have these arguments, which are no parameters of the API. */
export const ownArguments = ['idempotencyKey', 'textOffset'] as const;
const isToolArgument = (name: string): boolean => (ownArguments as readonly string[]).includes(name);

/** An Idempotency-Key has 1 to 255 printable ASCII characters. A header has no other characters. */
const keyForm = /^[\x20-\x7e]{1,255}$/;

/**
 * @returns the key of the arguments, or the default; undefined if the tool takes no key, because its repetition has no further
 *   effect; or why the key cannot be sent
 */
export function idempotencyKeyFrom(
  { properties }: Pick<Tool, 'properties'>,
  { idempotencyKey }: Arguments,
  defaultKey: () => string,
): { key: string | undefined } | { problem: string } {
  if (!('idempotencyKey' in properties)) return { key: undefined };
  const key = idempotencyKey ?? defaultKey();
  return typeof key === 'string' && keyForm.test(key)
    ? { key }
    : { problem: 'idempotencyKey must be 1 to 255 printable ASCII characters.' };
}

/** @returns the request, or a sentence that says what is wrong with the arguments */
export function requestOf(
  tool: Tool,
  callArguments: Arguments,
  { allowDestructive, key }: { allowDestructive: boolean; key: string | undefined },
): { request: ToolRequest } | { problem: string } {
  const problem = problemWith(tool, callArguments, allowDestructive);
  if (problem !== undefined) return { problem };
  const parameters = Object.entries(callArguments).filter(([name]) => !isToolArgument(name));
  const values = new Map(parameters);
  const path = pathOf(tool, values);
  if ('problem' in path) return path;
  const search = new URLSearchParams();
  const body: [string, unknown][] = [];
  for (const [name, value] of parameters) {
    if (path.names.has(name)) continue;
    if (tool.query.includes(name)) for (const item of [value].flat()) search.append(name, textOf(item));
    else body.push([name, value]);
  }
  if (tool.isList) search.set('limit', String(pageSize));
  const query = search.size > 0 ? `?${search}` : '';
  if (path.path.length + query.length > maxPath)
    return { problem: `The arguments of the query are too long.` };
  return {
    request: {
      method: tool.method,
      path: path.path + query,
      headers: {
        Accept: 'application/json',
        ...(tool.hasBody && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      // Object.fromEntries defines `__proto__` as a property of its own.
      ...(tool.hasBody && { body: JSON.stringify(Object.fromEntries(body)) }),
    },
  };
}

/** An unknown argument would be ignored in a path, and refused in a body, so all unknown arguments are refused here. */
function problemWith(tool: Tool, callArguments: Arguments, allowDestructive: boolean): string | undefined {
  const names = Object.keys(callArguments);
  for (const [name, value] of allowDestructive ? [] : Object.entries(callArguments)) {
    const why = removalBy(tool, name, value);
    if (why !== undefined) return offSentence(`The argument ${name}`, why);
  }
  const problem = wrongNames({ ...tool, argumentNames: argumentsOf(tool, allowDestructive) }, names);
  if (problem !== undefined) return problem;
  const { textOffset = 0 } = callArguments;
  return Number.isSafeInteger(textOffset) && Number(textOffset) >= 0
    ? undefined
    : 'textOffset must be a whole number of characters.';
}

/** A refusal names at most so many unknown arguments. */
const maxNamed = 10;

/** @returns a sentence about arguments that are unknown or missing; undefined if there are none */
export function wrongNames(
  {
    name,
    argumentNames,
    required,
  }: { name: string; argumentNames: readonly string[]; required: readonly string[] },
  names: readonly string[],
): string | undefined {
  const unknown = names
    .filter((argument) => !argumentNames.includes(argument))
    .map((argument) => argument.slice(0, 50));
  const more = unknown.length > maxNamed ? ` and ${unknown.length - maxNamed} more` : '';
  if (unknown.length > 0)
    return `Unknown: ${unknown.slice(0, maxNamed).join(', ')}${more}. ${name} takes ${argumentNames.join(', ') || 'no arguments'}.`;
  const missing = required.filter((argument) => !names.includes(argument));
  return missing.length > 0 ? `Missing: ${missing.join(', ')}.` : undefined;
}

/**
 * @param what the tool or the argument that is off
 * @param why a sentence
 */
export const offSentence = (what: string, why: string): string =>
  `${what} is off. ${why} A person turns it on: platform mcp --allow-destructive, or the address /mcp?destructive=true.`;

const textOf = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

/** A dot segment would lead to the path of another operation, although its characters need no encoding (RFC 3986, section 5.2.4). */
function pathOf(
  tool: Tool,
  values: ReadonlyMap<string, unknown>,
): { path: string; names: ReadonlySet<string> } | { problem: string } {
  const names = new Set([...tool.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
  const invalidName = [...names].find((name) => !isPart(values.get(name)));
  if (invalidName !== undefined)
    return {
      problem: `${invalidName} must be a text of at most ${maxPart} characters, and neither empty nor . or ..`,
    };
  const path = tool.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values.get(name))),
  );
  return { path, names };
}

/** The longest external id has 255 characters. */
const maxPart = 1000;
/** CloudFront and API Gateway refuse longer addresses ("Amazon API Gateway quotas"). */
const maxPath = 8000;

const isPart = (value: unknown): boolean =>
  typeof value === 'number' ||
  (typeof value === 'string' && value.length <= maxPart && !/^\.{0,2}$/.test(value) && value.isWellFormed());
