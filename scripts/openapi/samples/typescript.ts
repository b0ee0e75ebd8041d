/** A code sample in TypeScript, with the client in clients/typescript/. */

import { type Part, type SampleRequest, variableOf } from './request.ts';

export function typescript(request: SampleRequest): string {
  if (request.isRaw) return withoutClient(request);
  const { variables, isList } = request;
  const names = variables.map((name) => `${name} = ''`).join(', ');
  const setUp = [
    "import { Platform } from 'platform-api-client';",
    '',
    '// Reads PLATFORM_API_KEY and PLATFORM_BASE_URL.',
    'const platform = new Platform();',
    ...(variables.length > 0 ? [`const { ${names} } = process.env;`] : []),
    '',
  ];
  const use = isList
    ? [`for await (const item of ${callOf(request)}) {`, '  console.log(item);', '}']
    : [`const result = await ${callOf(request)};`, 'console.log(result);'];
  return `${[...setUp, ...use].join('\n')}\n`;
}

/** `platform.projects(PROJECT_ID).avatars.get(AVATAR_ID)` for `avatars.get`. */
function callOf({ id, project, ids, query, body }: SampleRequest): string {
  const inputs = [
    ...ids.map(({ part, isNumber }) => (isNumber && 'text' in part ? part.text : expression(part))),
    ...(body === undefined ? [] : [literal(body)]),
    ...(Object.keys(query).length === 0 ? [] : [literal(query)]),
  ];
  const start = project ? `platform.projects(${expression(project)})` : 'platform';
  const name = id
    .split('.')
    .map((part) => part.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()))
    .join('.');
  return `${start}.${name}(${inputs.join(', ')})`;
}

const withoutClient = ({ path }: SampleRequest): string => {
  const address = path.map((part) =>
    'text' in part ? `/${part.text}` : `/\${process.env.${part.variable}}`,
  );
  return `const response = await fetch(\`\${process.env.PLATFORM_BASE_URL}${address.join('')}\`);
console.log(await response.json());

export {};
`;
};

const expression = (part: Part): string => ('variable' in part ? part.variable : quoted(part.text));

/** A value as TypeScript, with variables for ids. */
function literal(value: unknown, indent = ''): string {
  const inner = `${indent}  `;
  if (typeof value === 'string') return variableOf(value) ?? quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const isArray = Array.isArray(value);
  const entries = Object.entries(value).map(([key, member]) => {
    const name = /^[A-Za-z_]\w*$/.test(key) ? key : quoted(key);
    return isArray ? literal(member, inner) : `${name}: ${literal(member, inner)}`;
  });
  const [open, close] = isArray ? ['[', ']'] : ['{ ', ' }'];
  const line = `${open}${entries.join(', ')}${close}`;
  if (entries.length === 0) return isArray ? '[]' : '{}';
  if (line.length < (indent === '' ? 40 : 60) && !line.includes('\n')) return line;
  return `${open.trim()}\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${indent}${close.trim()}`;
}

/** The text in single quotes, if possible. */
const quoted = (text: string): string => {
  const json = JSON.stringify(text);
  return /['"\\]/.test(json.slice(1, -1)) ? json : `'${text}'`;
};
