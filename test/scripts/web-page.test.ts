/** The build of a page that the service serves. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ensured } from '../../scripts/shared/web-page.ts';

/** @returns the ids of the processes of esbuild that this process has started */
const builders = () =>
  spawnSync('pgrep', ['-P', String(process.pid), 'esbuild'], { encoding: 'utf8' }).stdout.trim();

test('pages are built at the same time, and no process of esbuild stays', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-api-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const pages = ['one', 'two', 'three'].map((name) => {
    const entry = join(folder, `${name}.js`);
    writeFileSync(entry, `console.log('${name}');`);
    return { name, folder: join(folder, name), entry, sources: () => [entry] };
  });
  const built = pages.map((page) => ensured({ ...page, html: ({ script }) => script })());
  expect(builders()).not.toBe('');
  await Promise.all(built);
  for (const page of pages)
    expect(readFileSync(join(page.folder, 'page.html'), 'utf8')).toMatch(/^main-.+\.js$/);
  await expect.poll(builders).toBe('');
});
