/** `npm run release`: what it refuses, and what it writes. `scripts/release-files.ts`: the files of a release. */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { itemsIn, releasedChangelog, versionIn } from '../../scripts/release/changelog.ts';
import { type Facts, refusals } from '../../scripts/release/refusals.ts';
import { publicManifest } from '../../scripts/release/registries.ts';
import { settledSbom } from '../../scripts/release/sbom.ts';
import { parseVersion } from '../../scripts/release/version.ts';
import { type CopiedRepository, copyRepository } from '../support/copied-repository.ts';

const allowed: Facts = {
  version: '0.2.0',
  branch: 'main',
  isClean: true,
  isInterrupted: false,
  last: '0.1.4',
  isTagged: false,
  items: 3,
  breakingItems: 1,
  report: { breaking: 1, undeclared: [] },
};

describe('a release', () => {
  test.each<[string, Partial<Facts>]>([
    ['is allowed', {}],
    [
      'without breaking changes',
      { version: '0.1.5', breakingItems: 0, report: { breaking: 0, undeclared: [] } },
    ],
    ['that becomes stable', { version: '1.0.0' }],
    ['with a greater number that is a smaller text', { last: '0.9.0', version: '0.10.0' }],
    ['with a major version', { last: '1.9.0', version: '2.0.0' }],
  ])('%s', (_, facts) => {
    expect(refusals({ ...allowed, ...facts })).toEqual([]);
  });

  test.each<[string, Partial<Facts>]>([
    ['The tree has changes that are not committed.', { isClean: false }],
    [
      'A release of 0.2.0 was interrupted: `git restore .` undoes its changes.',
      { isClean: true, isInterrupted: true },
    ],
    ['A release is made on main, not on next.', { branch: 'next' }],
    ['A release is made on main, not on a detached HEAD.', { branch: '' }],
    ['There is already a tag v0.2.0.', { isTagged: true }],
    ['"Unreleased" in CHANGELOG.md has no items.', { items: 0 }],
    ['"v0.2.0" is not a version such as 0.2.0.', { version: 'v0.2.0' }],
    ['0.2.0 is not greater than 0.2.0, the last release.', { last: '0.2.0' }],
    ['0.2.0 is not greater than 0.10.0, the last release.', { last: '0.10.0' }],
    ['0.2.0 is not greater than 1.0.0, the last release.', { last: '1.0.0' }],
    [
      'There are breaking changes since 0.1.4, so 0.1.5 needs a greater minor version.',
      { version: '0.1.5', breakingItems: 0 },
    ],
    [
      'There are breaking changes since 0.1.4, so 0.1.5 needs a greater minor version.',
      { version: '0.1.5', report: { breaking: 0, undeclared: [] } },
    ],
    [
      'There are breaking changes since 1.1.0, so 1.2.0 needs a greater major version.',
      { last: '1.1.0', version: '1.2.0' },
    ],
    [
      'The breaking changes are unknown: Go is not installed.',
      { report: { unknown: 'Go is not installed.' } },
    ],
    [
      '"Breaking" in CHANGELOG.md does not declare:\n* `GET /x`, `gone`: y',
      { report: { breaking: 1, undeclared: ['* `GET /x`, `gone`: y'] } },
    ],
  ])('is refused: %s', (reason, facts) => {
    expect(refusals({ ...allowed, ...facts })).toEqual([reason]);
  });

  test('names every reason at once', () => {
    expect(refusals({ ...allowed, isClean: false, branch: 'x', version: '1' })).toHaveLength(3);
  });
});

test.each([
  '1',
  '1.2',
  '1.2.3.4',
  '01.2.3',
  '1.2.3-rc.1',
  '1.2.3+4',
  ' 1.2.3',
  '1.2.3\n',
  `${'9'.repeat(1e6)}.0.0`,
])('%# is not a version', (text) => {
  expect(parseVersion(text)).toBeUndefined();
});

describe('the changelog', () => {
  const before =
    '# Changelog\n\n## Unreleased\n\n### Added\n\n* `$&` is shown.\n\n## 0.1.0\n\nThe first version.\n';

  test('of a release has its date, and room for the next changes', () => {
    const after = releasedChangelog(before, '0.2.0', '2026-03-01');
    expect(after).toBe(
      before.replace(
        '## Unreleased\n',
        () => '## Unreleased\n\n### Breaking\n\nNothing.\n\n## 0.2.0 (2026-03-01)\n',
      ),
    );
    expect(versionIn(after, '0.2.0')).toBe('### Added\n\n* `$&` is shown.');
    expect(itemsIn(versionIn(after, 'Unreleased'))).toBe(0);
  });

  test('does not take 0.2.0 for 0.2.01', () => {
    expect(versionIn('## 0.2.01\n\n* x\n', '0.2.0')).toBe('');
  });
});

test('a package for npm has the scope and the version, and is not private', () => {
  const manifest = JSON.stringify({ name: 'a', version: '0.2.0-g1', private: true, type: 'module' });
  expect(JSON.parse(publicManifest(manifest, '@acme', '0.2.0'))).toEqual({
    name: '@acme/a',
    version: '0.2.0',
    type: 'module',
  });
});

test('the list of components depends on the commit only, and names packages', () => {
  const npms = (serialNumber: string, timestamp: string, name = 'cli') => ({
    serialNumber,
    metadata: { timestamp, component: { 'bom-ref': 'platform-api@0.2.0', name: 'folder' } },
    components: [
      { 'bom-ref': 'platform-api-cli@0.2.0', name },
      { 'bom-ref': '@a/b@1.0.0', name: '@a/b' },
    ],
  });
  const settled = settledSbom(npms('one', 'now'), 0);
  expect(settled).toEqual(settledSbom(npms('other', 'later', 'copy'), 0));
  expect(settled.serialNumber).toMatch(
    /^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/,
  );
  expect(settled.serialNumber).not.toBe(settledSbom(npms('one', 'now'), 1000).serialNumber);
  expect(settled.metadata.component.name).toBe('platform-api');
  expect(settled.components.map(({ name }) => name)).toEqual(['platform-api-cli', '@a/b']);
});

/** A repository with the tag v0.1.0, and a commit after it. */
describe('in a clone', { tags: ['long'] }, () => {
  let copy: CopiedRepository;
  const read = (path: string) => readFileSync(join(copy.folder, path), 'utf8');
  const write = (path: string, text: string) => writeFileSync(join(copy.folder, path), text);
  const withoutNpm = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

  function run(command: string, ...args: string[]) {
    // The machine's settings are not to sign a commit or to name another branch.
    const env = { ...withoutNpm, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
    return spawnSync(command, args, { cwd: copy.folder, encoding: 'utf8', maxBuffer: 2 ** 26, env });
  }
  function git(...args: string[]): string {
    const { status, stdout, stderr } = run('git', ...args);
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  }
  const release = (...args: string[]) => run(process.execPath, 'scripts/release.ts', ...args);
  const releaseFiles = (...args: string[]) => run(process.execPath, 'scripts/release-files.ts', ...args);

  const unreleased =
    '## Unreleased\n\n### Breaking\n\nNothing.\n\n### Added\n\n* A test.\n\n## 0.1.0\n\nThe first.\n';
  let start: string;

  beforeAll(() => {
    copy = copyRepository();
    git('init', '--quiet', '--initial-branch', 'main');
    git('config', 'user.name', 'Test');
    git('config', 'user.email', 'test@example.com');
    // The packages are linked there, which .gitignore does not expect.
    write('.git/info/exclude', '/node_modules\n');
    // The clone is to have a version of its own, so that this test outlives releases.
    const { status, stderr } = setVersion('0.1.0');
    if (status !== 0) throw new Error(stderr);
    git('add', '--all');
    git('commit', '--quiet', '--message', 'first');
    git('tag', 'v0.1.0');
    write('CHANGELOG.md', `# Changelog\n\n${unreleased}`);
    git('commit', '--quiet', '--all', '--message', 'second');
    start = git('rev-parse', 'HEAD');
  });
  const setVersion = (version: string) =>
    run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts');
  beforeEach(() => {
    git('checkout', '--quiet', '--force', '-B', 'main', start);
    git('clean', '--quiet', '--force', '-d');
  });
  afterAll(() => copy.remove());

  const commit = () => git('commit', '--quiet', '--all', '--message', 'more');

  test.each<[string, string, () => void]>([
    ['The tree has changes that are not committed.', '0.1.1', () => write('new.txt', '')],
    ['A release is made on main, not on next.', '0.1.1', () => git('checkout', '--quiet', '-b', 'next')],
    ['0.1.0 is not greater than 0.1.0, the last release.', '0.1.0', () => {}],
    ['"0.2" is not a version such as 0.2.0.', '0.2', () => {}],
    [
      '"Unreleased" in CHANGELOG.md has no items.',
      '0.1.1',
      () => {
        write('CHANGELOG.md', read('CHANGELOG.md').replace('* A test.', 'Nothing.'));
        commit();
      },
    ],
    [
      'There are breaking changes since 0.1.0, so 0.1.1 needs a greater minor version.',
      '0.1.1',
      () => {
        write('CHANGELOG.md', read('CHANGELOG.md').replace('Nothing.', '* Something is gone.'));
        commit();
      },
    ],
  ])('is refused: %s', (reason, version, change) => {
    change();
    const before = [git('rev-parse', 'HEAD'), git('status', '--porcelain')];
    const { status, stderr } = release(version);
    expect(stderr).toContain(reason);
    expect(status).toBe(1);
    expect([git('rev-parse', 'HEAD'), git('status', '--porcelain')]).toEqual(before);
    expect(git('tag')).toBe('v0.1.0');
  });

  test('that was killed while it wrote says how to undo it', () => {
    write('package.json', read('package.json').replace('"version": "0.1.0"', '"version": "0.1.1"'));
    write('clients/typescript/package.json', '{');
    expect(release('0.1.1').stderr).toContain(
      'A release of 0.1.1 was interrupted: `git restore .` undoes its changes.',
    );
    git('restore', '.');
    expect(release('0.1.1', '--dry-run').status).toBe(0);
  });

  test('that was killed before its tag gets only the tag', { tags: ['long'] }, () => {
    write('package.json', read('package.json').replace('"version": "0.1.0"', '"version": "0.1.1"'));
    commit();
    expect(release('0.1.1', '--dry-run').stdout).toContain('after 0.1.0 would\n  write');
    git('commit', '--quiet', '--amend', '--message', 'chore(release): 0.1.1');
    const head = git('rev-parse', 'HEAD');
    const dry = release('0.1.1', '--dry-run');
    expect(dry.stdout).toContain('would get the tag v0.1.1');
    expect(git('tag')).toBe('v0.1.0');
    write('new.txt', '');
    expect(release('0.1.1').stderr).toContain('The tree has changes that are not committed.');
    git('clean', '--quiet', '--force');
    const { status, stdout, stderr } = release('0.1.1');
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('git push --atomic origin main v0.1.1');
    expect(git('rev-parse', 'v0.1.1^{commit}', 'HEAD').split('\n')).toEqual([head, head]);
    expect(release('0.1.1').stderr).toContain('There is already a tag v0.1.1.');
    git('tag', '--delete', 'v0.1.1');
  });

  test.each([[[]], [['0.1.1', '0.1.2']], [['0.1.1', '--force']]])('%j is a mistake', (args) => {
    const { status, stderr } = release(...args);
    expect(status).toBe(1);
    expect(stderr).toContain('Usage: npm run release');
  });

  test('--dry-run says what it would do, and does nothing', () => {
    const { status, stdout, stderr } = release('0.1.1', '--dry-run');
    expect(status, stderr).toBe(0);
    expect(stdout).toContain(
      'The release of 0.1.1 after 0.1.0 would\n  write package.json, clients/typescript/',
    );
    expect(stdout).toContain('tag v0.1.1');
    expect(git('rev-parse', 'HEAD')).toBe(start);
    expect(git('status', '--porcelain')).toBe('');
    expect(git('tag')).toBe('v0.1.0');
  });

  test('files are not built from another commit than the tag, or from changed files', () => {
    expect(releaseFiles('dist/x').stderr).toContain('This commit does not have the tag v0.1.0.');
    git('checkout', '--quiet', 'v0.1.0');
    write('README.md', '');
    expect(releaseFiles('dist/x').stderr).toContain('The tree has changes that are not committed.');
    expect(existsSync(join(copy.folder, 'dist/x'))).toBe(false);
  });

  test.each([
    ['--npm-scope', 'acme', '"acme" is not a scope such as @acme.'],
    ['--pypi-project', 'Acme', '"Acme" is not a project such as acme-platform-api.'],
  ])('%s %s is refused', (option, value, reason) => {
    const { status, stderr } = releaseFiles('dist/x', option, value);
    expect(status).toBe(1);
    expect(stderr).toContain(reason);
    expect(stderr).not.toContain('at ');
  });

  // Installing oasdiff takes minutes on a busy machine.
  test('a change that only the document shows is found', { tags: ['nightly'] }, ({ skip }) => {
    const document = JSON.parse(read('openapi.json')) as { paths: Record<string, unknown> };
    delete document.paths['/health'];
    write('openapi.json', JSON.stringify(document));
    commit();
    const { status, stderr } = release('0.1.1');
    if (stderr.includes('unknown: Go')) skip(stderr);
    expect(status).toBe(1);
    expect(stderr).toContain('so 0.1.1 needs a greater minor version.');
    expect(stderr).toContain('does not declare:\n* `GET /health`, `api-');
  });

  // It sends all sample requests, for the generated examples, and packs everything.
  test('sets the version everywhere, commits, tags; then its files are built', { tags: ['nightly'] }, () => {
    const { status, stdout, stderr } = release('0.7.3');
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('git push --atomic origin main v0.7.3');
    expect(git('status', '--porcelain')).toBe('');
    expect(git('log', '--format=%s', `${start}..v0.7.3`)).toBe('chore(release): 0.7.3');
    expect(git('rev-parse', 'HEAD')).toBe(git('rev-parse', 'v0.7.3^{commit}'));
    expect(read('CHANGELOG.md')).toMatch(
      /## Unreleased\n\n### Breaking\n\nNothing\.\n\n## 0\.7\.3 \(\d{4}-\d\d-\d\d\)\n/,
    );
    const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> };
    for (const folder of ['', 'cli', 'clients/typescript']) {
      expect(JSON.parse(read(join(folder, 'package.json')))).toMatchObject({ version: '0.7.3' });
      expect(lock.packages[folder]?.version).toBe('0.7.3');
    }
    expect(read('clients/typescript/src/generated/version.ts')).toContain("'0.7.3'");
    expect(read('clients/python/src/platform_api/_version.py')).toContain('version = "0.7.3"');
    expect(JSON.parse(read('openapi.json'))).toMatchObject({ info: { version: '0.7.3' } });
    // A file of this release that still has the old version is generated by a part that did not run.
    const check = run(process.execPath, 'scripts/generate.ts', '--check', 'requests', 'documents', 'items');
    expect(check.status, check.stderr).toBe(0);

    const options = ['--npm-scope', '@acme', '--pypi-project', 'acme-platform-api'];
    const built = releaseFiles('dist/one', ...options);
    expect(built.status, built.stderr).toBe(0);
    const digits = git('rev-parse', 'HEAD').slice(0, 7);
    const names = [
      'SHA256SUMS',
      'platform-api-0.7.3.cdx.json',
      'platform-api-0.7.3.tar.gz',
      `platform-api-cli-0.7.3-g${digits}.tgz`,
      `platform-api-client-0.7.3-g${digits}.tgz`,
      `platform_api-0.7.3-0g${digits}-py3-none-any.whl`,
    ];
    const list = (folder: string) => readdirSync(join(copy.folder, folder)).sort();
    expect(list('dist/one/files')).toEqual(names);
    expect(built.stdout.trim().split('\n').sort()).toEqual(names);
    expect(read('dist/one/notes.md')).toContain('* A test.');
    const sums = join(copy.folder, 'dist/one/files');
    const checked = spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
      cwd: sums,
      encoding: 'utf8',
    });
    expect(checked.stdout.match(/: OK$/gm)).toHaveLength(names.length - 1);
    expect(JSON.parse(read('dist/one/files/platform-api-0.7.3.cdx.json'))).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: 'platform-api', version: '0.7.3' } },
    });
    const archived = run('tar', '-tzf', 'dist/one/files/platform-api-0.7.3.tar.gz').stdout.trim().split('\n');
    const tracked = git('ls-files').split('\n');
    expect(archived.filter((path) => !path.endsWith('/')).sort()).toEqual(
      tracked.map((path) => `platform-api-0.7.3/${path}`).sort(),
    );

    expect(list('dist/one/npm')).toEqual([
      'acme-platform-api-cli-0.7.3.tgz',
      'acme-platform-api-client-0.7.3.tgz',
    ]);
    const packed = run(
      'tar',
      '-xzOf',
      'dist/one/npm/acme-platform-api-cli-0.7.3.tgz',
      'package/package.json',
    ).stdout;
    expect(JSON.parse(packed)).toMatchObject({ name: '@acme/platform-api-cli', version: '0.7.3' });
    expect(packed).not.toContain('private');
    const wheel = `acme_platform_api-0.7.3-0g${digits}-py3-none-any.whl`;
    expect(list('dist/one/pypi')).toEqual([wheel]);

    // The same tag gives the same files. Without names in registries, nothing is there for them.
    git('clean', '--quiet', '--force', '-d', '-x', 'dist/downloads');
    const again = releaseFiles('dist/two', '--npm-scope', '', '--pypi-project', '');
    expect(again.status, again.stderr).toBe(0);
    expect(list('dist/two')).toEqual(['files', 'notes.md']);
    expect(read('dist/two/files/SHA256SUMS')).toBe(read('dist/one/files/SHA256SUMS'));
    expect(releaseFiles('dist/two').stderr).toContain('dist/two is not empty.');
    git('tag', '--delete', 'v0.7.3');
  });
});
