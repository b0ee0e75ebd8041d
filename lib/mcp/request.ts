/** The request of a tool call. Pure. */

import { argumentsOf, removalBy, type Tool } from './tools.ts';

export type Arguments = Readonly<Record<string, unknown>>;

export type ToolRequest = {
  method: string;
  /** Below the base URL, with its query. */
  path: string;
  headers: Record<string, string>;
  /** JSON. */
  body?: string;
};

/** A page of a list, for an agent. */
export const pageSize = 20;

/** Arguments of some tools that are no parameters of the API. */
export const ownArguments = ['idempotencyKey', 'textOffset'] as const;
const isOwn = (name: string): boolean => (ownArguments as readonly string[]).includes(name);

/** "Idempotency", design of the API: 1 to 255 printable ASCII characters. A header has no others. */
const keyForm = /^[\x20-\x7e]{1,255}$/;

/**
 * @returns the key of a call of this tool: that of the arguments, or the other one. Undefined if the tool takes no key, because its
 * repetition has no further effect; or why the key cannot be sent
 */
export function idempotencyKeyFrom(
  { properties }: Pick<Tool, 'properties'>,
  { idempotencyKey }: Arguments,
  other: () => string,
): { key: string | undefined } | { problem: string } {
  if (!('idempotencyKey' in properties)) return { key: undefined };
  const key = idempotencyKey ?? other();
  return typeof key === 'string' && keyForm.test(key)
    ? { key }
    : { problem: 'idempotencyKey must be 1 to 255 printable ASCII characters.' };
}

/** @returns the request, or a sentence that says what is wrong with the arguments */
export function requestOf(
  tool: Tool,
  given: Arguments,
  { allowDestructive, key }: { allowDestructive: boolean; key: string | undefined },
): { request: ToolRequest } | { problem: string } {
  const problem = problemWith(tool, given, allowDestructive);
  if (problem !== undefined) return { problem };
  const sent = Object.entries(given).filter(([name]) => !isOwn(name));
  const values = new Map(sent);
  const path = pathOf(tool, values);
  if ('problem' in path) return path;
  const search = new URLSearchParams();
  const body: [string, unknown][] = [];
  for (const [name, value] of sent) {
    if (path.names.has(name)) continue;
    if (tool.query.includes(name)) for (const one of [value].flat()) search.append(name, textOf(one));
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

/** An argument that the tool does not have would be ignored in a path, and refused in a body. So all are refused here. */
function problemWith(tool: Tool, given: Arguments, allowDestructive: boolean): string | undefined {
  const names = Object.keys(given);
  for (const [name, value] of allowDestructive ? [] : Object.entries(given)) {
    const why = removalBy(tool, name, value);
    if (why !== undefined) return offSentence(`The argument ${name}`, why);
  }
  const problem = wrongNames({ ...tool, known: argumentsOf(tool, allowDestructive) }, names);
  if (problem !== undefined) return problem;
  const { textOffset = 0 } = given;
  return Number.isSafeInteger(textOffset) && Number(textOffset) >= 0
    ? undefined
    : 'textOffset must be a whole number of characters.';
}

/** How many unknown arguments a refusal names. */
const maxNamed = 10;

/** @returns a sentence about arguments that are unknown or missing; undefined if there are none */
export function wrongNames(
  { name, known, required }: { name: string; known: readonly string[]; required: readonly string[] },
  given: readonly string[],
): string | undefined {
  const unknown = given.filter((one) => !known.includes(one)).map((one) => one.slice(0, 50));
  const more = unknown.length > maxNamed ? ` and ${unknown.length - maxNamed} more` : '';
  if (unknown.length > 0)
    return `Unknown: ${unknown.slice(0, maxNamed).join(', ')}${more}. ${name} takes ${known.join(', ') || 'no arguments'}.`;
  const missing = required.filter((one) => !given.includes(one));
  return missing.length > 0 ? `Missing: ${missing.join(', ')}.` : undefined;
}

/**
 * @param what is off: a tool, or an argument
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
  const wrong = [...names].find((name) => !isPart(values.get(name)));
  if (wrong !== undefined)
    return {
      problem: `${wrong} must be a text of at most ${maxPart} characters, and neither empty nor . or ..`,
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
