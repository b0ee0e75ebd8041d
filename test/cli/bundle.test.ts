/** The bundle: what is in it, and what shells complete with it. */

import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { useCli } from '../support/cli.ts';

const cli = useCli();

test('is one file that imports only what Node has, and is small enough to start fast', () => {
  const code = readFileSync(cli.file, 'utf8');
  const imports = code.matchAll(/\bfrom ?"([\w@/:.-]+)"|\b(?:require|import)\("([\w@/:.-]+)"\)/g);
  const names = [...imports].map(([, one, two]) => one ?? two ?? '');
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !name.startsWith('node:') && !isBuiltin(name))).toEqual([]);
  expect(code.length).toBeLessThan(300_000);
});

test('comes with the licences of the libraries in it', () => {
  const licences = readFileSync(resolve(cli.file, '../LICENSES.txt'), 'utf8');
  for (const name of ['commander', 'cli-table3', 'cli-progress', 'csv-stringify', 'chokidar', '@date-fns/tz'])
    expect(licences).toMatch(new RegExp(`^${name} \\d.* \\(MIT\\)$`, 'm'));
});

test('prints help and version to stdout', async () => {
  expect(await cli.run(['--version'])).toMatchObject({ code: 0, stdout: '0.1.0\n', stderr: '' });
  for (const args of [[], ['--help'], ['help', 'deploy'], ['deploy', '--help']]) {
    const ran = await cli.run(args);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain('Usage: platform');
  }
});

test.each(['bash', 'zsh', 'fish'])(
  'the completions for %s are a valid script that asks the command line',
  async (name) => {
    const { stdout } = await cli.run(['completion', name]);
    expect(stdout).toContain('platform __complete');
    expect((await cli.run(['__complete', 'dep'])).stdout).toMatch(/^deploy\t.+\ndeployments\t.+\n$/);
  },
);
