/** A code sample in Python, with the client in clients/python/. */

import { pythonName } from '../python/text.ts';
import { type Part, type SampleRequest, variableOf } from './request.ts';

export function python(request: SampleRequest): string {
  if (request.isRaw) return withoutClient(request);
  const setUp = [
    ...(request.variables.length > 0 ? ['import os', ''] : []),
    'from platform_api import Platform',
    '',
    '# Reads PLATFORM_API_KEY and PLATFORM_BASE_URL.',
    'platform = Platform()',
    '',
  ];
  const use = request.isList
    ? [`for item in ${callOf(request)}:`, '    print(item)']
    : [`result = ${callOf(request)}`, 'print(result)'];
  return `${[...setUp, ...use].join('\n')}\n`;
}

/** `platform.projects(os.environ["PROJECT_ID"]).avatars.get(os.environ["AVATAR_ID"])` for `avatars.get`. */
function callOf({ id, project, ids, query, body = {} }: SampleRequest): string {
  const own = ids.map(({ part, isNumber }) => (isNumber && 'text' in part ? part.text : expression(part)));
  const named = [
    ...Object.entries(query).map(([name, text]) => [name, queryValue(text)] as const),
    ...Object.entries(body),
  ].map(([name, value]) => `${pythonName(name)}=${literal(value, '    ', name === 'metadata')}`);
  const start = project ? `platform.projects(${expression(project)})` : 'platform';
  const head = `${start}.${id.split('.').map(pythonName).join('.')}`;
  const inputs = [...own, ...named];
  const line = `${head}(${inputs.join(', ')})`;
  if (line.length < 100 && !line.includes('\n')) return line;
  return `${head}(\n${inputs.map((input) => `    ${input},\n`).join('')})`;
}

/** Numbers and flags of a query are numbers and flags in Python. */
function queryValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d+$/.test(text) ? Number(text) : text;
}

const withoutClient = ({ path }: SampleRequest): string => {
  const address = path.map((part) =>
    'text' in part ? `/${part.text}` : `/{os.environ['${part.variable}']}`,
  );
  return `import os
import urllib.request

with urllib.request.urlopen(f"{os.environ['PLATFORM_BASE_URL']}${address.join('')}") as response:
    print(response.read().decode())
`;
};

const expression = (part: Part): string =>
  'variable' in part ? `os.environ["${part.variable}"]` : JSON.stringify(part.text);

/**
 * A value as Python, with environment variables for ids. The texts of JSON are texts of Python.
 * @param isOwnData whether the names are the caller's own, as in `metadata`
 */
function literal(value: unknown, indent: string, isOwnData: boolean): string {
  const inner = `${indent}    `;
  if (typeof value === 'string') {
    const variable = variableOf(value);
    return variable ? `os.environ["${variable}"]` : JSON.stringify(value);
  }
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return String(value);
  const isArray = Array.isArray(value);
  const entries = Object.entries(value).map(([key, member]) => {
    if (isArray) return literal(member, inner, isOwnData);
    const name = JSON.stringify(isOwnData ? key : pythonName(key));
    return `${name}: ${literal(member, inner, isOwnData || key === 'metadata')}`;
  });
  const [open, close] = isArray ? '[]' : '{}';
  if (entries.length === 0) return `${open}${close}`;
  const line = `${open}${entries.join(', ')}${close}`;
  if (line.length + indent.length < 60 && !line.includes('\n')) return line;
  return `${open}\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${indent}${close}`;
}
