/** The parts of the Python client, in the oldest Python and in the newest. */

import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, type TestContext, test } from 'vitest';
import { root } from '../../../scripts/shared/root.ts';
import { environmentOf, type Tested, testedByTag } from '../../support/client/pythons.ts';

const folder = resolve(root, 'test/support/client/python');

const succeed = ({ version, interpreter }: Tested, context: TestContext) => {
  if (!interpreter) return context.skip(`Python ${version} is missing`);
  const options = ['-X', 'dev', '-W', 'error', '-m', 'unittest', 'discover', '-s', 'units', '-t', '.'];
  const { status, stderr } = spawnSync(interpreter.command, options, {
    cwd: folder,
    env: environmentOf(interpreter, false),
    encoding: 'utf8',
    timeout: 240_000,
  });
  expect(stderr).toMatch(/^Ran \d{2,} tests in .*\n\nOK( \(skipped=1\))?\n$/m);
  expect(stderr).not.toContain('Warning');
  expect(status).toBe(0);
};
const { fast, nightly } = testedByTag();
test.for(fast)('Python $version', succeed);
test.for(nightly)('Python $version', { tags: ['nightly'] }, succeed);
