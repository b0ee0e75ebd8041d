/** `npm run rollback`: which version of a function callers use, and what is refused. */

import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { newestBefore } from '../../scripts/rollback.ts';
import { root } from '../../scripts/shared/root.ts';

// Lambda's times have an offset without a colon.
const at = (Version: string, minute: number) => ({
  Version,
  LastModified: `2026-03-01T09:${minute}:00.000+0000`,
});

test('the newest version from before the time, whatever their order; never $LATEST', () => {
  const versions = [at('$LATEST', 50), at('10', 40), at('9', 30), at('2', 20)];
  expect(newestBefore(versions, Date.parse('2026-03-01T09:40:00Z'))).toBe('9');
  expect(newestBefore(versions, Date.parse('2026-03-01T09:40:00.001Z'))).toBe('10');
  expect(newestBefore(versions.toReversed(), Number.POSITIVE_INFINITY)).toBe('10');
  expect(newestBefore(versions, Date.parse('2026-03-01T09:20:00Z'))).toBeUndefined();
  expect(newestBefore([at('$LATEST', 10)], Number.POSITIVE_INFINITY)).toBeUndefined();
});

test.each([
  [['--before', 'yesterday'], '--before is not a time such as 2026-03-01T09:30Z: yesterday'],
  [['--before', '3.5'], '--before is not a time such as 2026-03-01T09:30Z: 3.5'],
  [['--newest', '--before', '2026-03-01T09:30Z'], 'Usage: npm run rollback'],
])('%j is refused before anything is changed', (options, message) => {
  const { status, stderr } = spawnSync(process.execPath, [resolve(root, 'scripts/rollback.ts'), ...options], {
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toContain(message);
});
