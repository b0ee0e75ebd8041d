/**
 * Every regular expression takes linear time, for any input. recheck (https://makenowjust-labs.github.io/recheck/)
 * proves it with automata or tries to attack it. It works without network.
 */
// @module-tag long

import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { checker } from '../support/npm-package.ts';
import type { Pattern, Patterns } from '../support/patterns.ts';

const program = resolve(import.meta.dirname, '../support/patterns.ts');
const output = execFileSync(process.execPath, ['--no-warnings', program], {
  encoding: 'utf8',
  maxBuffer: 10_000_000,
});
const { literals, builders, built, inSchemas } = JSON.parse(output) as Patterns;

const places = new Map<string, Pattern & { places: Set<string> }>();
for (const { place, source, flags } of [...literals, ...built, ...inSchemas]) {
  const id = `/${source}/${flags}`;
  const known = places.get(id) ?? { place, source, flags, places: new Set() };
  known.places.add(place);
  places.set(id, known);
}

type Diagnostics = { status: string; error?: { kind: string }; complexity?: { summary: string } };
type Recheck = { check(source: string, flags: string, options: object): Promise<Diagnostics> };

let recheck: Recheck | undefined;
beforeAll(() => {
  const folder = checker('recheck');
  if (folder) recheck = createRequire(import.meta.url)(folder);
});

/** The same whenever it is asked, on any machine: without limits of time inside. */
const steady = {
  timeout: 120_000,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
};

async function judge(
  context: TestContext,
  { source, flags }: Pick<Pattern, 'source' | 'flags'>,
): Promise<Diagnostics> {
  if (!recheck) return context.skip('recheck cannot be installed');
  const proof = await recheck.check(source, flags, { ...steady, checker: 'automaton' });
  // An automaton knows no lookahead and no backreference.
  return proof.status === 'unknown' && proof.error?.kind === 'unsupported'
    ? recheck.check(source, flags, { ...steady, checker: 'fuzz' })
    : proof;
}

describe('takes linear time at most', () => {
  const all = [...places].map(([id, pattern]) => [id, [...pattern.places].join(', '), pattern] as const);
  test.for(all)('%s of %s', async ([, , pattern], context) => {
    // The message of the failure has an attack.
    expect(await judge(context, pattern)).toMatchObject({ status: 'safe' });
  });
});

test('every expression is built at import, where this test sees it', () => {
  const seen = new Map<string, number>();
  for (const place of new Set(built.map(({ place }) => place))) {
    const file = place.slice(0, place.lastIndexOf(':'));
    seen.set(file, (seen.get(file) ?? 0) + 1);
  }
  for (const { file } of builders) {
    const places = builders.filter((site) => site.file === file).length;
    expect(seen.get(file), `${file} builds a regular expression in a function`).toBe(places);
  }
});

test('literals, built expressions and those of schemas are found', () => {
  expect(literals.length).toBeGreaterThan(40);
  expect(built.length).toBeGreaterThan(5);
  // Those of zod itself, such as that of a date.
  const own = new Set([...literals, ...built].map(({ source }) => source));
  expect(inSchemas.filter(({ source }) => !own.has(source)).length).toBeGreaterThan(0);
});

test('a regular expression that backtracks is detected', async (context) => {
  // What read the headings of Markdown before: cubic where a heading contains a carriage return.
  expect(await judge(context, { source: '^(#{1,6})[ \\t]+(.+?)[ \\t]*#*$', flags: '' })).toMatchObject({
    status: 'vulnerable',
    complexity: { summary: '3rd degree polynomial' },
  });
});
