/** What all commands have in common: results, errors, exit codes, colours. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import messageIndexer from '../../workers/message-indexer.ts';
import userEraser from '../../workers/user-eraser.ts';
import { jsonLines, useCli } from '../support/cli.ts';
import { extract, sendFile } from '../support/extractions.ts';
import { pagesOfText } from '../support/long-texts.ts';
import { noticesSince } from '../support/usage.ts';

const cli = useCli({ workers: [messageIndexer, userEraser] });
const run = (...args: string[]) => cli.run(args, { env: cli.project.env });
const json = async (...args: string[]) => jsonLines(await run(...args, '--json'));
/** The project, for what only workers do. */
const inProject = () => ({
  ...cli.api,
  projectId: cli.project.id,
  path: `/projects/${cli.project.id}/knowledge/documents`,
});
const avatar = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';

describe('resources', () => {
  test('a key: create, list, get, update, revoke', async () => {
    const [key] = await json(
      'keys',
      'create',
      '--name',
      'ci',
      '--scope',
      'projects:read',
      '--expires-in',
      '2d',
    );
    expect(key).toMatchObject({ name: 'ci', secret: expect.stringMatching(/^sk_live_/) });
    const id = String(key?.id);
    expect(await json('keys', 'get', id)).toMatchObject([{ id }]);
    const update = ['keys', 'update', id, '--scope', 'avatars:read', '--scope', 'projects:read'];
    expect(await json(...update)).toMatchObject([{ scopes: ['avatars:read', 'projects:read'] }]);
    expect(await run('keys', 'revoke', id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--yes'),
    });
    expect(await json('keys', 'revoke', id, '--yes')).toMatchObject([{ status: 'revoked' }]);
    expect((await run('keys', 'list', '--status', 'revoked')).stdout).toMatch(
      new RegExp(`^${id} +ci +`, 'm'),
    );
    expect(JSON.stringify(await json('keys', 'list'))).not.toContain(key?.secret);
  });

  test('a key: rotate, the one in use and another one; revoke with its children', async () => {
    const [key] = await json('keys', 'create', '--name', 'ci', '--scope', 'api-keys:write');
    const id = String(key?.id);
    const own = { ...cli.project.env, PLATFORM_API_KEY: String(key?.secret) };
    const rotated = await cli.run(['keys', 'rotate', 'me', '--overlap', '2h', '--json'], { env: own });
    expect(rotated.stderr).toMatch(/Keep the secret: it is not shown again\. The old one is valid until 20/);
    const [{ secret, previousSecretExpiresAt } = {}] = jsonLines(rotated);
    expect([secret === key?.secret, previousSecretExpiresAt]).toEqual([false, expect.any(String)]);
    const fresh = { ...cli.project.env, PLATFORM_API_KEY: String(secret) };
    for (const env of [own, fresh]) expect((await cli.run(['keys', 'get', 'me'], { env })).code).toBe(0);
    const again = ['keys', 'rotate', id, '--overlap', '0s', '--idempotency-key', 'rotate-1'];
    expect(await run(...again)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is valid until 20.*End it now.*--end-previous/s),
    });
    const once = [...again, '--end-previous'];
    const ended = await run(...once);
    expect(ended.stderr).toContain('The old one has ended.');
    expect((await run(...once)).stdout).toBe(ended.stdout);
    for (const env of [own, fresh]) expect((await cli.run(['keys', 'get', 'me'], { env })).code).toBe(3);
    expect(await json('keys', 'revoke', id, '--children', '--yes')).toMatchObject([
      { status: 'revoked', childrenRevocation: { finishedAt: null } },
    ]);
  });

  test('a key with a limit, and those that a key created', async () => {
    const create = ['keys', 'create', '--name', 'limited', '--scope', 'api-keys:write'];
    const [key] = await json(...create, '--rate-limit', '1000/1h');
    expect(key?.rateLimit).toEqual({ requests: 1000, per: '1h' });
    const update = ['keys', 'update', String(key?.id), '--rate-limit'];
    expect(await json(...update, '5/1s')).toMatchObject([{ rateLimit: { requests: 5, per: '1s' } }]);
    expect(await json(...update, 'none')).toMatchObject([{ rateLimit: null }]);
    for (const limit of ['100', '0/1m', '10/1d', '-1/1s', '1.5/1s']) {
      expect(await run(...update, limit)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('100/1m'),
      });
    }
    const own = { ...cli.project.env, PLATFORM_API_KEY: String(key?.secret) };
    const child = await cli.run(['keys', 'create', '--name', 'child', '--scope', 'api-keys:read', '--json'], {
      env: own,
    });
    const [{ id } = {}] = jsonLines(child);
    expect((await json('keys', 'list', '--created-by', String(key?.id))).map((one) => one.id)).toEqual([id]);
  });

  test('a key for an address, for longer, and ended by itself', async () => {
    const [key] = await json(
      'keys',
      'create',
      '--name',
      'a',
      '--scope',
      'audit:read',
      '--allowed-cidr',
      '127.0.0.0/8',
    );
    const changed = await json(
      'keys',
      'update',
      String(key?.id),
      '--expires-in',
      '1h',
      '--allowed-cidr',
      '::1/128',
    );
    expect(changed).toMatchObject([{ allowedCidrs: ['::1/128'] }]);
    const before = new Date(Date.now() + 2 * 3_600_000).toISOString();
    const soon = await json('keys', 'list', '--status', 'active', '--expires-before', before);
    expect(soon).toMatchObject([{ id: key?.id }]);
    const env = { ...cli.project.env, PLATFORM_API_KEY: String(key?.secret) };
    expect((await cli.run(['keys', 'get', 'me'], { env })).code).toBe(3);
    await run('keys', 'update', String(key?.id), '--allowed-cidr', '127.0.0.1/32');
    expect(jsonLines(await cli.run(['keys', 'revoke', 'me', '--yes', '--json'], { env }))).toMatchObject([
      { id: key?.id, status: 'revoked' },
    ]);
  });

  test('usage: limits and quotas, as a table and as JSON', async () => {
    const [usage] = await json('usage');
    expect(usage).toMatchObject({
      mode: 'live',
      rateLimits: { key: null },
      quotas: { jobs: { limit: null } },
    });
    const { stdout } = await run('usage');
    expect(stdout).toMatch(/^requests \(organisation\) +none/m);
    expect(stdout).toMatch(/^WHAT +LIMIT +USED +COUNTED THROUGH +RESETS/m);
    expect(stdout).toMatch(/^messages +none +\d/m);
  });

  test('usage days: a table with all days together, and JSON', async () => {
    const [days] = await json('usage', 'days', '--from', '7d', '--to', 'now');
    expect(days).toEqual({
      items: expect.any(Array),
      totals: expect.objectContaining({ bytes: expect.any(Number) }),
      countedThrough: days?.countedThrough,
      projects: null,
    });
    const { stdout } = await run('usage', 'days');
    expect(stdout).toMatch(
      /^DAY +DOCUMENTS +BYTES +CONVERSATIONS +MESSAGES +EXPORTED RECORDS +MODEL COST USD/m,
    );
    expect(stdout).toMatch(/^all +\d/m);
  });

  test('usage of a project, and of each project: as tables, JSON and CSV', async () => {
    const [project] = await json('projects', 'create', '--name', '=Shop');
    const id = String(project?.id);
    const { count } = noticesSince(cli.api);
    for (let n = 0; n < 2; n += 1) await cli.api.createConversation({}, id);
    await count();
    const [today] = await json('usage', '--project', id);
    expect(today).toMatchObject({ projectId: id, conversations: 2 });
    const day = String(today?.day);
    expect((await run('usage', '--project', '=Shop')).stdout).toMatch(
      new RegExp(`^${day} +0 +0 +2 +0 +0 +0$`, 'm'),
    );
    expect(await json('usage', 'days', '--project', id)).toMatchObject([
      { items: [{ day, conversations: 2 }], totals: { conversations: 2 } },
    ]);
    expect((await run('usage', 'days', '--project', id)).stdout).toMatch(/^all +0 +0 +2 /m);
    const [grouped] = await json('usage', 'days', '--group-by', 'project');
    const { items: shown } = (grouped?.projects ?? {}) as { items?: unknown[] };
    expect(shown?.[0]).toMatchObject({ projectId: id, name: '=Shop', totals: { conversations: 2 } });
    // A spreadsheet would calculate the name.
    const row = [id, "'=Shop", day, 0, 0, 2, 0, 0, 0].join(',');
    const csv = await run('usage', 'days', '--group-by', 'project', '--csv');
    expect(csv.stdout.split('\r\n').slice(0, 2)).toEqual([
      'project,name,day,documents,bytes,conversations,messages,exported records,model cost USD',
      row,
    ]);
    expect((await run('usage', 'days', '--csv', '--project', id)).stdout).toContain(`${day},0,0,2,0,0,0\r\n`);
    expect((await run('usage', '--group-by', 'project', '--csv')).stdout).toContain(
      row.replace(`${day},`, ''),
    );
    const table = (await run('usage', 'days', '--group-by', 'project')).stdout;
    expect(table).toMatch(new RegExp(`^${id} +=Shop +${day} +0 +0 +2 `, 'm'));
    expect(table).toMatch(/^all +all +\d/m);
    expect((await run('usage', '--csv')).stdout).toMatch(/^what,limit,used,counted through,resets\r\n/);
  });

  test('usage reads all pages of projects', async () => {
    const { count } = noticesSince(cli.api);
    const ids = await Promise.all(Array.from({ length: 101 }, () => cli.api.createProject()));
    for (const id of ids) await cli.api.createConversation({}, id);
    await count();
    const { stdout } = await run('usage', 'days', '--group-by', 'project', '--csv');
    for (const id of ids) expect(stdout).toContain(id);
  });

  test.each([
    [['--project', 'own', '--group-by', 'project'], 'leave out --project'],
    [['--csv', '--json'], 'choose one'],
    [['--group-by', 'day'], 'Allowed choices are project'],
  ])('usage refuses %j', async (options, message) => {
    for (const command of [['usage'], ['usage', 'days']]) {
      const given = options.map((option) => (option === 'own' ? cli.project.id : option));
      const { code, stderr } = await run(...command, ...given);
      expect(code).toBe(2);
      expect(stderr).toContain(message);
    }
  });

  test('a project: create, get, update, delete, purge, restore', async () => {
    const [created] = await json('projects', 'create', '--name', 'Shop', '--metadata', 'team=a=b');
    const id = String(created?.id);
    expect(await json('projects', 'get', id)).toMatchObject([{ name: 'Shop', metadata: { team: 'a=b' } }]);
    expect(await json('projects', 'update', id, '--name', 'Store')).toMatchObject([{ name: 'Store' }]);
    expect(await json('projects', 'delete', id, '--yes')).toMatchObject([{ status: 'deleted' }]);
    expect(await json('projects', 'purge', id)).toMatchObject([{ status: 'scheduled' }]);
    expect(await json('projects', 'restore', id)).toMatchObject([{ status: 'active' }]);
  });

  test('an avatar: create, update, versions, delete', async () => {
    const file = join(cli.home, 'avatar.json');
    writeFileSync(file, JSON.stringify({ name: 'Replaced', persona: { prompt: 'You help.' } }));
    const [created] = await json('avatars', 'create', '--name', 'Clara', '--data', `@${file}`);
    expect(created).toMatchObject({ name: 'Clara', persona: { prompt: 'You help.' } });
    const id = String(created?.id);
    expect(await json('avatars', 'update', id, '--greeting', 'Hello')).toMatchObject([
      { persona: { prompt: 'You help.', greeting: 'Hello' } },
    ]);
    writeFileSync(file, '{"tools":[{"name":"find_order"}]}');
    expect(await json('avatars', 'update', id, '--runtime', `@${file}`)).toMatchObject([
      { runtime: { tools: [{ name: 'find_order' }] } },
    ]);
    expect(await json('avatars', 'update', id, '--runtime', 'null')).toMatchObject([{ runtime: null }]);
    const model = ['--model', 'some.model', '--temperature', '0.25', '--max-tokens', '300'];
    expect(await json('avatars', 'update', id, ...model)).toMatchObject([
      { model: { modelId: 'some.model', temperature: 0.25, maxTokens: 300 } },
    ]);
    expect(await json('avatars', 'update', id, '--model', 'null')).toMatchObject([{ model: null }]);
    expect(await run('avatars', 'update', id, '--temperature', '0.5')).toMatchObject({ code: 2 });
    expect(await run('avatars', 'update', id, '--model', 'm', '--temperature', 'hot')).toMatchObject({
      code: 2,
    });
    expect(await json('avatars', 'versions', id)).toHaveLength(6);
    expect(await json('avatars', 'list', '--name-prefix', 'clara')).toMatchObject([{ id, version: 6 }]);
    expect(await json('avatars', 'delete', id, '--yes')).toMatchObject([{ id }]);
    expect(await run('avatars', 'get', id)).toMatchObject({ code: 4 });
  });

  test.each([
    ['{\n  "a": 1\n  "b": 2\n}', 'Line 3: a comma or the end is expected.'],
    ['{\n"id": 9007199254740993}', 'Line 2: 9007199254740993 is not a number that a double holds exactly.'],
  ])('a fault in JSON is named with its line: %j', async (text, message) => {
    const { code, stderr } = await run(
      'avatars',
      'create',
      '--name',
      'a',
      '--prompt',
      'p',
      '--runtime',
      text,
    );
    expect(code).toBe(2);
    expect(stderr).toContain(`--runtime must be JSON, @file, or - for standard input. ${message}`);
  });

  test('a document: create from a file, content, update, delete', async () => {
    const file = join(cli.home, 'Send back.md');
    writeFileSync(file, '# Returns\n');
    const [created] = await json('documents', 'create', '--file', file, '--tag', 'shop');
    expect(created).toMatchObject({ title: 'Returns', mimeType: 'text/markdown', tags: ['shop'] });
    const id = String(created?.id);
    expect((await run('documents', 'content', id)).stdout).toBe('# Returns\n');
    expect(await json('documents', 'update', id, '--title', 'Back')).toMatchObject([{ title: 'Back' }]);
    expect(await json('documents', 'list', '--tag', 'shop')).toMatchObject([{ id, title: 'Back' }]);
    expect(await json('documents', 'delete', id, '--yes')).toMatchObject([{ id }]);
  });

  test('a conversation: create, append, transcript, follow, end, erase', async () => {
    const [created] = await json(
      'conversations',
      'create',
      '--avatar',
      avatar,
      '--user',
      'u-1',
      '--tag',
      'refund',
    );
    const id = String(created?.id);
    const append = [
      'conversations',
      'append',
      id,
      '--role',
      'user',
      '--text',
      'Hello',
      '--client-message-id',
      'm-1',
    ];
    expect(await json(...append)).toMatchObject([{ seq: 1, duplicate: false }]);
    expect(await json(...append)).toMatchObject([{ seq: 1, duplicate: true }]);
    const following = json('conversations', 'follow', id);
    const second = join(cli.home, 'second.json');
    writeFileSync(second, JSON.stringify({ messages: [{ role: 'avatar', text: 'Hi' }] }));
    await run('conversations', 'append', id, '--data', `@${second}`);
    expect(await json('conversations', 'end', id)).toMatchObject([
      { status: 'ended', endReason: 'completed' },
    ]);
    expect(await following).toMatchObject([{ text: 'Hello' }, { text: 'Hi' }]);
    expect(await json('conversations', 'transcript', id, '--after-seq', '1')).toMatchObject([{ seq: 2 }]);
    expect(await json('conversations', 'list', '--tag', 'refund')).toMatchObject([{ id }]);
    expect(await json('conversations', 'stats', '--group-by', 'channel')).toMatchObject([{ totals: {} }]);
    expect(await json('conversations', 'erase', 'u-1', '--yes', '--wait')).toMatchObject([
      { result: { erased: 1 } },
    ]);
  });

  test('messages are searched, with the matches highlighted in a terminal only', async () => {
    const [{ id } = {}] = await json('conversations', 'create', '--avatar', avatar);
    await run('conversations', 'append', String(id), '--role', 'tool', '--text', 'zebra: on its way');
    await run('conversations', 'append', String(id), '--role', 'user', '--text', 'Where is my zebra?');
    const search = ['conversations', 'search', 'zebra'];
    await expect.poll(() => json(...search)).toMatchObject([{ seq: 2 }, { seq: 1 }]);
    expect(await json(...search, '--hide-tools')).toMatchObject([{ conversationId: id, seq: 2 }]);
    expect((await run(...search)).stdout).toContain('Where is my zebra?');
    const coloured = await cli.run(search, { env: { ...cli.project.env, FORCE_COLOR: '1' } });
    expect(coloured.stdout).toContain('\u001b[1m\u001b[33mzebra\u001b[39m');
  });
});

describe('api', () => {
  test('sends any request, and prints the data of the response', async () => {
    const [created] = jsonLines(
      await run('api', 'POST', '/projects', '-f', 'name=Any', '-f', 'settings:={"retentionDays":7}'),
    );
    expect(created).toMatchObject({ name: 'Any', settings: { retentionDays: 7 } });
    expect(jsonLines(await run('api', 'get', `/api/v1/projects/${created?.id}`))).toMatchObject([
      { name: 'Any' },
    ]);
    expect(jsonLines(await run('api', 'GET', '/projects/{project}/jobs?limit=1'))).toMatchObject([
      { nextCursor: null },
    ]);
    const deleted = await run('api', 'DELETE', `projects/${created?.id}`);
    expect(jsonLines(deleted)).toMatchObject([{ status: 'deleted' }]);
  });

  test('--paginate prints all items', async () => {
    for (const name of ['a', 'b', 'c']) await run('projects', 'create', '--name', `page ${name}`);
    const all = jsonLines(await run('api', 'GET', '/projects', '--paginate', '-f', 'limit:=1'));
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(['page a', 'page b', 'page c']));
    expect(await json('projects', 'list')).toEqual(all);
    const two = await run('projects', 'list', '--limit', '2', '--json');
    expect(jsonLines(two)).toEqual(all.slice(0, 2));
    expect(two.stderr).toContain('There are more than 2.');
  });

  test.each([
    ['GET', 'https://example.com/projects'],
    ['GET', '/projects/../../x'],
    ['GET', '/projects/%2e%2E/x'],
    ['GET', '/api/v1//projects'],
    ['FETCH', '/projects'],
    ['GET', '/projects', '--data', '{}'],
    ['PUT', '/projects', '--idempotency-key', 'k'],
  ])('refuses %s %s', async (...args) => {
    expect(await run('api', ...args)).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('an error', () => {
  test('shows code, request id and the next step on stderr, and nothing on stdout', async () => {
    const { code, stdout, stderr } = await run('projects', 'get', 'proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E');
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toMatch(/^Error: .+ \(not_found, request [\w-]+\)\nNext: {2}.+\n$/);
  });

  test('is a line of JSON on stderr with --json', async () => {
    const { stderr } = await run('projects', 'create', '--json');
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'validation_error', status: 400, exitCode: 2 });
  });

  test.each([
    ['an unknown command', 2, ['project']],
    ['a command without its command', 2, ['projects']],
    ['an unknown option', 2, ['projects', 'list', '--everything']],
    ['a value that is none of the choices', 2, ['projects', 'list', '--status', 'gone']],
    ['an id that would name the list', 2, ['projects', 'get', '']],
    ['a body that is not JSON', 2, ['projects', 'create', '--data', '{']],
    ['a resource that does not exist', 4, ['avatars', 'get', avatar]],
    ['an index that does not exist', 5, ['knowledge', 'search', 'x']],
    [
      'an Idempotency-Key that is not valid',
      2,
      ['projects', 'create', '--name', 'x', '--idempotency-key', 'ä'],
    ],
  ])('%s: exit code %i', async (_what, code, args) => {
    expect(await run(...args)).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(/^Error: /) });
  });

  test('a key without the scope exits with 3, a server that cannot be reached with 6', async () => {
    const [key] = await json('keys', 'create', '--name', 'r', '--scope', 'projects:read');
    const weak = { ...cli.project.env, PLATFORM_API_KEY: String(key?.secret) };
    const refused = await cli.run(['projects', 'create', '--name', 'x'], { env: weak });
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('insufficient_scope') });
    // The pauses between its attempts are random.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    const closed = { ...cli.project.env, PLATFORM_BASE_URL: 'http://127.0.0.1:9/api/v1' };
    expect(await cli.run(['projects', 'list'], { env: closed })).toMatchObject({ code: 6 });
  });
});

test('input that is not UTF-8 is refused, and nothing is stored', async () => {
  const latin = Buffer.from('{"name":"B\xfcro"}', 'latin1');
  writeFileSync(join(cli.home, 'body.json'), latin);
  writeFileSync(join(cli.home, 'page.md'), Buffer.from('# B\xfcro', 'latin1'));
  const refused = async (message: string, args: readonly string[], input?: Uint8Array) => {
    const ran = await cli.run(args, { env: cli.project.env, ...(input && { input }) });
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  };
  await refused(
    'Standard input is not UTF-8 text.\nNext:  Convert it to UTF-8.',
    ['projects', 'create', '--data', '-'],
    latin,
  );
  await refused('body.json is not UTF-8 text.', ['projects', 'create', '--data', '@body.json']);
  await refused('Standard input is not UTF-8 text.', ['knowledge', 'test', '-'], latin);
  const add = 'page.md is not UTF-8 text.\nNext:  `platform knowledge add` adds PDF';
  await refused(add, ['documents', 'create', '--file', 'page.md']);
  await refused(add, ['documents', 'put', 'page', '--file', 'page.md']);
  const projects = (await json('projects', 'list')).map(({ name }) => name);
  const documents = (await json('documents', 'list')).map(({ title }) => title);
  expect([...projects, ...documents].filter((name) => /^B.?ro$/.test(`${name}`))).toEqual([]);
});

test('--idempotency-key: a command that is repeated takes effect once', async () => {
  const create = ['projects', 'create', '--name', 'Once', '--idempotency-key', 'once-1'];
  const [first, second] = [await json(...create), await json(...create)];
  expect(first).toEqual(second);
  const other = await run('projects', 'create', '--name', 'Other', '--idempotency-key', 'once-1');
  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('idempotency_key_reused') });
});

describe('text of others', () => {
  const nasty = 'a\u001b[2J\u001b]0;title\u0007b\u009b31mc\u202ed\r\ne';

  /** No control character but the line feed, and no mark that reverses the direction. */
  const isSafe = (text: string) =>
    [...text].every((one) => one === '\n' || !/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(one));

  test('loses its control characters in a terminal, and keeps them escaped in JSON', async () => {
    const { conversations, knowledge } = cli.project.project;
    const { id } = await conversations.create({ avatarId: avatar });
    await conversations.append(id, { messages: [{ role: 'user', text: nasty }] });
    expect(isSafe(nasty)).toBe(false);
    const shown = await run('conversations', 'transcript', id);
    expect(isSafe(shown.stdout)).toBe(true);
    expect(shown.stdout).toContain('   abcd\n   e\n');
    const line = await run('conversations', 'transcript', id, '--json');
    expect(isSafe(line.stdout)).toBe(true);
    expect(jsonLines(line)).toMatchObject([{ text: nasty }]);
    const document = await knowledge.documents.create({ title: 'nasty', content: nasty });
    expect((await run('documents', 'content', document.id)).stdout).toBe(nasty);
  });
});

test('a transcript shows the citations and the metadata below their message', async () => {
  const { conversations } = cli.project.project;
  const { id } = await conversations.create({ avatarId: avatar });
  const documentId = 'kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
  const citations = [
    { documentId, title: 'Returns', page: 3, snippet: 'Within\n30 days' },
    { documentId, title: 'Delivery' },
    { documentId },
  ];
  const metadata = { toolCallId: 'call\n1' };
  await conversations.append(id, { messages: [{ role: 'avatar', text: '30 days.', citations, metadata }] });
  const shown = await run('conversations', 'transcript', id);
  expect(shown.stdout).toContain(
    `   30 days.\n   → Returns, page 3  ${documentId}\n     Within 30 days\n   → Delivery  ${documentId}\n   → ${documentId}\n   toolCallId=call 1\n`,
  );
});

test('a content of several parts is printed as a whole', { tags: ['long'] }, async () => {
  const text = pagesOfText(90, 5000);
  const { id } = await sendFile(inProject(), Buffer.from(text));
  await extract(inProject(), id);
  expect((await cli.project.project.knowledge.documents.content(String(id))).nextCursor).not.toBeNull();
  expect((await run('documents', 'content', String(id))).stdout).toBe(text);
  const [shown] = await json('documents', 'content', String(id));
  expect(shown).toMatchObject({ content: text, bytes: text.length, nextCursor: null });
});

describe('colours', () => {
  test.each([
    ['none in a pipe', {}, false],
    ['with FORCE_COLOR', { FORCE_COLOR: '1' }, true],
    ['none with NO_COLOR, even with FORCE_COLOR', { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    ['none in a dumb terminal', { FORCE_COLOR: '1', TERM: 'dumb' }, false],
  ])('%s', async (_title, env, expected) => {
    const ran = await cli.run(['projects', 'list'], { env: { ...cli.project.env, ...env } });
    expect(ran.stdout.includes('\u001b')).toBe(expected);
    const failed = await cli.run(['projects', 'get', 'x'], { env: { ...cli.project.env, ...env } });
    expect(failed.stderr.includes('\u001b')).toBe(expected);
  });
});

test('put creates, replaces, and changes nothing the second time', async () => {
  const externalId = 'shop/returns 1';
  for (const [kind, first, second] of [
    ['projects', ['--name', 'a'], ['--name', 'b']],
    ['avatars', ['--name', 'a', '--prompt', 'You are a.'], ['--name', 'b', '--prompt', 'You are a.']],
    [
      'documents',
      ['--title', 'a', '--data', '{"content":"a"}'],
      ['--title', 'b', '--data', '{"content":"a"}'],
    ],
    ['conversations', ['--avatar', avatar], ['--avatar', avatar, '--tag', 'refund']],
  ] as const) {
    const put = async (fields: readonly string[]) =>
      (await json(kind, 'put', externalId, ...fields)).map(({ outcome, id }) => [outcome, id]);
    const [[outcome, id] = []] = await put(first);
    expect([kind, outcome]).toEqual([kind, 'created']);
    expect(await put(second)).toEqual([['updated', id]]);
    expect(await put(second)).toEqual([['unchanged', id]]);
    expect(await json(kind, 'list', '--external-id', externalId)).toMatchObject([{ id, externalId }]);
  }
});
