/** What is built for downloads: the same bytes each time, and packages that their tools accept. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { releaseFile } from '../../lib/downloads/downloads.ts';
import type { FileRelease } from '../../lib/downloads/releases.ts';
import { buildDownloads, downloadVersion, ensureDownloads } from '../../scripts/downloads/build.ts';

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
