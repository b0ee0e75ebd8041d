/** What is built for downloads: the same bytes each time, and packages that their tools accept. The wheel is built without Python. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { releaseFile } from '../../lib/downloads/downloads.ts';
import type { FileRelease } from '../../lib/downloads/releases.ts';
import { buildDownloads, downloadVersion, ensureDownloads } from '../../scripts/downloads/build.ts';
import { readPyproject } from '../../scripts/downloads/python-client.ts';
import { wheelName, wheelOf } from '../../scripts/downloads/wheel.ts';

describe('the version', () => {
  const sources = '05f3b660aa';
  test.each([
    ['1bc1bbf83d9e', '0.2.0-g1bc1bbf'],
    ['1bc1bbf83d9e-dirty', '0.2.0-g1bc1bbfx05f3b660'],
    ['unknown', '0.2.0-g0000000x05f3b660'],
  ])('of the commit %s is %s', (commit, version) => {
    expect(downloadVersion('0.2.0', commit, () => sources)).toBe(version);
  });
});

describe('the files', () => {
  let folder: string;
  let release: FileRelease;
  beforeAll(async () => {
    folder = await ensureDownloads();
    release = JSON.parse(readFileSync(join(folder, releaseFile), 'utf8'));
  });

  test('are described, and no others are there', () => {
    const names = [releaseFile, ...release.files.map(({ file }) => file)];
    expect(readdirSync(folder).sort()).toEqual(names.sort());
    expect(release.files.map(({ kind }) => kind)).toEqual(['cli', 'typescript', 'python']);
  });

  test('have the same bytes when they are built again, by somebody who keeps files to themselves', {
    tags: ['long'],
  }, async () => {
    const again = mkdtempSync(join(tmpdir(), 'platform-downloads-'));
    const umask = process.umask(0o077);
    onTestFinished(() => {
      process.umask(umask);
      rmSync(again, { recursive: true, force: true });
    });
    const { files } = await buildDownloads(again, release.version);
    expect(files).toEqual(release.files);
  });

  test('of npm are packages with this version, without scripts', () => {
    for (const { file, kind } of release.files) {
      if (kind === 'python') continue;
      const text = execFileSync('tar', ['-xzOf', join(folder, file), 'package/package.json'], {
        encoding: 'utf8',
      });
      const manifest = JSON.parse(text) as Record<string, unknown>;
      expect(manifest).toMatchObject({ version: release.version, private: true });
      expect(manifest.scripts ?? manifest.dependencies).toBeUndefined();
    }
  });
});

const text = (content: string) => new TextEncoder().encode(content);
const files = { 'my_tool/b.py': text('b = 1\n'), 'my_tool/a.py': text('a = 1\n'.repeat(1000)) };
const project = {
  name: 'my-tool',
  description: 'A tool.',
  license: 'MIT',
  requiresPython: '>=3.10',
  classifiers: ['Typing :: Typed'],
  extras: { fast: ['quick>=1'] },
  licence: 'You may.\n',
  readme: '# Tool\n',
};
const version = { version: '1.2.0', build: '0gabc' };

const read = (bytes: Uint8Array) =>
  Object.fromEntries(
    Object.entries(unzipSync(bytes)).map(([path, content]) => [path, new TextDecoder().decode(content)]),
  );

describe('a wheel', () => {
  const bytes = wheelOf(files, project, version);

  test('has its files sorted, then its description, and last their hashes', () => {
    const content = read(bytes);
    const info = 'my_tool-1.2.0.dist-info';
    const paths = [
      'my_tool/a.py',
      'my_tool/b.py',
      ...['LICENSE', 'METADATA', 'WHEEL', 'RECORD'].map((one) => `${info}/${one}`),
    ];
    expect(Object.keys(content)).toEqual(paths);
    const recorded = (content[`${info}/RECORD`] ?? '').trimEnd().split('\n');
    const expected = paths.slice(0, -1).map((path) => {
      const hash = createHash('sha256')
        .update(content[path] ?? '')
        .digest('base64url');
      return `${path},sha256=${hash},${content[path]?.length}`;
    });
    expect(recorded).toEqual([...expected, `${info}/RECORD,,`]);
    expect(content[`${info}/WHEEL`]).toContain('\nTag: py3-none-any\nBuild: 0gabc\n');
    expect(content[`${info}/METADATA`]).toContain(
      '\nProvides-Extra: fast\nRequires-Dist: quick>=1; extra == "fast"\n',
    );
    expect(content[`${info}/METADATA`]).toMatch(/\n\n# Tool\n$/);
  });

  test('is compressed, and has no time of its own', () => {
    expect(bytes.length).toBeLessThan(3000);
    const reordered = Object.fromEntries(Object.entries(files).reverse());
    const before = process.env.TZ;
    process.env.TZ = 'Pacific/Kiritimati';
    try {
      expect(wheelOf(reordered, project, version)).toEqual(bytes);
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
    // The time 00:00 and the day 1980-01-01, as zip writes them.
    expect([...bytes.subarray(10, 14)]).toEqual([0, 0, 33, 0]);
  });

  test('is named after its package, version and build', () => {
    expect(() => wheelOf(files, project, { version: '1.2.0', build: '0gabc.x1' })).not.toThrow();
    expect(wheelName('my-tool', version)).toBe('my_tool-1.2.0-0gabc-py3-none-any.whl');
  });

  test.each([
    { version: '1.2.0-g1', build: '0' },
    { version: '', build: '0' },
    { version: '1.2.0', build: 'g1' },
    { version: '1.2.0', build: '0-1' },
  ])('has no version $version with build $build', (wrong) => {
    expect(() => wheelOf(files, project, wrong)).toThrow('a wheel cannot have');
  });
});

describe('pyproject.toml', () => {
  const toml = `[project]
name = "my-tool"
description = "A tool, = [x]."
license = "MIT"
requires-python = ">=3.10"
dependencies = []
classifiers = [
  "One :: A",
  "Two",
]

[project.optional-dependencies]
fast = ["quick>=1", "swift"]

[tool.other]
name = "another"
`;

  test('is read as far as the wheel needs it', () => {
    expect(readPyproject(toml)).toEqual({
      name: 'my-tool',
      description: 'A tool, = [x].',
      license: 'MIT',
      requiresPython: '>=3.10',
      classifiers: ['One :: A', 'Two'],
      extras: { fast: ['quick>=1', 'swift'] },
    });
  });

  test('without a field is refused', () => {
    expect(() => readPyproject(toml.replace('license', 'licence'))).toThrow('pyproject.toml has no license');
  });
});
