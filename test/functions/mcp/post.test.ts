/** Messages of MCP over HTTP, through the gateway of the dev server. The function calls the API over HTTP, too. */

import { readFileSync } from 'node:fs';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBatches } from '../../../lib/mcp/batches.ts';
import { type ApiResponse, type Json, storedOf } from '../../../samples/api.ts';
import { opened } from '../../../scripts/local/call.ts';
import { resume, suspend } from '../../../scripts/organisations/state.ts';
import { root } from '../../../scripts/shared/root.ts';
import { refuses, responds } from '../../support/responses.ts';
import { type ServedApi, serveApi } from '../../support/served-api.ts';

let served: ServedApi;
beforeAll(async () => {
  served = await serveApi();
});
afterAll(() => served?.close());

const revision = '2025-11-25';
const message = (method: string, params: Json = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
const tool = (name: string, args: Json) => message('tools/call', { name, arguments: args });

type Options = { key?: string | null; headers?: Record<string, string>; query?: string; method?: string };

/** @param body a message, or a text that is sent as it is */
async function post(
  body: unknown,
  { key = served.apiKey, headers, query = '', method = 'POST' }: Options = {},
) {
  const response = await fetch(`${served.baseUrl}/mcp${query}`, {
    method,
    headers: {
      ...(key !== null && { Authorization: `Bearer ${key}` }),
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': revision,
      ...headers,
    },
    ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const named = Object.fromEntries(response.headers);
  return { status: response.status, headers: named, text, ...opened(text, named) } satisfies ApiResponse;
}

/** A message of the newer revision, which has no handshake. */
const modern = (method: string, params: Json = {}) =>
  message(method, {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  });
const modernHeaders = (method: string, name?: string) => ({
  'MCP-Protocol-Version': '2026-07-28',
  'Mcp-Method': method,
  ...(name !== undefined && { 'Mcp-Name': name }),
});

type Tool = { name: string; annotations: { readOnlyHint?: boolean; destructiveHint?: boolean } };
type Result = { isError?: boolean; content: { text: string }[]; _meta?: Json; structuredContent?: Json };

const resultOf = ({ text }: ApiResponse) => (JSON.parse(text) as { result: Result }).result;
/** @returns the id in a result, whose data may stand between markers */
const idIn = (response: ApiResponse) =>
  /"id":\s*"(proj_\w+)"/.exec(resultOf(response).content[0]?.text ?? '')?.[1];
const toolsIn = ({ text }: ApiResponse) => (JSON.parse(text) as { result: { tools: Tool[] } }).result.tools;

describe('mcp.post', () => {
  responds(200, 'to tools/list of a key that only reads, with no tool that writes', async () => {
    const { secret } = await served.api.createKey({ scopes: ['projects:read', 'conversations:read'] });
    const response = await post(message('tools/list'), { key: secret });
    const tools = toolsIn(response);
    expect(tools.map(({ name }) => name)).toContain('projects_list');
    expect(tools.filter(({ annotations }) => annotations.readOnlyHint !== true)).toEqual([]);
    return response;
  });

  responds(200, 'to tools/list with tools that delete only for ?destructive=true', async () => {
    const deleting = (response: ApiResponse) =>
      toolsIn(response).filter(({ annotations }) => annotations.destructiveHint === true);
    expect(deleting(await post(message('tools/list')))).toEqual([]);
    expect(deleting(await post(message('tools/list'), { query: '?destructive=false' }))).toEqual([]);
    const response = await post(message('tools/list'), { query: '?destructive=true' });
    expect(deleting(response).map(({ name }) => name)).toContain('projects_delete');
    return response;
  });

  responds(200, 'to tools/call in the revision 2026-07-28', async () => {
    const params = { name: 'projects_list', arguments: {} };
    const headers = modernHeaders('tools/call', 'projects_list');
    const response = await post(modern('tools/call', params), { headers });
    expect(response.headers['content-type']).toContain('application/json');
    expect(resultOf(response).isError ?? false).toBe(false);
    return response;
  });

  test('tools/call creates one project with one idempotency record, however often it is sent', async () => {
    const { secret, id } = await served.api.createKey({ scopes: ['projects:write'] });
    const call = tool('projects_create', { name: 'made by an agent', idempotencyKey: 'agent-1' });
    const { length: before } = await storedOf(served.api, 'idempotency');
    const made = [];
    for (const _ of [1, 2, 3]) made.push(idIn(await post(call, { key: secret })));
    expect(made[0]).toMatch(/^proj_/);
    expect(new Set(made).size).toBe(1);
    expect((await storedOf(served.api, 'idempotency')).length - before).toBe(1);
    const { data } = await served.api.call('GET', `/projects/${made[0]}`);
    expect(data).toMatchObject({ name: 'made by an agent', createdBy: id });
  });

  test('the Idempotency-Key of the request is used if the tool has none, and a random one is returned', async () => {
    const call = tool('projects_create', { name: 'p' });
    const headers = { 'Idempotency-Key': 'header-1' };
    const [one, same, other] = [
      await post(call, { headers }),
      await post(call, { headers }),
      await post(call),
    ];
    expect(idIn(same)).toBe(idIn(one));
    expect(JSON.stringify(resultOf(one)._meta)).toContain('header-1');
    expect(idIn(other)).not.toBe(idIn(one));
    expect(JSON.stringify(resultOf(other)._meta)).toMatch(/[\w-]{22}/);
  });

  test('the audit log says that the change came through MCP, and which agent claims it', async () => {
    const agent = 'an-agent/1.0 (fork) of \u00e9';
    const response = await post(tool('projects_create', { name: 'audited' }), {
      headers: { 'User-Agent': agent },
    });
    const id = idIn(response);
    await served.api.logChanges();
    const { data } = await served.api.call('GET', `/audit-events?resourceId=${id}`);
    const [event] = data.items as { origin: Json }[];
    expect(event?.origin).toMatchObject({
      via: 'mcp',
      userAgent: expect.stringMatching(/^platform-mcp\/\d+\.\d+\.\d+ \(an-agent\/1\.0 fork of \)$/),
    });
  });

  responds(202, 'without a body to a notification', async () => {
    const response = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(response.text).toBe('');
    return response;
  });

  responds(400, 'to a revision that the service does not have, as a message', async () => {
    const response = await post(message('tools/list'), { headers: { 'MCP-Protocol-Version': '1999-01-01' } });
    expect(JSON.parse(response.text)).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
    return response;
  });

  responds(404, 'to an unknown method in the revision 2026-07-28, as a message', async () => {
    const headers = modernHeaders('nothing/here');
    const response = await post(modern('nothing/here'), { headers });
    expect(JSON.parse(response.text)).toMatchObject({ error: { code: -32601 } });
    return response;
  });

  responds(406, 'to a request that does not accept the types of the protocol', async () => {
    return post(message('tools/list'), { headers: { Accept: 'text/html' } });
  });

  test.each([
    'application/json',
    '*/*',
    'application/*',
    'text/event-stream;q=0.5, Application/JSON;q=0.1',
    'text/html, */*;q=0.1',
  ])('Accept: %s gets JSON in each revision', async (Accept) => {
    for (const response of [
      await post(message('tools/list'), { headers: { Accept } }),
      await post(modern('tools/list'), { headers: { Accept, ...modernHeaders('tools/list') } }),
    ]) {
      expect([response.status, response.headers['content-type']]).toEqual([200, 'application/json']);
      expect(toolsIn(response).length).toBeGreaterThan(30);
    }
  });

  test.each(['*/*;q=0', 'application/json;q=0, */*', 'text/event-stream'])(
    '406 for Accept: %s in each revision, as a message',
    async (Accept) => {
      for (const response of [
        await post(message('tools/list'), { headers: { Accept } }),
        await post(modern('tools/list'), { headers: { Accept, ...modernHeaders('tools/list') } }),
      ]) {
        expect(response.status).toBe(406);
        expect(JSON.parse(response.text)).toMatchObject({ jsonrpc: '2.0', id: 1, error: { code: -32_000 } });
      }
    },
  );

  test.each(SUPPORTED_PROTOCOL_VERSIONS)('the revision %s is answered, and documented', async (asked) => {
    const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'old', version: '1' } };
    const response = await post(message('initialize', params), {
      headers: { 'MCP-Protocol-Version': asked },
    });
    expect(JSON.parse(response.text)).toMatchObject({ result: { protocolVersion: asked } });
    const list = await post(message('tools/list'), { headers: { 'MCP-Protocol-Version': asked } });
    expect(toolsIn(list).length).toBeGreaterThan(30);
    expect(readFileSync(`${root}/docs/mcp.md`, 'utf8')).toContain(asked);
  });

  test.each([...SUPPORTED_PROTOCOL_VERSIONS, '2026-07-28'])('no batch is answered in %s', async (asked) => {
    const batch = [message('tools/list'), tool('projects_create', { name: 'in a batch' })];
    const response = await post(batch, { headers: { 'MCP-Protocol-Version': asked } });
    expect([response.status, response.error.details]).toEqual([400, [{ path: '', message: noBatches }]]);
    const { data } = await served.api.call('GET', '/projects?limit=100');
    expect(JSON.stringify(data)).not.toContain('in a batch');
  });

  test('streams are refused at once, because nothing would end them', async () => {
    const params = { notifications: { toolsListChanged: true } };
    const headers = modernHeaders('subscriptions/listen');
    const response = await post(modern('subscriptions/listen', params), { headers });
    expect(response.status).toBe(404);
    expect(JSON.parse(response.text)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32_601, message: 'Method not found' },
    });
  });

  refuses('unauthorized', 'no credential, with the accepted scheme', async () => {
    const response = await post(message('initialize'), { key: null });
    expect(response.headers['www-authenticate']).toBe('Bearer');
    return response;
  });

  refuses('unauthorized', 'another scheme', () =>
    post(message('tools/list'), { key: null, headers: { Authorization: 'Basic abc' } }),
  );

  refuses('unauthorized', 'a key that is none', () => post(message('tools/list'), { key: 'sk_live_wrong' }));

  refuses('unauthorized', 'a revoked key, with the next call', async () => {
    const { secret, id } = await served.api.createKey({ scopes: ['projects:read'] });
    expect((await post(tool('projects_list', {}), { key: secret })).status).toBe(200);
    await served.api.call('DELETE', `/api-keys/${id}`);
    const response = await post(tool('projects_list', {}), { key: secret });
    expect(response.headers['www-authenticate']).toBe('Bearer');
    return response;
  });

  refuses('unauthorized', 'a key for other addresses, which is told to use stdio', async () => {
    const { secret } = await served.api.createKey({
      scopes: ['projects:read'],
      allowedCidrs: ['203.0.113.0/24'],
    });
    const response = await post(message('tools/list'), { key: secret });
    expect(response.error.message).toMatch(/allowedCidrs.*platform mcp/s);
    return response;
  });

  refuses('forbidden', 'an Origin that is not the own', () =>
    post(message('tools/list'), { headers: { Origin: 'https://evil.example' } }),
  );

  test.each(['null', '', 'http://127.0.0.1', 'HTTPS://evil.example'])(
    '403 for the Origin "%s"',
    async (origin) => {
      expect((await post(message('tools/list'), { headers: { Origin: origin } })).status).toBe(403);
    },
  );

  test('a page of the API itself may call, and no Host changes where the key goes', async () => {
    const headers = { Origin: served.origin };
    expect((await post(message('tools/list'), { headers })).status).toBe(200);
    expect(
      (await post(message('tools/list'), { headers: { 'X-Forwarded-Host': 'evil.example' } })).status,
    ).toBe(200);
  });

  test.each(['GET', 'DELETE'])('405 for %s, with Allow', async (method) => {
    const response = await post(undefined, { method });
    expect([response.status, response.headers.allow, response.error.code]).toEqual([
      405,
      'POST',
      'method_not_allowed',
    ]);
  });

  refuses('payload_too_large', 'more than 256 KB', () =>
    post(tool('projects_create', { name: 'x'.repeat(256 * 1024) })),
  );
  refuses('invalid_json', 'text that is not JSON', () => post('{"jsonrpc":'));
  refuses('validation_error', 'a batch', () => post([message('tools/list'), message('tools/list')]));
  refuses('validation_error', 'JSON that is no message of JSON-RPC 2.0', () =>
    post({ method: 'tools/list' }),
  );
  test('a number in a runtime that would change is refused with its path', async () => {
    const call = JSON.stringify(tool('avatars_create', { runtime: { tools: [0] } })).replace(
      '[0]',
      '[9007199254740993]',
    );
    const { status, error } = await post(call);
    expect([status, error.details?.map(({ path }) => path)]).toEqual([
      400,
      ['params.arguments.runtime.tools.0'],
    ]);
  });
  refuses('validation_error', 'another value of destructive', () =>
    post(message('tools/list'), { query: '?destructive=yes' }),
  );
  refuses('unsupported_media_type', 'another type', () =>
    post(JSON.stringify(message('tools/list')), { headers: { 'Content-Type': 'text/plain' } }),
  );

  test('in a suspended organisation, nothing is read or changed', async () => {
    const { runtime, organisationId } = served.api;
    await suspend(runtime, organisationId);
    try {
      const result = resultOf(await post(tool('projects_create', { name: 'suspended' })));
      expect(result.isError).toBe(true);
      expect(result.content[0]?.text).toContain('organisation_suspended');
    } finally {
      await resume(runtime, organisationId);
    }
    const { data } = await served.api.call('GET', '/projects');
    expect(JSON.stringify(data)).not.toContain('"suspended"');
  });

  test('a test-mode key acts on test data', async () => {
    const key = await served.api.testModeKey();
    const id = idIn(await post(tool('projects_create', { name: 'in test mode' }), { key }));
    expect((await served.api.call('GET', `/projects/${id}`, { key })).status).toBe(200);
    expect((await served.api.call('GET', `/projects/${id}`)).status).toBe(404);
  });

  test.each(['..', '.', '%2e%2e', '../api-keys/me', '..%2Fme'])(
    'the id "%s" does not lead to another endpoint',
    async (project_id) => {
      const result = resultOf(await post(tool('projects_get', { project_id })));
      expect(result.isError).toBe(true);
    },
  );
});
