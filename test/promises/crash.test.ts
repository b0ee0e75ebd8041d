/** Crash safety: the process is killed at every point of a commit, then the request is sent again. */

import { type ChildProcess, fork } from 'node:child_process';
import { resolve } from 'node:path';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { openApi } from '../../samples/api.ts';
import { testTables } from '../../samples/tables.ts';
import { openDynamoDbProxy } from '../support/dynamodb-proxy.ts';

const children: ChildProcess[] = [];
const proxies: { close(): void }[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const proxy of proxies.splice(0)) proxy.close();
});

/** @returns the base URL of a new server process, and its end */
async function start(crash: string, dynamodbEndpoint: string) {
  const child = fork(resolve(import.meta.dirname, '../support/crash-child.ts'), {
    env: {
      ...process.env,
      ...testTables(),
      AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
      CRASH: crash,
    },
    execArgv: [],
  });
  children.push(child);
  const ended = new Promise((done) => child.once('exit', (_, signal) => done(signal)));
  const port = await new Promise((ready) => child.once('message', ready));
  return { baseUrl: `http://127.0.0.1:${port}/api/v1`, ended, child };
}

/** Passes everything on to DynamoDB Local; calls `onCommit` once a commit is carried out, and keeps its answer. */
async function withholding(onCommit: () => void): Promise<string> {
  const proxy = await openDynamoDbProxy(inject('dynamodbEndpoint'), (operation) => {
    if (!['TransactWriteItems', 'PutItem'].includes(operation)) return 'pass';
    onCommit();
    return 'hold';
  });
  proxies.push(proxy);
  return proxy.endpoint;
}

const headersOf = ({ rootKey }: { rootKey: string }) => ({
  Authorization: `Bearer ${rootKey}`,
  'Content-Type': 'application/json',
});
const post = (url: string, headers: Record<string, string>, body: unknown) =>
  fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });

type Row = readonly [what: string, path: string, body: Record<string, unknown>];
const project: Row = ['a project', '/projects', { name: 'crash' }];
const key: Row = ['an API key', '/api-keys', { name: 'crash', scopes: ['projects:read'] }];

const madeOnce =
  (crash: string) =>
  async (...[, path, body]: Row) => {
    const api = await openApi();
    let kill = () => {};
    const endpoint = crash === 'in' ? await withholding(() => kill()) : inject('dynamodbEndpoint');
    const headers = { ...headersOf(api), 'Idempotency-Key': 'crash' };
    const request = (baseUrl: string) => post(baseUrl + path, headers, body);

    const doomed = await start(crash, endpoint);
    kill = () => doomed.child.kill('SIGKILL');
    await expect(request(doomed.baseUrl)).rejects.toThrow('fetch failed');
    expect(await doomed.ended).toBe('SIGKILL');

    const { baseUrl } = await start('never', inject('dynamodbEndpoint'));
    const retry = await request(baseUrl);
    const response = await retry.text();
    expect(retry.status, response).toBe(201);
    // A request that was committed before the crash is replayed; any other request takes effect now.
    expect(retry.headers.get('idempotent-replayed')).toBe(crash === 'before' ? null : 'true');
    expect(await (await request(baseUrl)).text()).toBe(response);

    const { data } = await api.call('GET', path);
    const made = (data.items as { id: string; name: string }[]).filter(({ name }) => name === 'crash');
    expect(made.map(({ id }) => id)).toEqual([JSON.parse(response).data.id]);
  };

const storedOnce = (crash: string) => async () => {
  const api = await openApi();
  const path = await api.createConversation();
  let kill = () => {};
  const endpoint = crash === 'in' ? await withholding(() => kill()) : inject('dynamodbEndpoint');
  const messages = ['one', 'two'].map((text) => ({ role: 'user', text, clientMessageId: text }));
  const request = (baseUrl: string) => post(`${baseUrl}${path}/messages`, headersOf(api), { messages });

  const doomed = await start(crash, endpoint);
  kill = () => doomed.child.kill('SIGKILL');
  await expect(request(doomed.baseUrl)).rejects.toThrow('fetch failed');
  await doomed.ended;

  const { baseUrl } = await start('never', inject('dynamodbEndpoint'));
  const retry = await request(baseUrl);
  expect(retry.status).toBe(201);
  const { data } = (await retry.json()) as { data: { messages: { seq: number; duplicate: boolean }[] } };
  const isKnown = crash !== 'before';
  expect(data.messages).toMatchObject([1, 2].map((seq) => ({ seq, duplicate: isKnown })));
  const stored = (await api.call('GET', `${path}/transcript`)).data.messages as { text: string }[];
  expect(stored.map(({ text }) => text)).toEqual(['one', 'two']);
};

const resource = '%s: the first retry returns 201, and there is one';
const messages = 'messages with a clientMessageId: the first retry returns 201, and each is stored once';

describe('killed in the commit', () => {
  test.each([project])(resource, madeOnce('in'));
  test.each([key])(resource, { tags: ['long'] }, madeOnce('in'));
  test(messages, { tags: ['long'] }, storedOnce('in'));
});

describe.each(['before', 'after'])('killed %s the commit', { tags: ['long'] }, (crash) => {
  test.each([project])(resource, madeOnce(crash));
  test.each([key])(resource, { tags: ['nightly'] }, madeOnce(crash));
  test(messages, storedOnce(crash));
});
