/** Files that follow from others and are not in git: they are made when these others have changed. */

import { execFile } from 'node:child_process';
import { globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../scripts/shared/root.ts';
import { type CopiedRepository, copyRepository } from '../support/copied-repository.ts';

const python = 'clients/python/src/platform_api';
const folders = ['cli/src/generated', 'lib/mcp/generated', `${python}/_sync`];

let copy: CopiedRepository;
beforeAll(() => {
  copy = copyRepository();
});
afterAll(() => copy.remove());

const derive = () => promisify(execFile)(process.execPath, ['scripts/derive.ts'], { cwd: copy.folder });
const read = (path: string) => readFileSync(join(copy.folder, path), 'utf8');

/** The texts of the derived files, by path. */
const derivedIn = (folder: string) =>
  Object.fromEntries(
    globSync(
      folders.map((name) => `${name}/*.{json,py,part}`),
      { cwd: folder },
    ).map((path) => [path, readFileSync(resolve(folder, path), 'utf8')]),
  );

test('several processes that find no files make all of them at the same time', {
  tags: ['long'],
}, async () => {
  for (const folder of folders) rmSync(join(copy.folder, folder), { recursive: true });
  await Promise.all(Array.from({ length: 4 }, derive));
  expect(derivedIn(copy.folder)).toEqual(derivedIn(root));
});

test('they follow a change of openapi.json and of a Python module, and a module that is gone', async () => {
  await derive();
  const [document, module] = ['openapi.json', `${python}/_async/jobs.py`];
  writeFileSync(join(copy.folder, document), read(document).replaceAll('"List projects"', '"Name projects"'));
  writeFileSync(join(copy.folder, module), `${read(module)}\n\nasync def later() -> None: ...\n`);
  writeFileSync(join(copy.folder, `${python}/_sync/gone.py`), '');
  await derive();
  for (const [path, text] of [
    ['cli/src/generated/operations.json', '"summary": "Name projects"'],
    ['lib/mcp/generated/tools.json', '"description": "Name projects"'],
    [`${python}/_sync/jobs.py`, '\ndef later() -> None: ...'],
  ] as const)
    expect(read(path)).toContain(text);
  expect(derivedIn(copy.folder)).not.toHaveProperty([`${python}/_sync/gone.py`]);
});

test('what has not changed is not written again', async () => {
  await derive();
  const times = () =>
    Object.keys(derivedIn(copy.folder)).map((path) => statSync(join(copy.folder, path)).mtimeMs);
  const before = times();
  rmSync(join(copy.folder, 'dist'), { recursive: true });
  await derive();
  expect(times()).toEqual(before);
});
