/** The tests themselves: each one can fail, none is skipped without a reason, and none has a tight time limit. */

import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { resolve } from 'node:path';
import { type AnyNode, parse } from 'acorn';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/shared/root.ts';

/** The blocks of the documents that cannot be run, and what needs Docker, Chromium, Python or Linux: each says why in its title. */
const mayLeaveOut = [
  'test/cli/mistakes.test.ts',
  'test/cli/terminal.test.ts',
  'test/scripts/reference.test.ts',
  'test/docs/documents.test.ts',
  'test/aws/sam.test.ts',
];
/** What waits for the emulated account, or for a shell, gives up before its job does. */
const mayGiveUp = /^test\/(aws|docs)\//;

function* nodesOf(value: unknown): Generator<AnyNode> {
  if (Array.isArray(value)) for (const item of value) yield* nodesOf(item);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  if ('type' in value && typeof value.type === 'string') yield value as AnyNode;
  for (const child of Object.values(value)) yield* nodesOf(child);
}

const treeOf = (file: string) =>
  parse(stripTypeScriptTypes(readFileSync(resolve(root, file), 'utf8')), {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
  });

/** @returns the names of what is called, `expect.poll` as `expect` and `poll` */
function* namesIn(node: unknown): Generator<string> {
  for (const { type, ...rest } of nodesOf(node)) {
    if (type !== 'CallExpression' || !('callee' in rest)) continue;
    for (const inner of nodesOf(rest.callee)) if (inner.type === 'Identifier') yield inner.name;
  }
}

/** @returns the functions of a file, with their names */
function* functionsOf(tree: AnyNode): Generator<[string, AnyNode]> {
  for (const node of nodesOf(tree)) {
    if (node.type === 'FunctionDeclaration' && node.id) yield [node.id.name, node];
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init)
      if (/Function/.test(node.init.type)) yield [node.id.name, node.init];
    if (node.type === 'Property' && node.key.type === 'Identifier' && /Function/.test(node.value.type))
      yield [node.key.name, node.value];
  }
}

const files = globSync('test/**/*.ts', { cwd: root }).sort();
const trees = new Map(files.map((file) => [file, treeOf(file)]));

/** The names of functions that assert something, by themselves or by one that they call. */
const asserting = new Set([
  'expect',
  'expectTypeOf',
  'hasResource',
  'hasResourceProperties',
  'resourceCountIs',
]);
const asserts = (called: Iterable<string>) => [...called].some((name) => asserting.has(name));
const functions = [...trees.values()].flatMap((tree) =>
  [...functionsOf(tree)].map(([name, node]) => [name, new Set(namesIn(node))] as const),
);
for (let before = 0; before < asserting.size; ) {
  before = asserting.size;
  for (const [name, called] of functions) if (asserts(called)) asserting.add(name);
}

type Found = { line: number; modifiers: string[]; callback: AnyNode | undefined; limited: boolean };

/** @returns every `test(…)`, also those of `test.each(…)` and the like */
function* testsIn(tree: AnyNode): Generator<Found> {
  for (const node of nodesOf(tree)) {
    if (node.type !== 'CallExpression') continue;
    let { callee } = node as { callee: AnyNode };
    if (callee.type === 'CallExpression') callee = callee.callee;
    const modifiers: string[] = [];
    while (callee.type === 'MemberExpression' && callee.property.type === 'Identifier') {
      modifiers.push(callee.property.name);
      callee = callee.object;
    }
    const isTest = callee.type === 'Identifier' && (callee.name === 'test' || callee.name === 'describe');
    const callback = node.arguments.find(({ type }) => /Function/.test(type));
    if (!isTest || callee.type !== 'Identifier') continue;
    const limited = node.arguments.slice(1).some(({ type }) => type === 'Literal');
    const line = node.loc?.start.line ?? 0;
    yield { line, modifiers, callback: callee.name === 'test' ? callback : undefined, limited };
  }
}

describe.each(files.filter((file) => file.endsWith('.test.ts')))('%s', (file) => {
  const tree = trees.get(file) as AnyNode;
  const found = [...testsIn(tree)];

  test('asserts something in each test', () => {
    const empty = found.filter(
      ({ callback, modifiers }) => callback && !modifiers.includes('skip') && !asserts(namesIn(callback)),
    );
    expect(empty.map(({ line }) => `${file}:${line}`)).toEqual([]);
  });

  test('asserts nothing of a value that is written there', () => {
    const constant = [...nodesOf(tree)].filter(
      (node) =>
        node.type === 'CallExpression' &&
        node.callee.type === 'Identifier' &&
        node.callee.name === 'expect' &&
        node.arguments[0]?.type === 'Literal',
    );
    expect(constant.map(({ loc }) => `${file}:${loc?.start.line}`)).toEqual([]);
  });

  test('leaves none out, and gives none a limit of its own', () => {
    const leftOut = found.filter(({ modifiers }) =>
      modifiers.some((name) => ['skip', 'only', 'todo', 'fails', 'skipIf', 'runIf'].includes(name)),
    );
    const limited = mayGiveUp.test(file) ? [] : found.filter((one) => one.limited);
    const wrong = [...(mayLeaveOut.includes(file) ? [] : leftOut), ...limited];
    expect(wrong.map(({ line }) => `${file}:${line}`)).toEqual([]);
  });
});
