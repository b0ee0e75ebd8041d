/** Exactly once: with repeats, races, lost responses and late retries. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { allScopes } from '../../lib/base/scopes.ts';
import { dayMs, hourMs } from '../../lib/base/time.ts';
import { type ApiResponse, type Json, openApi, type TestApi } from '../../samples/api.ts';
import { avatarBody } from '../../samples/samples.ts';
import { openDynamoDbProxy } from '../support/dynamodb-proxy.ts';
import { openMocked, withTransactionConflicts } from '../support/faults.ts';

const projectsOf = async (api: TestApi) =>
  (await api.call('GET', '/projects?limit=100')).data.items as { id: string; name: string }[];

const fifty = (act: () => Promise<ApiResponse>) => Promise.all(Array.from({ length: 50 }, act));

function expectOneAnswer(responses: readonly ApiResponse[]): void {
  expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(201));
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  expect(responses.filter(({ headers }) => !headers['Idempotent-Replayed'])).toHaveLength(1);
}

describe('fifty simultaneous duplicates', () => {
  test('create one project, and all get it', async () => {
    const api = await openApi();
    const request = { body: { name: 'one' }, idempotencyKey: 'fifty' };
    expectOneAnswer(await fifty(() => api.call('POST', '/projects', request)));
    expect(await projectsOf(api)).toHaveLength(1);
  });

  test('create one API key, and all get its secret', async () => {
    const api = await openApi();
    const request = { body: { name: 'one', scopes: ['projects:read'] }, idempotencyKey: 'fifty' };
    const responses = await fifty(() => api.call('POST', '/api-keys', request));
    expectOneAnswer(responses);
    expect((await api.call('GET', '/api-keys')).data.items).toHaveLength(2);
    const key = responses[49]?.data.secret as string;
    expect((await api.call('GET', '/projects', { key })).status).toBe(200);
  });

  test('create one project even if DynamoDB returns TransactionConflict', async () => {
    let conflicts = () => 0;
    const api = await openApi(({ client }) => {
      const faulty = withTransactionConflicts(client);
      conflicts = faulty.conflicts;
      return { client: faulty.client };
    });
    const request = { body: { name: 'one' }, idempotencyKey: 'fifty' };
    expectOneAnswer(await fifty(() => api.call('POST', '/projects', request)));
    expect(await projectsOf(api)).toHaveLength(1);
    expect(conflicts()).toBeGreaterThan(40);
  });

  test('with two different bodies: one wins, the other gets idempotency_key_reused', async () => {
    const api = await openApi();
    let turn = 0;
    const responses = await fifty(() => {
      turn += 1;
      return api.call('POST', '/projects', {
        body: { name: turn % 2 ? 'odd' : 'even' },
        idempotencyKey: 'fifty',
      });
    });
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(25);
    expect(responses.filter(({ error }) => error.code === 'idempotency_key_reused')).toHaveLength(25);
    expect(await projectsOf(api)).toHaveLength(1);
  });

  test('restore a project once', async () => {
    const api = await openApi();
    const id = await api.createProject();
    await api.call('DELETE', `/projects/${id}`);
    const responses = await fifty(() =>
      api.call('POST', `/projects/${id}/restore`, { idempotencyKey: 'fifty' }),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  });
});

describe('an Idempotency-Key is bound to', () => {
  const post = async (api: TestApi, rawBody: string, idempotencyKey = 'key') =>
    api.call('POST', '/projects', { rawBody, idempotencyKey });

  test('the meaning of the body, not its spelling', async () => {
    const api = await openApi();
    const first = await post(api, '{"name":"p","metadata":{"a":"1","b":"2"}}');
    const again = await post(api, ' { "metadata" : {"b":"2","a":"\\u0031"},\n"name":"p" } ');
    expect(again.text).toBe(first.text);
  });

  test('one body: another body is refused, and the first one is still replayed', async () => {
    const api = await openApi();
    const first = await post(api, '{"name":"p"}');
    for (const other of ['{"name":"q"}', '{"name":"p","metadata":{}}', '{"name":"p","description":"d"}']) {
      expect((await post(api, other)).error.code).toBe('idempotency_key_reused');
    }
    expect((await post(api, '{"name":"p"}')).text).toBe(first.text);
  });

  test('one path', async () => {
    const api = await openApi();
    const project = await api.createProject();
    const post = (path: string, body: Json) =>
      api.call('POST', `/projects/${project}/${path}`, { body, idempotencyKey: 'key' });
    expect((await post('avatars', avatarBody)).status).toBe(201);
    expect((await post('conversations', avatarBody)).error.code).toBe('validation_error');
    const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
    expect((await post('conversations', { avatarId })).error.code).toBe('idempotency_key_reused');
  });

  test('one resource in the path', async () => {
    const api = await openApi();
    const project = await api.createProject();
    const [one, other] = [
      await api.createConversation({}, project),
      await api.createConversation({}, project),
    ];
    const body = { messages: [{ role: 'user', text: 'hello' }] };
    const say = (to: string) => api.call('POST', `${to}/messages`, { body, idempotencyKey: 'key' });
    expect((await say(one)).status).toBe(201);
    expect((await say(other)).error.code).toBe('idempotency_key_reused');
  });

  test('nobody without the scope: a replay requires what the type of a job requires', async () => {
    const api = await openApi();
    const project = `/projects/${await api.createProject()}`;
    const { data: job } = await api.call('POST', `${project}/knowledge/reindex`);
    const cancel = (key: string) =>
      api.call('POST', `${project}/jobs/${job.id}/cancel`, { idempotencyKey: 'key', key });
    expect((await cancel(api.rootKey)).status).toBe(200);
    const { secret } = await api.createKey({ scopes: ['conversations:write'] });
    const repeated = await cancel(secret);
    expect([repeated.status, repeated.error.code]).toEqual([403, 'insufficient_scope']);
  });

  test('the project in the path: other projects, or none, have their own keys', async () => {
    const api = await openApi();
    const [a, b] = [await api.createProject(), await api.createProject()];
    const bound = async (id: string) =>
      (await api.createKey({ scopes: ['avatars:write', 'projects:write'], projectIds: [id] })).secret;
    const keys = { [a]: await bound(a), [b]: await bound(b) };
    const idempotencyKey = 'daily-2026-11-21';
    const create = (id: string) => {
      const body = { ...avatarBody, name: id };
      return api.call('POST', `/projects/${id}/avatars`, { body, idempotencyKey, key: keys[id] ?? null });
    };
    const first = await create(a);
    expect((await create(b)).data.name).toBe(b);
    const outside = await api.call('POST', '/projects', { body: { name: 'c' }, idempotencyKey });
    expect([first.status, outside.status]).toEqual([201, 201]);
    const again = await create(a);
    expect([again.text, again.headers['Idempotent-Replayed']]).toEqual([first.text, 'true']);
  });

  test('no project: a bound API key does not reveal which keys another project used', async () => {
    const api = await openApi();
    const [a, b] = [await api.createProject(), await api.createProject()];
    const own = await api.createKey({ scopes: ['avatars:write'], projectIds: [b] });
    const create = (project: string, idempotencyKey: string, key?: string) =>
      api.call('POST', `/projects/${project}/avatars`, {
        body: avatarBody,
        idempotencyKey,
        ...(key !== undefined && { key }),
      });
    expect((await create(a, 'used')).status).toBe(201);
    const responses = [await create(a, 'used', own.secret), await create(a, 'unused', own.secret)];
    const shown = responses.map(({ status, error: { requestId: _, ...error } }) => ({ status, error }));
    expect(shown[0]).toEqual(shown[1]);
    expect(shown[0]).toMatchObject({ status: 404, error: { code: 'not_found' } });
    expect((await create(b, 'used', own.secret)).headers['Idempotent-Replayed']).toBeUndefined();
  });

  test('the project, even if the endpoint works on the project itself', async () => {
    const api = await openApi();
    const [a, b] = [await api.createProject(), await api.createProject()];
    for (const id of [a, b]) await api.call('DELETE', `/projects/${id}`);
    const restore = (id: string) => api.call('POST', `/projects/${id}/restore`, { idempotencyKey: 'key' });
    const first = await restore(a);
    expect([first.status, (await restore(b)).status]).toEqual([200, 200]);
    expect((await restore(a)).text).toBe(first.text);
  });

  test('one tenant: another organisation and the other mode have their own keys', async () => {
    const api = await openApi();
    const other = await openApi();
    const responses = [
      await post(api, '{"name":"p"}'),
      await post(other, '{"name":"q"}'),
      await api.call('POST', '/projects', {
        body: { name: 'r' },
        idempotencyKey: 'key',
        key: await api.testModeKey(),
      }),
    ];
    expect(responses.map(({ data }) => data.name)).toEqual(['p', 'q', 'r']);
  });

  test('the content of a quoted string', async () => {
    const api = await openApi();
    const first = await post(api, '{"name":"p"}', 'a "quoted" \\ key');
    const again = await post(api, '{"name":"p"}', '"a \\"quoted\\" \\\\ key"');
    expect(again.text).toBe(first.text);
    const literal = await post(api, '{"name":"p"}', '"not closed');
    expect(literal.data.id).not.toBe(first.data.id);
  });

  test('24 hours', async () => {
    const api = await openApi();
    const first = await post(api, '{"name":"p"}');
    api.advance(dayMs - hourMs);
    expect((await post(api, '{"name":"p"}')).text).toBe(first.text);
    // DynamoDB Local has not removed the record by then: its time alone has passed.
    api.advance(2 * hourMs);
    const later = await post(api, '{"name":"q"}');
    expect([later.status, later.data.name]).toEqual([201, 'q']);
    expect((await post(api, '{"name":"q"}')).text).toBe(later.text);
  });

  test('the configured retention', async () => {
    const api = await openApi(() => ({ retentionMs: hourMs }));
    await post(api, '{"name":"p"}');
    api.advance(hourMs + 1000);
    expect((await post(api, '{"name":"q"}')).status).toBe(201);
  });
});

describe('an error is not stored', () => {
  test('a refused request can be sent again with its key', async () => {
    const api = await openApi();
    const id = await api.createProject();
    const restore = () => api.call('POST', `/projects/${id}/restore`, { idempotencyKey: 'key' });
    expect((await restore()).error.code).toBe('project_not_deleted');
    await api.call('DELETE', `/projects/${id}`);
    expect((await restore()).status).toBe(200);
  });

  test('a failed commit writes nothing, and the first retry succeeds', async () => {
    const { api, mock } = await openMocked();
    mock.on(TransactWriteCommand).rejectsOnce({ name: 'InternalServerError' });
    const request = { body: { name: 'p' }, idempotencyKey: 'key' };
    expect((await api.call('POST', '/projects', request)).status).toBe(503);
    const response = await api.call('POST', '/projects', request);
    expect([response.status, response.headers['Idempotent-Replayed']]).toEqual([201, undefined]);
    expect(await projectsOf(api)).toHaveLength(1);
  });

  test('a request that keeps losing races gets 503', async () => {
    const { api, mock } = await openMocked();
    mock.on(PutCommand).rejects({ name: 'TransactionConflictException' });
    const response = await api.call('POST', '/projects', { body: { name: 'p' } });
    expect([response.status, response.headers['Retry-After']]).toEqual([503, '1']);
  });
});

test('a replay runs no handler: it reads the key, its organisation and the record, and writes nothing', async () => {
  const { api, mock } = await openMocked();
  const request = { body: { name: 'p' }, idempotencyKey: 'key' };
  await api.call('POST', '/projects', request);
  mock.resetHistory();
  await api.call('POST', '/projects', request);
  expect(mock.calls()).toHaveLength(3);
  expect(mock.commandCalls(GetCommand)).toHaveLength(3);
});

test('no secret is stored in plain text', async () => {
  const api = await openApi();
  const idempotencyKey = 'a-key-that-would-open-the-seal';
  const { secret } = await api.createKey({ scopes: allScopes });
  const response = await api.call('POST', '/api-keys', {
    body: { name: 'sealed', scopes: ['projects:read'] },
    idempotencyKey,
    key: secret,
  });
  const made = response.data.secret as string;
  const reader = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: inject('dynamodbEndpoint') }));
  for (const table of ['apiKeys', 'idempotency'] as const) {
    const { Items } = await reader.send(
      new QueryCommand({
        TableName: api.runtime.tableNames[table],
        KeyConditionExpression: 'tenant = :tenant',
        ExpressionAttributeValues: { ':tenant': `${api.organisationId}#live` },
      }),
    );
    const text = JSON.stringify(Items);
    expect(Items?.length).toBeGreaterThan(0);
    for (const hidden of [secret, made, made.slice(60, 103), idempotencyKey, api.rootKey]) {
      expect(text).not.toContain(hidden);
    }
  }
});

describe('a lost response of DynamoDB', () => {
  let proxy: Awaited<ReturnType<typeof openDynamoDbProxy>>;
  let next = '';
  let dropped = 0;
  const drop = (operation: string) => {
    next = operation;
    dropped = 0;
  };

  beforeAll(async () => {
    proxy = await openDynamoDbProxy(inject('dynamodbEndpoint'), (operation) => {
      if (operation !== next) return 'pass';
      next = '';
      dropped += 1;
      return 'drop';
    });
  });
  afterAll(() => proxy.close());

  const throughProxy = () =>
    openApi(() => ({
      client: DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: proxy.endpoint }), {
        marshallOptions: { convertClassInstanceToMap: true },
      }),
    }));

  test.each([
    ['TransactWriteItems', { idempotencyKey: 'lost' }],
    ['PutItem', {}],
  ])('%s: the write counts once, and the caller gets 201', async (operation, options) => {
    const api = await throughProxy();
    drop(operation);
    const response = await api.call('POST', '/projects', { body: { name: 'p' }, ...options });
    expect(dropped).toBe(1);
    expect(response.status, response.text).toBe(201);
    expect(await projectsOf(api)).toMatchObject([{ id: response.data.id }]);
  });

  test('UpdateItem: the change counts once, and the caller gets 200', async () => {
    const api = await throughProxy();
    const id = await api.createProject();
    drop('UpdateItem');
    const response = await api.call('PATCH', `/projects/${id}`, { body: { name: 'new' } });
    expect(dropped).toBe(1);
    expect([response.status, response.data.name]).toEqual([200, 'new']);
  });

  test('a DELETE of two writes counts once, and the caller gets 200', async () => {
    const api = await throughProxy();
    const id = await api.createProject();
    drop('TransactWriteItems');
    expect((await api.call('DELETE', `/projects/${id}`)).status).toBe(200);
    expect(dropped).toBe(1);
    expect((await api.call('POST', `/projects/${id}/restore`)).status).toBe(200);
  });
});

test('any printable ASCII key of 1 to 255 characters is accepted', async () => {
  const api = await openApi();
  const keys = fc
    .string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 1,
      maxLength: 255,
    })
    .filter((key) => !key.startsWith('"'));
  await fc.assert(
    fc.asyncProperty(keys, async (idempotencyKey) => {
      const send = () => api.call('POST', '/projects', { body: { name: 'p' }, idempotencyKey });
      const [first, again] = [await send(), await send()];
      expect([first.status, again.text]).toEqual([201, first.text]);
    }),
    { numRuns: 25 },
  );
});
