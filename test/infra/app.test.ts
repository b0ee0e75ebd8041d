/** `npx cdk`, where the system's Node may be older than the project's. */

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
import { afterAll, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { root } from '../../scripts/shared/root.ts';
import { workers } from '../../workers/index.ts';

const temporary = mkdtempSync(join(tmpdir(), 'cdk-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** @returns the folder of a copy of the tracked files, as after `git clone` and `npm ci` */
function freshClone(): string {
  const clone = join(temporary, 'clone');
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of listed.split('\0').filter(Boolean)) cpSync(join(root, file), join(clone, file));
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
  execFileSync(process.execPath, ['scripts/derive.ts'], { cwd: clone });
  return clone;
}

const output = join(temporary, 'cdk.out');

function synth(stage: string, cwd = root) {
  // Without the folders that npm scripts add to PATH: `node` is the system's, if any.
  const path = (process.env.PATH ?? '').split(':').filter((folder) => !folder.includes('node_modules'));
  const env = {
    ...process.env,
    PATH: path.join(':'),
    CDK_DISABLE_VERSION_CHECK: '1',
    CDK_VALIDATION: 'true',
  };
  const args = ['synth', '--quiet', '-c', `stage=${stage}`, '--output', output, '--no-notices'];
  const { status, stderr } = spawnSync('npx', ['--no', 'cdk', ...args], { cwd, env, encoding: 'utf8' });
  return { status, stderr };
}

type Template = { Resources: Record<string, { Type: string; Metadata?: Record<string, string> }> };

const assetOf = (id: string) => {
  const templates = globSync('*.template.json', { cwd: output });
  const resources = templates.flatMap((file) => {
    const { Resources } = JSON.parse(readFileSync(join(output, file), 'utf8')) as Template;
    return Object.values(Resources);
  });
  const found = resources.find(
    ({ Type, Metadata }) =>
      Type === 'AWS::Lambda::Function' && Metadata?.['aws:cdk:path']?.includes(`/${id}/`),
  );
  return join(output, found?.Metadata?.['aws:asset:path'] ?? 'none', 'index.mjs');
};

test('npx cdk synth shows warnings, and finds nothing in the templates', { tags: ['long'] }, () => {
  const { status, stderr } = synth('prod');
  const warning = 'Nobody receives the alarms of the stage prod';
  expect([status, stderr]).toEqual([0, expect.stringContaining(warning)]);
  const report = readFileSync(join(output, 'validation-report.json'), 'utf8');
  expect((JSON.parse(report) as { pluginReports: unknown[] }).pluginReports).toEqual([]);
});

// At each change, test/scripts/stamp.test.ts shows which bundles are stale.
test('in a fresh clone, npx cdk synth builds stale bundles again', { tags: ['nightly'] }, () => {
  const clone = freshClone();
  const stale = join(clone, 'dist/functions/health/index.mjs');
  mkdirSync(dirname(stale), { recursive: true });
  writeFileSync(stale, 'export const handler = () => "an earlier release";');
  expect(synth('prod', clone).status).toBe(0);
  for (const { id } of [...endpoints, ...workers]) {
    expect(readFileSync(assetOf(id), 'utf8'), id).toContain('handler');
  }
  expect(readFileSync(assetOf('health'), 'utf8')).not.toContain('an earlier release');
});

test('an unknown stage is reported in one sentence, without a stack trace', { tags: ['long'] }, () => {
  const { status, stderr } = synth('staging');
  expect(status).toBe(1);
  expect(stderr).toContain(
    'There is no stage "staging", only dev and prod. To add it, copy stages/prod.json to stages/staging.json',
  );
  expect(stderr).not.toMatch(/^\s+at /m);
});
