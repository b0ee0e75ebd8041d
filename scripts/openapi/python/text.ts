/** Python text: names, literals and docstrings. */

const reserved = new Set([
  'from',
  'import',
  'global',
  'lambda',
  'class',
  'def',
  'in',
  'is',
  'not',
  'pass',
  'with',
  'None',
]);

/** `createdAt`, `import-file` and `from` as `created_at`, `import_file` and `from_`. */
export function pythonName(wireName: string): string {
  const name = snakeCase(wireName);
  return reserved.has(name) ? `${name}_` : name;
}

/** Does what `to_snake` of the client does, which has to find the way back. */
function snakeCase(wireName: string): string {
  if (!/^[a-z]/.test(wireName)) throw new Error(`${wireName} has no name in Python`);
  return wireName.replaceAll('-', '_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A value of JSON Schema. */
export function literal(value: unknown): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  return value === null ? 'None' : JSON.stringify(value);
}

const width = 115;

/** A docstring of Markdown; nothing without text. */
export function docstring(text: string, indent: string): string {
  const safe = named(text.trim()).replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  if (safe === '') return '';
  const lines = safe.split('\n').flatMap((line) => wrapped(line, width - indent.length));
  const end = safe.endsWith('"') ? ' ' : '';
  if (lines.length === 1 && `${indent}"""${safe}"""`.length <= width + 5)
    return `${indent}"""${safe}${end}"""\n`;
  return `${indent}"""${lines.map((line, at) => (at === 0 || line === '' ? line : indent + line)).join('\n')}\n${indent}"""\n`;
}

/** The names of fields in a description, as Python has them. */
const named = (text: string) =>
  text.replace(/`([a-z]+(?:[A-Z][a-z0-9]+)+)`/g, (_, name: string) => `\`${snakeCase(name)}\``);

/** Further lines of a parameter are indented. */
function wrapped(line: string, most: number): string[] {
  const further = line.startsWith(':param') ? '    ' : '';
  const lines: string[] = [];
  let last = '';
  for (const word of line.split(' ')) {
    if (last.trim() !== '' && `${last} ${word}`.length > most) {
      lines.push(last);
      last = further + word;
    } else last = last === '' ? word : `${last} ${word}`;
  }
  return [...lines, last];
}
