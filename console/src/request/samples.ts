/** A recorded request as code, for curl, the command line and both clients. The address and the key are in environment variables. */

import { type Field, type Operation, operations } from '../../../cli/src/derived/operation.ts';
import { pythonName } from '../../../scripts/openapi/python/text.ts';
import { matchPath } from '../router-path.ts';
import type { SentRequest } from './record.ts';

type Call = Pick<SentRequest, 'method' | 'path' | 'query' | 'body'>;

/** @returns a text in single quotes for a POSIX shell */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const target = ({ path, query }: Call): string => {
  const text = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString();
  return path + (text && `?${text}`);
};

function curl(call: Call): string {
  const { method, body } = call;
  const defaultMethod = body === undefined ? 'GET' : 'POST';
  return [
    `curl -sS --fail-with-body${method === defaultMethod ? '' : ` -X ${method}`} "$PLATFORM_BASE_URL"${shellQuoted(target(call))}`,
    '-H "Authorization: Bearer $PLATFORM_API_KEY"',
    ...(method === 'POST' ? ['-H "Idempotency-Key: $(date +%s)-$RANDOM"'] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `--data-raw ${shellQuoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ');
}

/** Every request has this command. Many requests also have a shorter command, with options of its own. */
const commandLine = (call: Call): string =>
  [
    `platform api ${call.method} ${shellQuoted(target(call))}`,
    ...(call.body === undefined ? [] : [`--data ${shellQuoted(JSON.stringify(call.body))}`]),
  ].join(' \\\n  ');

type Match = { operation: Operation; ids: readonly string[]; isBound: boolean };

/** @returns the operation of a request: a literal segment has priority over a parameter */
function operationOf({ method, path }: Call): Match | undefined {
  const matches = operations.flatMap((operation) => {
    const pattern = operation.path.replace(/\{(\w+)\}/g, ':$1');
    const params = operation.method === method ? matchPath(pattern, path) : undefined;
    return params ? [{ operation, ids: Object.values(params) }] : [];
  });
  const [best] = matches.sort((a, b) => a.ids.length - b.ids.length);
  if (!best) return undefined;
  const { id, path: pattern } = best.operation;
  return { ...best, isBound: pattern.startsWith('/projects/{project_id}/') && !id.startsWith('projects.') };
}

/** @returns the value of a parameter with its type */
function typedValue(fields: readonly Field[], name: string, text: string): unknown {
  const { kind } = fields.find((field) => field.name === name) ?? { kind: 'text' };
  if (kind === 'number') return Number(text);
  return kind === 'boolean' ? text === 'true' : text;
}

/** A parameter that is sent several times is a list. */
const queryOf = ({ operation }: Match, { query }: Call): [string, unknown][] =>
  [...Map.groupBy(query, ([name]) => name)].map(([name, pairs]) => {
    const values = pairs.map(([, text]) => typedValue(operation.query, name, text));
    const isList = operation.query.find((field) => field.name === name)?.kind === 'list';
    return [name, isList ? values : values[0]];
  });

const words = (id: string, change: (word: string) => string): string => id.split('.').map(change).join('.');
const camelCase = (word: string) => word.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
function typescript(call: Call): string {
  const start = "import { Platform } from 'platform-api-client';\n\nconst platform = new Platform();\n";
  const match = operationOf(call);
  if (!match) {
    const body = call.body === undefined ? '' : `, { body: ${JSON.stringify(call.body, null, 2)} }`;
    return `${start}console.log(await platform.request('${call.method}', ${JSON.stringify(target(call))}${body}));\n`;
  }
  const [project, ...idsBelowProject] = match.ids;
  const ids = match.isBound ? idsBelowProject : match.ids;
  const query = Object.fromEntries(queryOf(match, call));
  const inputs = [
    ...ids.map((id) => JSON.stringify(/^\d+$/.test(id) ? Number(id) : id)),
    ...(call.body === undefined ? [] : [JSON.stringify(call.body, null, 2)]),
    ...(Object.keys(query).length === 0 ? [] : [JSON.stringify(query)]),
  ];
  const base = match.isBound ? `platform.projects(${JSON.stringify(project)})` : 'platform';
  const expression = `${base}.${words(match.operation.id, camelCase)}(${inputs.join(', ')})`;
  return match.operation.isList
    ? `${start}for await (const item of ${expression}) console.log(item);\n`
    : `${start}console.log(await ${expression});\n`;
}

function python(call: Call): string {
  const start = 'from platform_api import Platform\n\nplatform = Platform()\n';
  const match = operationOf(call);
  if (!match) {
    const body = call.body === undefined ? '' : `, body=${pythonText(call.body)}`;
    return `${start}print(platform.request("${call.method}", ${JSON.stringify(target(call))}${body}))\n`;
  }
  const [project, ...idsBelowProject] = match.ids;
  const ids = match.isBound ? idsBelowProject : match.ids;
  const body = Object.entries((call.body ?? {}) as Record<string, unknown>);
  const inputs = [
    ...ids.map((id) => (/^\d+$/.test(id) ? id : JSON.stringify(id))),
    ...[...body, ...queryOf(match, call)].map(([name, value]) => `${pythonName(name)}=${pythonText(value)}`),
  ];
  const base = match.isBound ? `platform.projects(${JSON.stringify(project)})` : 'platform';
  const expression = `${base}.${words(match.operation.id, pythonName)}(${inputs.join(', ')})`;
  return match.operation.isList
    ? `${start}for item in ${expression}:\n    print(item)\n`
    : `${start}print(${expression})\n`;
}

/** @returns a JSON value as Python */
function pythonText(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(pythonText).join(', ')}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${pythonText(member)}`,
  );
  return `{${members.join(', ')}}`;
}

const writers = { curl, 'Command line': commandLine, TypeScript: typescript, Python: python } as const;

export type Language = keyof typeof writers;

export const languages = Object.keys(writers) as Language[];

/** @returns code that sends a request */
export const sampleOf = (request: Call, language: Language): string => writers[language](request);
