/** `npm run new`: what it writes compiles and passes its tests, and what it cannot do it says in one sentence. */

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventTypeNames } from '../../lib/events/types.ts';
import { insertBefore } from '../../scripts/new/change.ts';
import { newEndpoint } from '../../scripts/new/endpoint.ts';
import { newEvent } from '../../scripts/new/event.ts';
import { knownInFiles } from '../../scripts/new/known.ts';
import { type Known, planEndpoint } from '../../scripts/new/plan.ts';
import { newResource } from '../../scripts/new/resource.ts';
import { newWorker } from '../../scripts/new/worker.ts';
import { UsageError } from '../../scripts/shared/options.ts';
import { root } from '../../scripts/shared/root.ts';
import { type CopiedRepository, copyRepository } from '../support/copied-repository.ts';

const known: Known = {
  endpoints: [
    { id: 'health', method: 'GET', path: '/health', auth: 'public' },
    { id: 'projects.get', method: 'GET', path: '/projects/{project_id}', auth: [['projects:read']] },
    { id: 'avatars.list', method: 'GET', path: '/projects/{project_id}/avatars', auth: [['avatars:read']] },
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
  collections: new Map([['widgets', { store: 'lib/widgets/store.ts', table: 'widgets', Type: 'Widget' }]]),
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

test('a sample stands behind the other samples of its resource', async () => {
  const read = (file: string) => readFileSync(resolve(root, file), 'utf8');
  const repository = await knownInFiles();
  const file = 'samples/samples.ts';
  for (const [resource, path] of Object.entries({ avatars: '/avatars', webhooks: '/webhooks' })) {
    const asked = {
      id: `${resource}.count`,
      method: 'GET',
      path: `${resource === 'avatars' ? '/projects/{project_id}' : ''}${path}/count`,
    };
    const ids = [
      ...(newEndpoint(asked, repository, read).changed[file] ?? '').matchAll(/^ {2}'([\w.-]+)': /gm),
    ];
    const ofResource = ids.map(([, id = '']) => id.startsWith(`${resource}.`));
    expect(ids[ofResource.lastIndexOf(true)]?.[1]).toBe(asked.id);
    expect(ofResource.slice(ofResource.indexOf(true), ofResource.lastIndexOf(true) + 1)).not.toContain(false);
  }
});

test('an endpoint of a resource with environments refuses bound credentials until it is decided', async () => {
  const read = (file: string) => readFileSync(resolve(root, file), 'utf8');
  const repository = await knownInFiles();
  const declared = (id: string, path: string) => {
    const { created, next } = newEndpoint({ id, method: 'GET', path }, repository, read);
    return { text: Object.values(created)[0], next: next.join(' ') };
  };
  const counting = declared('conversations.count', '/projects/{project_id}/conversations/count');
  expect(counting.text).toContain("environments: { refused: 'Say here why");
  expect(counting.next).toContain('test/promises/bound-environments.test.ts');
  const avatars = declared('avatars.count', '/projects/{project_id}/avatars/count');
  expect(avatars.text).not.toContain('environments:');
  expect(avatars.next).not.toContain('bound-environments');
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
      list: undefined,
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
    [
      'widgets.list',
      'GET',
      '/widgets',
      'There is no resource widgets yet. Start the id with an existing resource',
    ],
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

const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

describe('a worker', () => {
  const taken = ['exporter', 'projects.get'];

  test('gets its declaration and a test', () => {
    const { created, changed } = newWorker('avatar-archiver', 'projects', taken);
    expect(Object.keys(created)).toEqual([
      'workers/avatar-archiver.ts',
      'test/lib/workers/avatar-archiver.test.ts',
    ]);
    expect(created['workers/avatar-archiver.ts']).toContain("sources: ['projects']");
    expect(changed).toEqual({});
  });

  test.each([
    ['Avatar_Archiver', 'projects', '"Avatar_Archiver" is not the id of a worker'],
    ['exporter', 'projects', 'There is a worker or an endpoint exporter already.'],
    ['avatar-archiver', 'widgets', 'There is no table "widgets": there are organisations, '],
    ['avatar-archiver', 'toString', 'There is no table "toString"'],
    ['avatar-archiver', 'audit', 'The table audit has no stream: set it in lib/dynamodb/tables.ts first.'],
  ])('%s of %s: %s…', (id, table, sentence) => {
    expect(() => newWorker(id, table, taken)).toThrow(sentence);
  });
});

describe('an event', () => {
  const types = [...eventTypeNames];

  test('stands with the other events of its resource', () => {
    const { changed } = newEvent('avatar.archived', types, read);
    const text = changed['lib/events/types.ts'] ?? '';
    expect(text).toMatch(/'avatar\.deleted': .*\n\s*'avatar\.archived': .*\n\s*'document\.created'/);
  });

  test('may be of the last resource', () => {
    const { changed } = newEvent('webhook.tested', types, read);
    expect(changed['lib/events/types.ts']).toMatch(/'webhook\.tested': .*\s*} as const;/);
  });

  test.each([
    ['avatar', '"avatar" is not a type of event'],
    ['Avatar.archived', 'is not a type of event'],
    ['avatar.created', 'There is an event avatar.created already.'],
    ['widget.created', 'No event is about "widget" yet: see "Add an event type" in CONTRIBUTING.md.'],
  ])('%s: %s…', (type, sentence) => {
    expect(() => newEvent(type, types, read)).toThrow(sentence);
  });
});

describe('a resource', () => {
  test('gets its schema, its store, two endpoints and their tests, and a line in each list', () => {
    const { created, changed } = newResource(['widgets', 'widget', 'wdg'], ['avatars'], read);
    expect(Object.keys(created)).toHaveLength(6);
    expect(changed['lib/base/ids.ts']).toContain("  widget: 'wdg',\n} as const;");
    expect(changed['lib/dynamodb/tables.ts']).toContain("variable: 'WIDGETS_TABLE'");
    expect(changed['samples/samples.ts']).toContain("'widgets.get'");
  });

  test.each<[string, string, string, string]>([
    ['Widgets', 'widget', 'wdg', '"Widgets" is not a word'],
    ['widgets', 'widgets', 'wdg', 'The plural and the singular must differ'],
    ['avatars', 'widget', 'wdg', 'There is a folder lib/avatars already.'],
    ['audit', 'widget', 'wdg', 'There is a table audit already.'],
    ['deploy', 'widget', 'wdg', 'There is a scope deploy:read already.'],
    ['widgets', 'avatar', 'wdg', 'There are ids of the kind avatar already.'],
    ['widgets', 'widget', 'avtr', 'There are ids with the prefix avtr_ already.'],
  ])('%s %s %s: %s…', (plural, singular, prefix, sentence) => {
    expect(() => newResource([plural, singular, prefix], ['avatars'], read)).toThrow(sentence);
  });
});

test('a line is inserted only where there is one place for it', () => {
  expect(insertBefore('a\n}', '}', 'b\n')).toBe('a\nb\n}');
  expect(() => insertBefore('a\n', '}', 'b\n')).toThrow('not exactly one place');
  expect(() => insertBefore('}}', '}', 'b\n')).toThrow('not exactly one place');
});

test.each([
  [[]],
  [['endpoint', 'projects.transfer', 'POST']],
  [['worker', 'avatar-archiver']],
  [['event']],
  [['resource', 'widgets']],
  [['table', 'widgets']],
])('npm run new -- %j shows how to use it, and writes nothing', (args) => {
  const { status, stderr } = spawnSync(process.execPath, [resolve(root, 'scripts/new.ts'), ...args], {
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Usage: npm run new -- endpoint/);
});

describe('in a copy of the repository', { tags: ['nightly'] }, () => {
  let copy: CopiedRepository;
  beforeAll(() => {
    copy = copyRepository();
  });
  afterAll(() => copy.remove());

  function run(command: string, ...args: string[]) {
    const { status, stdout, stderr } = copy.run(command, ...args);
    expect(status, `${command} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
  }
  const endpoints = [
    ['projects.transfer', 'POST', '/projects/{project_id}/transfer'],
    ['avatars.names', 'GET', '/projects/{project_id}/avatars/names'],
    ['api-keys.count', 'GET', '/api-keys/count'],
  ];

  const widgets = [
    ['widgets.list', 'GET', '/projects/{project_id}/widgets'],
    ['widgets.spin', 'POST', '/projects/{project_id}/widgets/{widget_id}/spin'],
  ];

  function add(...all: string[][]) {
    for (const one of all) run('node', 'scripts/new.ts', ...one);
  }

  /** Runs the layout test, the tests of these endpoints, and their parts of the contract. */
  function passOwn(ids: readonly string[], ...others: string[]) {
    const own = ids.map((id) => `test/functions/${id.replaceAll('.', '/')}.test.ts`);
    run('vitest', 'run', 'test/repository/layout.test.ts', ...others, ...own);
    const only = ['-t', ids.join('|').replaceAll('.', '\\.')];
    run('vitest', 'run', 'test/contract.test.ts', 'test/promises/statuses.test.ts', ...only);
  }

  test('new endpoints, workers and events pass the compiler, Biome, the layout test, their tests and the contract', () => {
    add(['worker', 'avatar-archiver', 'projects'], ['event', 'avatar.archived']);
    add(...endpoints.map((one) => ['endpoint', ...one]));
    run('tsc');
    run('biome', 'ci');
    passOwn(
      endpoints.map(([id = '']) => id),
      'test/lib/workers/avatar-archiver.test.ts',
    );
    expect(readFileSync(join(copy.folder, 'functions/index.ts'), 'utf8')).toContain(
      'POST   /projects/{project_id}/transfer',
    );
  });

  // The scope of a new resource is in the types of the client only after `npm run generate`.
  test('npm run generate writes everything else that new endpoints and resources need, and then nothing', () => {
    add(['resource', 'widgets', 'widget', 'wdg'], ...widgets.map((one) => ['endpoint', ...one]));
    run('node', 'scripts/generate.ts');
    run('node', 'scripts/generate.ts', '--check');
    run('tsc');
    run('biome', 'ci');
    passOwn(
      ['widgets.create', 'widgets.get', ...widgets.map(([id = '']) => id)],
      'test/repository/import-rules.test.ts',
    );
    expect(readFileSync(join(copy.folder, 'docs/storage.md'), 'utf8')).toContain(
      '| `projects.transfer` | new |',
    );
  });

  test('the example in CONTRIBUTING.md compiles', () => {
    const [, example = ''] =
      /```ts\n([\s\S]*?)```/.exec(readFileSync(join(copy.folder, 'CONTRIBUTING.md'), 'utf8')) ?? [];
    expect(example).toContain("id: 'projects.archive'");
    const file = join(copy.folder, 'functions/projects/archive.ts');
    writeFileSync(file, example);
    run('tsc');
    rmSync(file);
  });

  test('what there is already is refused in one sentence, and nothing is written', () => {
    const before = readFileSync(join(copy.folder, 'functions/index.ts'), 'utf8');
    const args = ['endpoint', 'projects.get', 'GET', '/projects/{project_id}'];
    const { status, stderr } = copy.run('node', 'scripts/new.ts', ...args);
    expect([status, stderr]).toEqual([1, 'There is an endpoint projects.get already.\n']);
    expect(readFileSync(join(copy.folder, 'functions/index.ts'), 'utf8')).toBe(before);
  });
});
