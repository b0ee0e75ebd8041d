/** `npm run release`: what it refuses, and what it writes, in a copy of the repository with a history of its own. */
// @module-tag long

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CopiedRepository, copyRepository } from '../support/copied-repository.ts';

let copy: CopiedRepository;
let start: string;
const read = (path: string) => readFileSync(join(copy.folder, path), 'utf8');
const write = (path: string, text: string) => writeFileSync(join(copy.folder, path), text);

function run(command: string, ...args: string[]) {
  // The machine's settings are not to sign a commit or to name another branch.
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  return spawnSync(command, args, { cwd: copy.folder, encoding: 'utf8', maxBuffer: 2 ** 26, env });
}
function git(...args: string[]): string {
  const { status, stdout, stderr } = run('git', ...args);
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}
const release = (...args: string[]) => run(process.execPath, 'scripts/release.ts', ...args);
const commit = () => git('commit', '--quiet', '--all', '--message', 'more');
const change = (path: string, old: string, text: string) => {
  write(
    path,
    read(path).replace(old, () => text),
  );
  commit();
};

beforeAll(() => {
  copy = copyRepository();
  git('init', '--quiet', '--initial-branch', 'main');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.com');
  // The packages are linked there, which .gitignore does not expect.
  write('.git/info/exclude', '/node_modules\n');
  // The copy has a version of its own, so that this test outlives releases.
  write('package.json', read('package.json').replace(/"version": ".*"/, '"version": "0.9.0"'));
  const unreleased = '### Breaking\n\nNothing.\n\n### Added\n\n* `$&` is shown.\n';
  write('CHANGELOG.md', `# Changelog\n\n## Unreleased\n\n${unreleased}\n## 0.9.0\n\n* The first.\n`);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'first');
  git('tag', 'v0.9.5');
  start = git('rev-parse', 'HEAD');
});
beforeEach(() => {
  git('checkout', '--quiet', '--force', '-B', 'main', start);
  git('clean', '--quiet', '--force', '-d');
});
afterAll(() => copy.remove());

test.each<[string, string, () => void]>([
  ['The tree has changes that are not committed.', '0.9.1', () => write('new.txt', '')],
  ['A release is made on main, not on next.', '0.9.1', () => git('checkout', '--quiet', '-b', 'next')],
  ['There is already a tag v0.9.5.', '0.9.5', () => {}],
  ['0.9.0 is not greater than 0.9.0, the last release.', '0.9.0', () => {}],
  ['0.8.7 is not greater than 0.9.0, the last release.', '0.8.7', () => {}],
  ['"0.2" is not a version such as 0.2.0.', '0.2', () => {}],
  ['"v0.9.1" is not a version such as 0.2.0.', 'v0.9.1', () => {}],
  ['"01.2.3" is not a version such as 0.2.0.', '01.2.3', () => {}],
  ['"1.2.3-rc.1" is not a version such as 0.2.0.', '1.2.3-rc.1', () => {}],
  [
    '"Unreleased" in CHANGELOG.md has no items.',
    '0.9.1',
    () => change('CHANGELOG.md', '* `$&` is shown.', 'Nothing.'),
  ],
  [
    'There are breaking changes since 0.9.0, so 0.9.1 needs a greater minor version.',
    '0.9.1',
    () => change('CHANGELOG.md', 'Nothing.', '* Something is gone.'),
  ],
  [
    'There are breaking changes since 1.9.0, so 1.10.0 needs a greater major version.',
    '1.10.0',
    () => {
      change('CHANGELOG.md', 'Nothing.', '* Something is gone.');
      change('package.json', '"version": "0.9.0"', '"version": "1.9.0"');
    },
  ],
])('is refused: %s', (reason, version, prepare) => {
  prepare();
  const before = [git('rev-parse', 'HEAD'), git('status', '--porcelain')];
  const { status, stderr } = release(version);
  expect(stderr.trim()).toBe(reason);
  expect(status).toBe(1);
  expect([git('rev-parse', 'HEAD'), git('status', '--porcelain')]).toEqual(before);
  expect(git('tag')).toBe('v0.9.5');
});

test.each([[[]], [['0.9.1', '0.9.2']], [['0.9.1', '--force']]])('%j is a mistake', (args) => {
  const { status, stderr } = release(...args);
  expect(status).toBe(1);
  expect(stderr).toContain('Usage: npm run release');
});

// It sends all sample requests, for the generated examples.
test('a breaking release sets the version everywhere, commits and tags', { tags: ['nightly'] }, () => {
  change('CHANGELOG.md', 'Nothing.', '* Something is gone.');
  const before = git('rev-parse', 'HEAD');
  const { status, stdout, stderr } = release('0.10.0');
  expect(status, stderr).toBe(0);
  expect(stdout).toContain('git push --atomic origin main v0.10.0');
  expect(git('status', '--porcelain')).toBe('');
  expect(git('log', '--format=%s', `${before}..v0.10.0`)).toBe('chore(release): 0.10.0');
  expect(git('rev-parse', 'HEAD')).toBe(git('rev-parse', 'v0.10.0^{commit}'));
  expect(read('CHANGELOG.md')).toMatch(
    /^# Changelog\n\n## Unreleased\n\n### Breaking\n\nNothing\.\n\n## 0\.10\.0 \(\d{4}-\d\d-\d\d\)\n\n### Breaking\n\n\* Something/,
  );
  expect(read('CHANGELOG.md')).toContain('* `$&` is shown.');
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> };
  for (const folder of ['', 'cli', 'clients/typescript']) {
    expect(JSON.parse(read(join(folder, 'package.json')))).toMatchObject({ version: '0.10.0' });
    expect(lock.packages[folder]?.version).toBe('0.10.0');
  }
  expect(read('clients/typescript/src/generated/version.ts')).toContain("'0.10.0'");
  expect(read('clients/python/src/platform_api/_version.py')).toContain('version = "0.10.0"');
  expect(JSON.parse(read('openapi.json'))).toMatchObject({ info: { version: '0.10.0' } });
  // A file that still has the old version is generated by a part that did not run.
  const check = run(process.execPath, 'scripts/generate.ts', '--check', 'requests', 'documents', 'items');
  expect(check.status, check.stderr).toBe(0);
});
