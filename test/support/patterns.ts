/**
 * Finds every regular expression of the source: literals, constructed ones, and those in the schemas of endpoints. It
 * is a separate program because it observes the first load of the source. It prints JSON.
 */

import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { resolve } from 'node:path';
import { isRegExp } from 'node:util/types';
import { type AnyNode, parse } from 'acorn';
import { root } from '../../scripts/shared/root.ts';

/** The place of a regular expression: a file and line, or the endpoint whose schema has it. */
export type Pattern = { place: string; source: string; flags: string };

export type Patterns = {
  literals: Pattern[];
  /** The places that construct one, and what they constructed during the load. */
  builders: Site[];
  built: Pattern[];
  inSchemas: Pattern[];
};

const files = globSync('{functions,infra,lib,scripts,workers}/**/*.ts', { cwd: root }).filter(
  (file) => !file.endsWith('.d.ts'),
);

export type Site = { file: string; line: number };

/** @returns the literals, and the places that construct one */
function patternsInSource(): Pick<Patterns, 'literals' | 'builders'> {
  const literals: Pattern[] = [];
  const builders: Site[] = [];
  for (const file of files) {
    // Removing the types keeps all positions.
    const code = stripTypeScriptTypes(readFileSync(resolve(root, file), 'utf8'));
    const ast = parse(code, { ecmaVersion: 'latest', sourceType: 'module', locations: true });
    for (const node of nodesOf(ast)) {
      const line = node.loc?.start.line ?? 0;
      if (node.type === 'Literal' && node.regex) {
        const { pattern, flags } = node.regex;
        literals.push({ place: `${file}:${line}`, source: pattern, flags });
      }
      const isCall = node.type === 'NewExpression' || node.type === 'CallExpression';
      if (isCall && node.callee.type === 'Identifier' && node.callee.name === 'RegExp') {
        builders.push({ file, line });
      }
    }
  }
  return { literals, builders };
}

function* nodesOf(value: unknown): Generator<AnyNode> {
  if (Array.isArray(value)) for (const item of value) yield* nodesOf(item);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  if ('type' in value && typeof value.type === 'string') yield value as AnyNode;
  for (const child of Object.values(value)) yield* nodesOf(child);
}

/**
 * Loads source files and observes them.
 * @returns what they constructed during the load, and where
 */
async function patternsBuiltBy(loaded: readonly string[]): Promise<Pattern[]> {
  const patterns: Pattern[] = [];
  const original = globalThis.RegExp;
  const note = (made: RegExp): RegExp => {
    const at = (new Error().stack ?? '')
      .split('\n')
      .find(
        (line) => line.includes(`${root}/`) && !line.includes('/test/') && !line.includes('node_modules'),
      );
    const [, file, line] =
      (at &&
        original('([^()]+?):(\\d+):\\d+\\)?$').exec(
          at.replace(`${root}/`, '').replace(/^.*(?: |\(|file:\/\/)/, ''),
        )) ||
      [];
    if (file) patterns.push({ place: `${file}:${line}`, source: made.source, flags: made.flags });
    return made;
  };
  globalThis.RegExp = new Proxy(original, {
    construct: (target, args, self) => note(Reflect.construct(target, args, self)),
    apply: (target, self, args) => note(Reflect.apply(target, self, args)),
  });
  try {
    for (const file of loaded) await import(resolve(root, file));
  } finally {
    globalThis.RegExp = original;
  }
  return patterns;
}

/** @returns the regular expressions in the schemas of endpoints, including the library's */
async function patternsInSchemas(): Promise<Pattern[]> {
  const { endpoints } = await import('../../functions/index.ts');
  const seen = new Set<unknown>();
  const patterns: Pattern[] = [];
  const collect = (place: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (isRegExp(value)) patterns.push({ place, source: value.source, flags: value.flags });
    else if (value instanceof Map || value instanceof Set)
      for (const item of value.values()) collect(place, item);
    else for (const item of Object.values(value)) collect(place, item);
    // The parts of a zod schema.
    if ('_zod' in value) collect(place, value._zod);
  };
  for (const { id, request } of endpoints) collect(id, request);
  return patterns;
}

const { literals, builders } = patternsInSource();
const built = await patternsBuiltBy([
  ...new Set(builders.map(({ file }) => file)),
  'functions/index.ts',
  'workers/index.ts',
]);
const inSchemas = await patternsInSchemas();
console.log(JSON.stringify({ literals, builders, built, inSchemas } satisfies Patterns));
