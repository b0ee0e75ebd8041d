/** No command in the documents, or printed by a script, fails silently. */

import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/shared/root.ts';
import { type Block, documents, shellBlocks } from '../docs/blocks.ts';

const read = (name: string) => readFileSync(resolve(root, name), 'utf8');

/** @returns the commands that call curl, with their continuation lines */
const curls = (text: string): string[] =>
  text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => !line.trim().startsWith('#'))
    .flatMap((line) => line.split(/\||&&|;/))
    .flatMap((command) => /\bcurl\s+[-'"$].*/.exec(command)?.[0] ?? []);

/** @returns what in a shell block would hide an error from its reader */
function silent({ code, announcedErrors }: Pick<Block, 'code' | 'announcedErrors'>): string[] {
  return [
    ...curls(code).filter((command) => !/^curl -sS\b/.test(command)),
    // An error that the block announces is to be seen: jq prints it, and curl has nothing to add.
    ...(announcedErrors.length > 0
      ? []
      : curls(code).filter((command) => !/ --fail-with-body\b/.test(command))),
    ...code.split('\n').filter((line) => /2> ?\/dev\/null|&> ?\/dev\/null|\|\| (true|:)(\s|$)/.test(line)),
  ];
}

describe('a shell block', () => {
  test.each([
    'curl -s "$BASE/projects"',
    'curl --fail-with-body "$BASE/projects"',
    'ID=$(curl -s --fail-with-body "$BASE/projects" | jq -r .data.id)',
    'curl -sS "$BASE/projects" | jq',
    'curl -sS \\\n  "$BASE/projects"',
    'rm handbook 2>/dev/null',
    'false || true',
  ])('that hides an error is found: %s', (code) => {
    expect(silent({ code, announcedErrors: [] })).not.toEqual([]);
  });

  test.each(documents)('of %s shows errors', (name) => {
    const found = shellBlocks(read(name)).flatMap((block) =>
      silent(block).map((command) => `line ${block.line}: ${command}`),
    );
    expect(found).toEqual([]);
  });
});

test('no script prints or describes a curl command that fails silently', () => {
  const files = globSync(['{functions,infra,lib,scripts,workers}/**/*.ts', 'openapi.json'], { cwd: root });
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((name) => /\bcurl -s\s/.test(read(name)))).toEqual([]);
});
