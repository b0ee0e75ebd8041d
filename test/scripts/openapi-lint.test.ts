/** A linter reads the OpenAPI document, with the rules of redocly.yaml. */

import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/shared/root.ts';
import { checker } from '../support/npm-package.ts';

test('Redocly finds nothing in openapi.json', { tags: ['long'] }, (context) => {
  const folder = checker('@redocly/cli');
  if (!folder) return context.skip('the linter cannot be installed');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [resolve(folder, 'bin/cli.js'), 'lint', 'openapi.json'],
    { cwd: root, encoding: 'utf8' },
  );
  expect(status, `${stdout}${stderr}`).toBe(0);
});
