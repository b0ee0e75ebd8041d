/** What the console loads, at every change. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { consoleFolder } from '../../lib/http/page-folders.ts';
import { consoleSizes } from '../../measures/console-sizes.ts';
import { ensureConsole } from '../../scripts/console/build.ts';
import { root } from '../../scripts/shared/root.ts';

test('the first page loads at most 60 KB, and each page adds at most 30 KB to it', async () => {
  await ensureConsole();
  const sizes = consoleSizes(consoleFolder);
  expect(sizes.first).toBeGreaterThan(10);
  expect(sizes.first).toBeLessThanOrEqual(60);
  const registry = readFileSync(resolve(root, 'console/src/pages/registry.ts'), 'utf8');
  const patterns = [...registry.matchAll(/pattern: '([^']+)'/g)].map(([, pattern = '']) => pattern);
  expect(sizes.pages.map(({ pattern }) => pattern).sort()).toEqual(patterns.sort());
  expect(sizes.pages.filter(({ kilobytes }) => kilobytes > 30)).toEqual([]);
});
