/** A code sample in Python, with its standard library. */

import { queryText, type SampleRequest, variableOf } from './request.ts';

export function python(request: SampleRequest): string {
  const { method, path, query, body, hasCredential, isIdempotent, isRaw } = request;
  const segments = path.map((part) =>
    'variable' in part ? `/{os.environ['${part.variable}']}` : `/${encodeURIComponent(part.text)}`,
  );
  const headers = [
    ...(hasCredential ? [`"Authorization": f"Bearer {os.environ['PLATFORM_API_KEY']}"`] : []),
    ...(isIdempotent ? ['"Idempotency-Key": str(uuid.uuid4())'] : []),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ];
  const input = [
    `f"{os.environ['PLATFORM_BASE_URL']}${segments.join('')}${queryText(query)}"`,
    ...(method === 'GET' ? [] : [`method="${method}"`]),
    ...(headers.length === 0
      ? []
      : [`headers={\n${headers.map((header) => `        ${header},\n`).join('')}    }`]),
    ...(body === undefined ? [] : [`data=json.dumps(${literal(body, '    ')}).encode()`]),
  ];
  const modules = ['json', 'os', 'urllib.request', ...(isIdempotent ? ['uuid'] : [])];
  return `${modules.map((name) => `import ${name}\n`).join('')}
request = urllib.request.Request(
${input.map((argument) => `    ${argument},\n`).join('')})
with urllib.request.urlopen(request) as response:
    print(json.load(response)${isRaw ? '' : '["data"]'})
`;
}

/** A value as Python, with environment variables for ids. The texts of JSON are texts of Python. */
function literal(value: unknown, indent: string): string {
  const inner = `${indent}    `;
  if (typeof value === 'string') {
    const variable = variableOf(value);
    return variable ? `os.environ["${variable}"]` : JSON.stringify(value);
  }
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return String(value);
  const isArray = Array.isArray(value);
  const entries = Object.entries(value).map(([key, member]) =>
    isArray ? literal(member, inner) : `${JSON.stringify(key)}: ${literal(member, inner)}`,
  );
  const [open, close] = isArray ? '[]' : '{}';
  if (entries.length === 0) return `${open}${close}`;
  const line = `${open}${entries.join(', ')}${close}`;
  if (line.length + indent.length < 60 && !line.includes('\n')) return line;
  return `${open}\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${indent}${close}`;
}
