/** The nightly job in docs/jobs.md: GitHub Actions runs the same commands as the shell script, which the documents' tests run. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../../scripts/shared/root.ts';
import { expectPinnedActions, type Step } from '../support/workflows.ts';

type Workflow = {
  on: { schedule: { cron: string }[] };
  permissions: unknown;
  jobs: { nightly: { env: Record<string, string>; steps: Step[] } };
};

const text = readFileSync(resolve(root, 'docs/jobs.md'), 'utf8');
const found = (pattern: RegExp) => pattern.exec(text)?.[1] ?? '';
const script = found(/<<'SCRIPT'\n(#!\/bin\/sh\n[\s\S]*?\n)SCRIPT\n/);
const yaml = found(/```yaml\n([\s\S]*?)```/);
const workflow = parse(yaml, { strict: true }) as Workflow;
const { env, steps } = workflow.jobs.nightly;

const commands = script.split('\n').filter((line) => line.startsWith('platform '));

test('the workflow runs the commands of the script, in their order, after it has installed them', () => {
  expect(script.trim().split('\n')).toEqual(['#!/bin/sh', 'set -eu', 'cd "$(dirname "$0")"', ...commands]);
  expect(commands.length).toBeGreaterThan(3);
  const runs = steps.flatMap(({ run }) => run ?? []);
  expect(runs).toEqual([
    'npm install --global "$PLATFORM_BASE_URL/downloads/platform-api-cli.tgz"',
    'platform login --oidc',
    ...commands,
  ]);
});

test('it sets the variables that the script uses, and in place of the key an audience: it has no secret', () => {
  const exported = [...text.matchAll(/\b(PLATFORM_[A-Z_]+)=/g)].map(([, name]) => name);
  const used = [...script.matchAll(/\$\{?([A-Z_]+)/g)].map(([, name]) => name);
  const needed = [...exported, ...used].map((name) =>
    name === 'PLATFORM_API_KEY' ? 'PLATFORM_AUDIENCE' : name,
  );
  expect(Object.keys(env).sort()).toEqual([...new Set(needed)].sort());
  for (const value of Object.values(env)) expect(value).toMatch(/^\$\{\{ (vars|github)\.\w+ \}\}$/);
});

test('it starts every day, may only read and ask for its tokens, and keeps the file that the export writes', () => {
  expect(workflow.on.schedule.map(({ cron }) => cron)).toEqual([
    expect.stringMatching(/^\d{1,2} \d{1,2} \* \* \*$/),
  ]);
  expect(workflow.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  expect(commands.at(-1)).toMatch(/ --from yesterday -o "\$\(.*now - 86400 .*\)\.jsonl"$/);
  expect(steps.at(-1)).toMatchObject({
    uses: expect.stringContaining('actions/upload-artifact@'),
    with: { path: '*.jsonl' },
  });
});

test('it pins each action to a commit, and says which version it is', () => {
  expectPinnedActions(yaml, steps);
});
