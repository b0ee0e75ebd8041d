/** `platform mcp`: the real process, with the protocol's official client, and by hand. */
// @module-tag long

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { userAgentOf } from '../../cli/src/mcp/call.ts';
import { allScopes } from '../../lib/base/scopes.ts';
import auditWriter from '../../workers/audit-writer.ts';
import { jsonLines, useCli } from '../support/cli.ts';
import { allEvents } from '../support/events.ts';
import { connectStdio, dataOf, type Revision, revisions, storyOfTools } from '../support/mcp.ts';

const cli = useCli({ workers: [auditWriter] });

const envOf = (apiKey: string, more: Record<string, string> = {}) => ({
  PLATFORM_BASE_URL: cli.service.baseUrl,
  PLATFORM_API_KEY: apiKey,
  HOME: cli.home,
  ...more,
});

const opened: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

/** Starts the process as an agent does. */
async function open(args: readonly string[], env: Record<string, string>, revision?: Revision) {
  const { client } = await connectStdio([process.execPath, cli.file, 'mcp', ...args], env, revision);
  opened.push(client);
  return client;
}

async function keyWith(scopes: readonly string[]): Promise<string> {
  const { data } = await cli.api.call('POST', '/api-keys', { body: { name: 'agent', scopes } });
  return String(data.secret);
}

describe.each(revisions)('in revision %s', (revision) => {
  test('an agent does its work through tools only', async () => {
    const client = await open([], envOf(cli.service.apiKey), revision);
    expect(client.getServerVersion()).toMatchObject({ name: expect.any(String), version: '0.1.0' });
    const made = await storyOfTools((name, args) => dataOf(client, name, args), `story ${revision}`);
    expect(made.projectId).toMatch(/^proj_/);
    expect(JSON.stringify(made.transcript)).toContain('Where is my parcel?');
  });

  test('the tools are those of the key', async () => {
    const client = await open([], envOf(await keyWith(['projects:read'])), revision);
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toContain('projects_list');
    expect(names).not.toContain('projects_create');
    expect(names).not.toContain('avatars_list');
  });
});

test('no tool of a key that only reads sends a request that writes', async () => {
  const env = envOf(await keyWith(allScopes.filter((scope) => scope.endsWith(':read'))));
  const { tools } = await (await open(['--allow-destructive'], env)).listTools();
  expect(tools.length).toBeGreaterThan(30);
  const calls = tools.map(({ name, inputSchema: { required = [] } }) => ({
    name,
    arguments: Object.fromEntries(required.map((one) => [one, one === 'project_id' ? cli.project.id : 'x'])),
  }));
  const input = messages('tools/call', ...calls);
  const ran = await cli.runProcess(['mcp', '--allow-destructive', '--verbose'], { env, input });
  const requests = [...ran.stderr.matchAll(/^([A-Z]+) (\/\S*) \d+ \d+ ms$/gm)].map(([, method, path]) => ({
    method,
    path,
  }));
  expect(requests.length).toBeGreaterThan(30);
  const others = requests.filter(({ method }) => method !== 'GET');
  // It measures the search, and stores nothing.
  expect(others).toEqual([{ method: 'POST', path: `/projects/${cli.project.id}/knowledge/evaluate` }]);
});

test('tools that delete need --allow-destructive, which a person gives', async () => {
  const { id } = await cli.newProject();
  const without = await open([], envOf(cli.service.apiKey));
  const names = async (client: typeof without) => (await client.listTools()).tools.map(({ name }) => name);
  expect(await names(without)).not.toContain('projects_delete');
  const call = { name: 'projects_delete', arguments: { project_id: id } };
  const refused = await without.callTool(call);
  expect(refused.isError).toBe(true);
  expect(JSON.stringify(refused.content)).toContain('--allow-destructive');
  expect((await cli.api.call('GET', `/projects/${id}`)).data).toMatchObject({ id });

  const allowed = await open(['--allow-destructive'], envOf(cli.service.apiKey));
  expect(await names(allowed)).toContain('projects_delete');
  expect((await allowed.callTool(call)).isError ?? false).toBe(false);
});

/** What an agent sends first, and further messages. */
const messages = (method: string, ...all: object[]) =>
  [
    {
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'by hand', version: '1' },
      },
    },
    { method: 'notifications/initialized' },
    ...(all.length > 0 ? all : [{}]).map((params, at) => ({ id: at + 2, method, params })),
  ]
    .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    .join('');

test('prints nothing but the protocol, answers what its input still asked, and ends with its input', async () => {
  const input = messages('tools/call', { name: 'me_get', arguments: {} });
  const ran = await cli.runProcess(['mcp', '--verbose'], { env: envOf(cli.service.apiKey), input });
  expect(ran.code, ran.stderr).toBe(0);
  expect(jsonLines(ran)).toMatchObject([
    { jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-11-25' } },
    { jsonrpc: '2.0', id: 2, result: { content: [{ text: expect.stringContaining('"kind":"api_key"') }] } },
  ]);
  expect(ran.stderr).toMatch(/^GET \/me 200 \d+ ms$/m);
  expect(ran.stdout + ran.stderr).not.toContain(cli.service.apiKey);
});

test.each([
  ['a line that is not JSON', 'hello\n'],
  ['a line that is not of the protocol', '{"hello":1}\n'],
])('%s is passed over', async (_, line) => {
  const input = line + messages('tools/list');
  const ran = await cli.runProcess(['mcp'], { env: envOf(cli.service.apiKey), input });
  expect(ran.code, ran.stderr).toBe(0);
  expect(jsonLines(ran).filter(({ result }) => result)).toMatchObject([{ id: 1 }, { id: 2 }]);
});

test('a message of more than 10 MB ends it', async () => {
  const child = cli.startProcess(['mcp'], { env: envOf(cli.service.apiKey), input: 'x'.repeat(11_000_000) });
  child.stdin?.on('error', () => {});
  const code = await new Promise((done) => child.once('close', done));
  expect(code).toBe(0);
});

test('without a key, nothing is printed to stdout, and the exit code says so', async () => {
  const ran = await cli.runProcess(['mcp'], { env: { HOME: cli.home }, input: messages('tools/list') });
  expect(ran).toMatchObject({ code: 3, stdout: '' });
  expect(ran.stderr).toContain('platform login');
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it', async (signal) => {
  const client = await open([], envOf(cli.service.apiKey));
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  const { transport } = client;
  const closed = new Promise<void>((done) => {
    client.onclose = done;
  });
  if (transport && 'pid' in transport && typeof transport.pid === 'number')
    process.kill(transport.pid, signal);
  await closed;
  expect(client.transport).toBeUndefined();
});

test('an API that cannot be reached is an error of the tool; stderr names the address', async () => {
  const env = envOf('sk_test_x', { PLATFORM_BASE_URL: 'http://127.0.0.1:9/api/v1' });
  const input = messages('tools/call', { name: 'projects_create', arguments: { name: 'A' } });
  const ran = await cli.runProcess(['mcp'], { env, input });
  expect(jsonLines(ran)).toMatchObject([{ id: 1 }, { id: 2, result: { isError: true } }]);
  expect(ran.stdout).toContain('idempotencyKey');
  expect(ran.stderr).toMatch(/POST \/projects: .*\(http:\/\/127\.0\.0\.1:9\)/);
});

test('a redirect is not followed: a key is only sent to its own address', async () => {
  const got: (string | undefined)[] = [];
  const other = createServer(({ headers }, response) => {
    got.push(headers.authorization);
    response.end('{}');
  });
  const api = createServer((_, response) => {
    const { port } = other.address() as AddressInfo;
    response.writeHead(307, { Location: `http://127.0.0.1:${port}/` }).end();
  });
  for (const server of [other, api])
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = api.address() as AddressInfo;
  const env = envOf('sk_test_x', { PLATFORM_BASE_URL: `http://127.0.0.1:${port}/api/v1` });
  const client = await open([], env);
  const { isError } = await client.callTool({ name: 'me_get', arguments: {} });
  for (const server of [other, api]) server.close();
  expect(isError).toBe(true);
  expect(got).toEqual([]);
});

describe('the user agent', () => {
  test.each([
    [undefined, 'platform-mcp/1.2.3'],
    [{ name: 'claude-code', version: '2.1' }, 'platform-mcp/1.2.3 (claude-code/2.1)'],
    [{ name: 'a) Mozilla/5.0 (\r\nX: y', version: '\u{1F600}' }, 'platform-mcp/1.2.3 (a Mozilla/5.0 X y/)'],
    [{ name: 'x'.repeat(500), version: '1' }, `platform-mcp/1.2.3 (${'x'.repeat(100)})`],
  ])('of %j', (agent, expected) => {
    expect(userAgentOf('1.2.3', agent)).toBe(expected);
  });

  test('is in the audit log, with the name of the agent', async () => {
    const client = await open([], envOf(cli.service.apiKey));
    const { id } = await dataOf(client, 'projects_create', { name: 'audited' });
    const origin = { userAgent: 'platform-mcp/0.1.0 (test-agent/1.0.0)', via: 'mcp' };
    await expect.poll(() => allEvents(cli.api, `&resourceId=${id}`)).toMatchObject([{ origin }]);
  });
});
