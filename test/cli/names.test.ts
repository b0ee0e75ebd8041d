/** Names work where ids do, and errors say what is wrong with them. */

import { beforeEach, describe, expect, test } from 'vitest';
import { jsonLines, useCli } from '../support/cli.ts';

const cli = useCli();
let project: typeof cli.project;
beforeEach(async () => {
  project = await cli.newProject();
});
const run = (...args: string[]) => cli.run(args, { env: project.env });
const created = async (...args: string[]) => String(jsonLines(await run(...args, '--json'))[0]?.id);
const persona = ['--prompt', 'p'];

test('an avatar, a webhook, a key, a document and a project can be named', async () => {
  const avatar = await created('avatars', 'create', '--name', 'Clara', ...persona);
  expect(jsonLines(await run('avatars', 'get', 'Clara', '--json'))).toMatchObject([{ id: avatar }]);
  const document = await created(
    'documents',
    'create',
    '--title',
    'Returns & more',
    '--data',
    '{"content":"a"}',
  );
  expect(jsonLines(await run('documents', 'get', 'Returns & more', '--json'))).toMatchObject([
    { id: document },
  ]);
  const key = await created('keys', 'create', '--name', 'nightly job', '--scope', 'projects:read');
  expect(jsonLines(await run('keys', 'get', 'nightly job', '--json'))).toMatchObject([{ id: key }]);
  const name = `Named ${project.id}`;
  const other = await created('projects', 'create', '--name', name);
  expect(jsonLines(await run('projects', 'get', name, '--json'))).toMatchObject([{ id: other }]);
  expect(jsonLines(await run('avatars', 'list', '--project', name, '--json'))).toEqual([]);
  const conversation = ['conversations', 'create', '--avatar', 'Clara', '--json'];
  expect(jsonLines(await run(...conversation))).toMatchObject([{ avatarId: avatar }]);
});

test('options that take ids of projects take names', async () => {
  const names = [`Bound ${project.id}`, `Other ${project.id}`];
  const ids: string[] = [];
  for (const name of names) ids.push(await created('projects', 'create', '--name', name));
  const given = (option: string) => names.flatMap((name) => [option, name]);
  const key = [
    'keys',
    'create',
    '--name',
    'bound',
    '--scope',
    'projects:read',
    ...given('--project-id'),
    '--json',
  ];
  expect(jsonLines(await run(...key))).toMatchObject([{ projectIds: ids }]);
  const webhook = ['webhooks', 'create', '--url', 'https://example.com/hook', '--event-type', 'job.failed'];
  const [made] = jsonLines(await run(...webhook, ...given('--project-id'), '--json'));
  expect(made).toMatchObject({ projectIds: ids });
  await run('webhooks', 'delete', String(made?.id), '--yes');
  expect(await run(...key.slice(0, -1), '--project-id', 'Nobody')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('There is no project with this id, external id or name'),
  });
});

describe('an external id', () => {
  test('names what put has made: an avatar, a document, a conversation and a project', async () => {
    const avatar = await created('avatars', 'put', 'nora', '--name', 'Nora', ...persona);
    const update = ['avatars', 'update', 'nora', '--prompt', 'q', '--json'];
    expect(jsonLines(await run(...update))).toMatchObject([{ id: avatar, version: 2 }]);
    expect(jsonLines(await run('avatars', 'versions', 'nora', '--json'))).toHaveLength(2);
    const content = ['--data', '{"content":"a"}'];
    const document = await created('documents', 'put', 'shop/returns.md', '--title', 'Returns', ...content);
    expect(jsonLines(await run('documents', 'get', 'shop/returns.md', '--json'))).toMatchObject([
      { id: document },
    ]);
    // As long as an id, with a prefix that no resource has.
    const call = 'call_0123456789abcdef01234567';
    const conversation = await created('conversations', 'put', call, '--avatar', 'nora');
    expect(jsonLines(await run('conversations', 'end', call, '--json'))).toMatchObject([
      { id: conversation, status: 'ended' },
    ]);
    expect(await run('conversations', 'transcript', 'another')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('There is no conversation with this id or external id: "another".'),
    });
    const site = `site-${project.id}`;
    const other = await created('projects', 'put', site, '--name', 'Site');
    expect(jsonLines(await run('avatars', 'list', '--project', site, '--json'))).toEqual([]);
    expect(jsonLines(await run('projects', 'get', site, '--json'))).toMatchObject([{ id: other }]);
  });

  test('comes before a name', async () => {
    await created('avatars', 'create', '--name', 'nora', ...persona);
    const avatar = await created('avatars', 'put', 'nora', '--name', 'Somebody', ...persona);
    expect(jsonLines(await run('avatars', 'get', 'nora', '--json'))).toMatchObject([{ id: avatar }]);
  });

  test('of documents in two sources lists both', async () => {
    const put = ['documents', 'put', 'returns.md', '--title', 'Returns', '--data', '{"content":"a"}'];
    const ids = [await created(...put, '--source', 'shop'), await created(...put, '--source', 'handbook')];
    const ran = await run('documents', 'delete', 'returns.md', '--yes');
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('Several have the external id "returns.md":');
    expect(ran.stderr).toContain(`  ${ids[0]}  shop`);
    expect(ran.stderr).toContain(`  ${ids[1]}  handbook`);
  });
});

test('a name that fits twice lists both', async () => {
  const ids = [
    await created('avatars', 'create', '--name', 'Eve', ...persona),
    await created('avatars', 'create', '--name', 'Eve', ...persona),
  ];
  const ran = await run('avatars', 'delete', 'Eve', '--yes');
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  for (const id of ids) expect(ran.stderr).toContain(`  ${id}  Eve`);
  expect(jsonLines(await run('avatars', 'list', '--json'))).toHaveLength(2);
});

test('a malformed id, an unknown one and an unknown name have different messages', async () => {
  const unknown = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
  expect(await run('avatars', 'get', unknown)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(`(GET /projects/${project.id}/avatars/${unknown})`),
  });
  expect(await run('avatars', 'get', unknown.slice(0, -1))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The id of an avatar is avtr_ and 26 characters.'),
  });
  expect(await run('avatars', 'get', project.id)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${project.id} is the id of something else.`),
  });
  expect(await run('avatars', 'get', 'Nobody')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('There is no avatar with this id, external id or name: "Nobody".'),
  });
  expect(await run('jobs', 'get', 'nightly')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'This is not an id: "nightly". The id of a job is job_ and 26 characters.',
    ),
  });
});

test('projects use takes a name', async () => {
  const { baseUrl, apiKey } = cli.service;
  const name = `Used ${project.id}`;
  const id = await created('projects', 'create', '--name', name);
  await cli.run(['login', '--base-url', baseUrl], { input: apiKey });
  expect(await cli.run(['projects', 'use', name])).toMatchObject({ code: 0 });
  expect(jsonLines(await cli.run(['whoami', '--json']))).toMatchObject([{ projectId: id }]);
});

describe('an invalid request', () => {
  test('names the option of each field, on a line of its own', async () => {
    const ran = await run('avatars', 'create', '--data', '{"knowledgeTags":["a","a"]}');
    expect(ran).toMatchObject({ code: 2 });
    expect(ran.stderr).toMatch(
      /^\s*--name \(name\): .*\n\s*--prompt \(persona\): .*\n\s*--knowledge-tag \(knowledgeTags\): .*$/m,
    );
  });

  test('is not needed to learn what is required', async () => {
    const { stdout } = await run('avatars', 'create', '--help');
    expect(stdout).toMatch(/--name <name> .*\(required\)/);
    expect(stdout).toMatch(/--prompt <text> .*\(required\)/);
    expect(stdout).not.toMatch(/--greeting <text> .*\(required\)/);
    expect((await run('avatars', 'update', '--help')).stdout).not.toContain('(required)');
  });
});

test('webhooks: create, list, get, update, test, deliveries, redeliver, rotate the secret, recover and delete', async () => {
  const url = 'https://example.com/hook';
  const [webhook] = jsonLines(
    await run(
      'webhooks',
      'create',
      '--url',
      url,
      '--event-type',
      'job.failed',
      '--event-type',
      'project.*',
      '--description',
      'ops',
      '--json',
    ),
  );
  expect(webhook).toMatchObject({
    url,
    eventTypes: ['job.failed', 'project.*'],
    secret: expect.stringMatching(/^whsec_/),
  });
  const id = String(webhook?.id);
  expect((await run('webhooks', 'list')).stdout).toContain(`${id}  ${url}`);
  expect(jsonLines(await run('webhooks', 'get', 'ops', '--json'))).toMatchObject([{ id, disabled: false }]);
  expect(jsonLines(await run('webhooks', 'update', 'ops', '--disabled', '--json'))).toMatchObject([
    { disabled: true },
  ]);
  expect(jsonLines(await run('webhooks', 'update', 'ops', '--disabled', 'false', '--json'))).toMatchObject([
    { disabled: false },
  ]);
  expect(jsonLines(await run('webhooks', 'rotate-secret', id, '--overlap', '1h', '--json'))).toMatchObject([
    { secret: expect.stringMatching(/^whsec_/) },
  ]);
  const again = ['webhooks', 'rotate-secret', id, '--idempotency-key', 'again'];
  expect(await run(...again)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/is valid until 20.*End it now.*--end-previous/s),
  });
  expect(await run(...again, '--end-previous')).toMatchObject({ code: 0 });
  const [delivery] = jsonLines(await run('webhooks', 'test', id, '--json'));
  expect(delivery).toMatchObject({ id: expect.stringMatching(/^dlv_/) });
  expect(jsonLines(await run('webhooks', 'deliveries', id, '--status', 'pending', '--json'))).toMatchObject([
    { id: delivery?.id },
  ]);
  expect((await run('webhooks', 'deliveries', id)).stdout).toMatch(
    /^ID +CREATED +STATUS +TYPE +TRIES +LAST +NEXT\ndlv_\w+ +(?:now|\d+ s ago) +pending +webhook\.test +0 +(?:now|\d+ s ago)$/m,
  );
  expect(await run('webhooks', 'recover', id, '--since', '2h')).toMatchObject({ code: 0 });
  expect(await run('webhooks', 'recover', id)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--since is required'),
  });
  expect(await run('webhooks', 'redeliver', id, String(delivery?.id))).toMatchObject({
    code: expect.any(Number),
  });
  expect(await run('webhooks', 'delete', id)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Add --yes'),
  });
  expect(await run('webhooks', 'delete', id, '--yes')).toMatchObject({ code: 0 });
  expect(jsonLines(await run('webhooks', 'list', '--json'))).toEqual([]);
});
