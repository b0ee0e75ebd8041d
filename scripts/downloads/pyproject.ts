/** What the wheel needs of pyproject.toml. */

export type PythonProject = {
  name: string;
  description: string;
  license: string;
  requiresPython: string;
  classifiers: string[];
  /** The packages that each extra needs. */
  extras: Record<string, string[]>;
};

/**
 * Reads only the forms that clients/python/pyproject.toml has: strings, and arrays of strings.
 * @throws Error if a field is missing
 */
export function readPyproject(toml: string): PythonProject {
  const fields = fieldsIn(toml);
  const one = (name: string): string => {
    const [value] = fields.get(`project.${name}`) ?? [];
    if (value === undefined) throw new Error(`pyproject.toml has no ${name}`);
    return value;
  };
  const extra = 'project.optional-dependencies.';
  const extras = [...fields].filter(([name]) => name.startsWith(extra));
  return {
    name: one('name'),
    description: one('description'),
    license: one('license'),
    requiresPython: one('requires-python'),
    classifiers: fields.get('project.classifiers') ?? [],
    extras: Object.fromEntries(extras.map(([name, needs]) => [name.slice(extra.length), needs])),
  };
}

/** The strings of each field, by the name of its table and its own. */
function fieldsIn(toml: string): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  let table = '';
  let open: string[] | undefined;
  for (const line of toml.split('\n')) {
    const heading = /^\[([\w.-]+)\]$/.exec(line)?.[1];
    const [, name, text = line] = /^([\w-]+) = (.*)$/.exec(line) ?? [];
    if (heading) table = heading;
    if (name) {
      open = [];
      fields.set(`${table}.${name}`, open);
    }
    open?.push(...[...text.matchAll(/"([^"\\]*)"/g)].map(([, value = '']) => value));
    if (!text.trimEnd().endsWith('[') && !text.trimEnd().endsWith(',')) open = undefined;
  }
  return fields;
}
