/**
 * The licences of the libraries inside Scalar, which comes as one built library. Its source maps name them.
 * After an update of Scalar, `npx vitest run test/scripts/reference-licences.test.ts --update` writes the file.
 */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { fetchedPackages, fetchPackage } from '../../scripts/shared/fetched-packages.ts';
import { licenceTexts } from '../../scripts/shared/licences.mjs';
import { root } from '../../scripts/shared/root.ts';
import { npmPackage } from '../support/npm-package.ts';

const scalar = '@scalar/api-reference';
const file = resolve(root, 'scripts/reference/licences.txt');
const folder = resolve(root, 'node_modules', scalar);

beforeAll(() => fetchPackage(scalar));

/** @returns the versions of the libraries in Scalar's built files, by name; undefined for those of its own repository */
function libraries(): Map<string, string | undefined> {
  const built = resolve(folder, 'dist/browser');
  const sources = globSync(['standalone.esm.js.map', 'chunks/*.js.map'], { cwd: built }).flatMap(
    (map) => (JSON.parse(readFileSync(resolve(built, map), 'utf8')) as { sources: string[] }).sources,
  );
  const found = sources.map((source): [string, string | undefined] => {
    const inStore = /\/\.pnpm\/[^/]*?@(\d[^_/]*)[^/]*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source);
    if (inStore) return [inStore[2] ?? '', inStore[1]];
    const [, own = ''] = /^(?:\.\.\/)+([^./]+)\/dist\//.exec(source) ?? [];
    return own ? [`@scalar/${own}`, undefined] : [scalar, undefined];
  });
  return new Map(found);
}

/** Texts that differ only in the holders of the copyright are there once, with all their libraries. */
async function expectedFile(): Promise<string> {
  const { version } = fetchedPackages[scalar];
  const bundled = libraries();
  const installed = npmPackage(scalar, version);
  const inputs = [...bundled].map(([name, exact = '']) => {
    const beside = resolve(installed, 'node_modules', name);
    // The versions that npm installs today no longer need some of the libraries.
    return `${existsSync(beside) ? beside : resolve(npmPackage(name, exact), 'node_modules', name)}/package.json`;
  });
  const texts = await licenceTexts(inputs, '/');
  const holder = /^[^\S\n]*Copyright (?:\([cC]\)|©|\d).*\n*/gm;
  const byLicence = new Map<string, { text: string; libraries: string[] }>();
  for (const entry of texts.split(`\n${'-'.repeat(80)}\n\n`)) {
    const [, name = '', itsVersion = '', licence = '', text = ''] =
      /^(\S+) (\S+) \((.+)\)\n\n([\s\S]*)$/.exec(entry) ?? [];
    const holders = [...text.matchAll(holder)].map(([line]) => line.trim());
    const bare = text.replace(holder, '').trim();
    const key = bare.replace(/\s+/g, ' ');
    const group = byLicence.get(key) ?? { text: bare, libraries: [] };
    group.libraries.push(
      [`${name} ${bundled.get(name) ?? itsVersion} (${licence})`, ...holders].join('\n  '),
    );
    byLicence.set(key, group);
  }
  const groups = [...byLicence.values()].map(({ text, libraries }) => `${libraries.join('\n')}\n\n${text}\n`);
  return groups.join(`\n${'-'.repeat(80)}\n\n`);
}

test('the file names each library inside Scalar, with its version', () => {
  const text = `\n${readFileSync(file, 'utf8')}`;
  const all = [...libraries()];
  expect(all.length).toBeGreaterThan(150);
  const missing = all.filter(([name, version = '']) => !text.includes(`\n${name} ${version}`));
  expect(missing).toEqual([]);
});

test('the file has the texts of the licences', { tags: ['nightly'] }, async () => {
  await expect(await expectedFile()).toMatchFileSnapshot(file);
});
