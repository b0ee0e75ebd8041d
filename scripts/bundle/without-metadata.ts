/**
 * Removes what the schemas say to readers: each `.meta({ … })`, with its description, example and name. Only
 * `npm run generate` reads it, but a function would parse and register it in each cold start.
 */

import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { type AnyNode, parse } from 'acorn';
import { type Plugin, transform } from 'esbuild';
import { root } from '../shared/root.ts';

/** The folders of what functions run. */
const folders = ['functions', 'lib', 'workers'].map((folder) => `${root}/${folder}/`);

/** Leaves the metadata of our schemas out of a bundle. Each file is read once per build, for any number of bundles. */
export const withoutMetadata: Plugin = {
  name: 'without-metadata',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!folders.some((folder) => path.startsWith(folder))) return undefined;
      const source = readFileSync(path, 'utf8');
      if (!source.includes('.meta(')) return undefined;
      const { code } = await transform(source, {
        loader: 'ts',
        target: 'node24',
        tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
      });
      return { contents: removeMetadata(code, relative(root, path)), loader: 'js' };
    });
  },
};

/**
 * @param code JavaScript
 * @param file its name, for the error
 * @returns the code without its calls of `.meta({ … })`, which return a copy of the schema that parses the same
 * @throws Error if a call has another argument than an object: leaving that out could change what the code does
 */
export function removeMetadata(code: string, file: string): string {
  const calls = [...nodesOf(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }))].flatMap(
    (node) => metadataIn(node, code, file) ?? [],
  );
  const kept: string[] = [];
  let from = 0;
  for (const { start, end } of calls.sort((a, b) => a.start - b.start)) {
    // Otherwise it is inside one that is already left out.
    if (start >= from) {
      kept.push(code.slice(from, start));
      from = end;
    }
  }
  return [...kept, code.slice(from)].join('');
}

/** @returns from where to where a call of `.meta({ … })` is, from its dot; undefined for any other node */
function metadataIn(node: AnyNode, code: string, file: string) {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return undefined;
  const { property } = node.callee;
  if (property.type !== 'Identifier' || property.name !== 'meta') return undefined;
  const [argument] = node.arguments;
  if (node.arguments.length !== 1 || argument?.type !== 'ObjectExpression') {
    throw new Error(`${file}: .meta() needs an object literal, because the bundler leaves the call out`);
  }
  return { start: code.lastIndexOf('.', property.start), end: node.end };
}

function* nodesOf(value: unknown): Generator<AnyNode> {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && typeof value.type === 'string') yield value as AnyNode;
  for (const child of Array.isArray(value) ? value : Object.values(value)) yield* nodesOf(child);
}
