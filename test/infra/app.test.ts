/** `npx cdk` in a fresh clone, where nothing is built and the system's Node may be older than the project's. */

import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { root } from '../../scripts/shared/root.ts';
import { workers } from '../../workers/index.ts';

let clone: string;

/** A copy of the tracked files, as after `git clone` and `npm ci`. */
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'clone-'));
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of listed.split('\0').filter(Boolean)) cpSync(join(root, file), join(clone, file));
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

function cdk(...args: string[]) {
  // Without the folders that npm scripts add to PATH: `node` is the system's, if any.
  const path = (process.env.PATH ?? '').split(':').filter((folder) => !folder.includes('node_modules'));
  const env = {
    ...process.env,
    PATH: path.join(':'),
    CDK_DISABLE_VERSION_CHECK: '1',
    CDK_VALIDATION: 'true',
  };
  const { status, stdout, stderr } = spawnSync('npx', ['--no', 'cdk', ...args, '--no-notices'], {
    cwd: clone,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

type Template = { Resources: Record<string, { Type: string; Metadata?: Record<string, string> }> };

const assetOf = (id: string) => {
  const templates = globSync('cdk.out/*.template.json', { cwd: clone });
  const resources = templates.flatMap((file) => {
    const { Resources } = JSON.parse(readFileSync(join(clone, file), 'utf8')) as Template;
    return Object.values(Resources);
  });
  const found = resources.find(
    ({ Type, Metadata }) =>
      Type === 'AWS::Lambda::Function' && Metadata?.['aws:cdk:path']?.includes(`/${id}/`),
  );
  return join(clone, 'cdk.out', found?.Metadata?.['aws:asset:path'] ?? 'none', 'index.mjs');
};

test('npx cdk synth builds stale bundles again', { tags: ['long'] }, () => {
  const stale = join(clone, 'dist/functions/health/index.mjs');
  mkdirSync(dirname(stale), { recursive: true });
  writeFileSync(stale, 'export const handler = () => "an earlier release";');
  const { status, stderr } = cdk('synth', '--quiet', '-c', 'stage=prod');
  // The warning is shown and is not an error.
  expect([status, stderr]).toEqual([
    0,
    expect.stringContaining('Nobody receives the alarms of the stage prod'),
  ]);
  for (const { id } of [...endpoints, ...workers]) {
    expect(readFileSync(assetOf(id), 'utf8'), id).toContain('handler');
  }
  expect(readFileSync(assetOf('health'), 'utf8')).not.toContain('an earlier release');
  // CDK's checks of the templates ran, and found nothing.
  const report = readFileSync(join(clone, 'cdk.out/validation-report.json'), 'utf8');
  expect((JSON.parse(report) as { pluginReports: unknown[] }).pluginReports).toEqual([]);
});

test('an unknown stage is reported in one sentence, without a stack trace', { tags: ['long'] }, () => {
  const { status, stderr } = cdk('synth', '--quiet', '-c', 'stage=staging');
  expect(status).toBe(1);
  expect(stderr).toContain(
    'There is no stage "staging", only dev and prod. To add it, copy stages/prod.json to stages/staging.json',
  );
  expect(stderr).not.toMatch(/^\s+at /m);
});
