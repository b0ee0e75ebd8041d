/** `npm run new` writes sentences that start with "Say here". Its reader replaces all of them. */

import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

test('no file has a placeholder of npm run new', () => {
  const files = globSync(['{functions,lib,workers,scripts}/**/*.ts', 'docs/*.md'], {
    cwd: root,
    exclude: ['scripts/new'],
  });
  expect(files.length).toBeGreaterThan(500);
  const left = files.filter((file) => readFileSync(resolve(root, file), 'utf8').includes('Say here'));
  expect(left).toEqual([]);
});
