/** The output of `npm run openapi`. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { writtenFiles } from '../../scripts/openapi/outputs.ts';
import { root } from '../../scripts/shared/root.ts';

const openapi = (...options: string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [resolve(root, 'scripts/openapi.ts'), ...options],
    { encoding: 'utf8' },
  );
  return { status, stdout: stdout.trim(), stderr: stderr.trim() };
};

test('prints what it writes, whether it has changed, and the number of endpoints', () => {
  const { paths } = JSON.parse(readFileSync(resolve(root, 'openapi.json'), 'utf8')) as {
    paths: Record<string, object>;
  };
  const operations = Object.values(paths).flatMap((path) => Object.keys(path)).length;
  const files = Object.keys(writtenFiles());
  expect(openapi('--check')).toEqual({
    status: 0,
    stdout: `Up to date: ${files.join(', ')} (${operations} endpoints, ${Object.keys(paths).length} paths).`,
    stderr: '',
  });
});

test.each(['--help', '--chekc'])('%s is refused in one sentence, and nothing is written', (option) => {
  expect(openapi(option)).toEqual({
    status: 1,
    stdout: '',
    stderr: `Unknown option '${option}'\nUsage: npm run openapi [-- --check]`,
  });
});
