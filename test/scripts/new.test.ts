/** `npm run new`: what it writes compiles and passes its tests, and what it cannot do it says in one sentence. */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { knownInFiles } from '../../scripts/new/known.ts';
import { type Known, planEndpoint } from '../../scripts/new/plan.ts';
import { UsageError } from '../../scripts/shared/options.ts';
import { root } from '../../scripts/shared/root.ts';

const known: Known = {
  endpoints: [
    { id: 'health', method: 'GET', path: '/health', auth: 'public' },
    { id: 'projects.get', method: 'GET', path: '/projects/{project_id}', auth: 'projects:read' },
    { id: 'avatars.list', method: 'GET', path: '/projects/{project_id}/avatars', auth: 'avatars:read' },
  ],
  idKinds: new Map([
    ['project_id', 'project'],
    ['avatar_id', 'avatar'],
    ['job_id', 'job'],
  ]),
  loads: new Map([
    ['projectInPath', 'lib/projects/store.ts'],
    ['avatarInPath', 'lib/avatars/store.ts'],
  ]),
};

test('an action can be added to everything whose path ends in an id', async () => {
  const repository = await knownInFiles();
  const ids = [...repository.idKinds.keys()].map((name) => `{${name}}`);
  const shown = repository.endpoints.filter(
    ({ method, path }) => method === 'GET' && ids.some((name) => path.endsWith(name)),
  );
  expect(shown.length).toBeGreaterThan(5);
  for (const { id, path } of shown) {
    const asked = { id: id.replace(/\w+$/, 'brand-new'), method: 'POST', path: `${path}/brand-new` };
    expect(planEndpoint(asked, repository).sampleFrom?.id, id).toBe(id);
  }
});

describe('a plan', () => {
  test('of an action on a project loads the project, and takes the sample of the endpoint that shows it', () => {
    const path = '/projects/{project_id}/transfer';
    expect(planEndpoint({ id: 'projects.transfer', method: 'POST', path }, known)).toEqual({
      id: 'projects.transfer',
      method: 'POST',
      path,
      scope: 'projects:write',
      params: [{ name: 'project_id', kind: 'project' }],
      project: undefined,
      load: { kind: 'project', name: 'projectInPath', file: 'lib/projects/store.ts' },
      sampleFrom: { id: 'projects.get', rest: '/transfer' },
    });
  });

  test('of a read below a project takes archived ones too, and loads nothing that the pipeline reads anyway', () => {
    const path = '/projects/{project_id}/avatars/names';
    expect(planEndpoint({ id: 'avatars.names', method: 'GET', path }, known)).toMatchObject({
      scope: 'avatars:read',
      project: 'existing',
      load: undefined,
      sampleFrom: { id: 'projects.get', rest: '/avatars/names' },
    });
  });

  test.each([
    ['transfer', 'POST', '/projects', '"transfer" is not an id'],
    ['Projects.Transfer', 'POST', '/projects', 'is not an id'],
    [
      'projects.transfer',
      'SEND',
      '/projects',
      '"SEND" is not a method: use one of GET, POST, PUT, PATCH, DELETE.',
    ],
    ['projects.transfer', 'POST', 'projects', '"projects" is not a path'],
    ['projects.transfer', 'POST', '/projects/', 'is not a path'],
    ['projects.get', 'POST', '/projects/latest', 'There is an endpoint projects.get already.'],
    [
      'projects.show',
      'GET',
      '/projects/{project_id}',
      'There is an endpoint GET /projects/{project_id} already.',
    ],
    ['widgets.list', 'GET', '/widgets', 'There is no resource widgets yet: see "Add a resource"'],
    ['health.deep', 'GET', '/health/deep', 'There is no resource health yet'],
    ['projects.show', 'GET', '/projects/{name}', 'No endpoint has an id as {name}'],
    ['avatars.show', 'POST', '/projects/{project_id}/jobs/{job_id}/x', 'lib/ has no load jobInPath yet'],
    [
      'avatars.clone',
      'POST',
      '/projects/{project_id}/avatars/{avatar_id}/clone',
      'There is no GET /projects/{project_id}/avatars/{avatar_id} yet',
    ],
  ])('%s %s %s: %s…', (id, method, path, sentence) => {
    const plan = () => planEndpoint({ id, method, path }, known);
    expect(plan).toThrow(UsageError);
    expect(plan).toThrow(sentence);
  });
});

test.each([[[]], [['endpoint', 'projects.transfer', 'POST']], [['table', 'widgets']]])(
  'npm run new -- %j shows how to use it, and writes nothing',
  (args) => {
    const { status, stderr } = spawnSync(process.execPath, [resolve(root, 'scripts/new.ts'), ...args], {
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Usage: npm run new -- endpoint/);
  },
);

describe('in a copy of the repository', { tags: ['long'] }, () => {
  let folder: string;
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_|VITE|TEST$|DEV$|PROD$|MODE$)/i.test(name),
  );
  function run(command: string, ...args: string[]) {
    const tools = resolve(root, 'node_modules/.bin');
    const env = { ...Object.fromEntries(kept), PATH: `${tools}:${process.env.PATH}` };
    const options = { cwd: folder, env, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
    const { status, stdout, stderr } = spawnSync(resolve(tools, command), args, options);
    expect(status, `${command} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
  }

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'new-endpoint-'));
    const leftOut = ['.git', '.local', 'node_modules', 'dist', 'cdk.out'].map((name) => resolve(root, name));
    cpSync(root, folder, { recursive: true, filter: (source) => !leftOut.includes(source) });
    symlinkSync(resolve(root, 'node_modules'), join(folder, 'node_modules'));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('new endpoints pass the compiler, Biome, the layout test and the contract', () => {
    const added = [
      ['projects.transfer', 'POST', '/projects/{project_id}/transfer'],
      ['avatars.names', 'GET', '/projects/{project_id}/avatars/names'],
      ['api-keys.count', 'GET', '/api-keys/count'],
    ];
    for (const one of added) run('node', 'scripts/new.ts', 'endpoint', ...one);
    run('tsc');
    run('biome', 'ci');
    const ids = added.map(([id = '']) => id);
    const own = ids.map((id) => `test/functions/${id.replaceAll('.', '/')}.test.ts`);
    run('vitest', 'run', 'test/repository/layout.test.ts', ...own);
    run(
      'vitest',
      'run',
      'test/contract.test.ts',
      'test/promises/statuses.test.ts',
      '-t',
      ids.join('|').replaceAll('.', '\\.'),
    );
    expect(readFileSync(join(folder, 'functions/index.ts'), 'utf8')).toContain(
      'POST   /projects/{project_id}/transfer',
    );
  });

  test('the tables that follow from the declarations are written, and their tests pass', () => {
    run('node', 'bench/run.ts', 'stacks', 'costs', 'limits', '--write');
    run('vitest', 'run', 'test/bench/limits.test.ts', 'test/bench/costs.test.ts');
  });

  test('the example in CONTRIBUTING.md compiles', () => {
    const [, example = ''] =
      /```ts\n([\s\S]*?)```/.exec(readFileSync(join(folder, 'CONTRIBUTING.md'), 'utf8')) ?? [];
    expect(example).toContain("id: 'projects.archive'");
    const file = join(folder, 'functions/projects/archive.ts');
    writeFileSync(file, example);
    run('tsc');
    rmSync(file);
  });

  test('an endpoint that there is already is refused in one sentence, and nothing is written', () => {
    const before = readFileSync(join(folder, 'functions/index.ts'), 'utf8');
    const args = ['scripts/new.ts', 'endpoint', 'projects.get', 'GET', '/projects/{project_id}'];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, 'There is an endpoint projects.get already.\n']);
    expect(readFileSync(join(folder, 'functions/index.ts'), 'utf8')).toBe(before);
  });
});
