/** Requests over HTTP through the dev server's gateway. */

import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withSecond } from '../../scripts/local/streams.ts';
import { type ServedApi, serveApi } from '../support/served-api.ts';

let served: ServedApi;
beforeAll(async () => {
  served = await serveApi();
});
afterAll(() => served?.close());

async function send(
  method: string,
  path: string,
  init: { body?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> } = {},
) {
  const headers = {
    Authorization: `Bearer ${served.apiKey}`,
    'Content-Type': 'application/json',
    ...init.headers,
  };
  const response = await fetch(served.baseUrl + path, { method, ...init, headers });
  const { error } = (await response.json()) as { error?: { code: string; details?: { path: string }[] } };
  return { status: response.status, code: error?.code, paths: error?.details?.map(({ path }) => path) };
}

test.each(['gzip', 'deflate', 'br', 'GZIP', 'x-unknown'])(
  '415 for a body with Content-Encoding %s',
  async (coding) => {
    const body = new Uint8Array(gzipSync('{"name":"p"}'));
    const answer = await send('POST', '/projects', { body, headers: { 'Content-Encoding': coding } });
    expect(answer).toMatchObject({ status: 415, code: 'unsupported_media_type' });
  },
);

test('400 for undeclared compressed bytes, and for invalid UTF-8', async () => {
  for (const body of [new Uint8Array(gzipSync('{"name":"p"}')), new Uint8Array([0x7b, 0xff, 0x7d])]) {
    expect(await send('POST', '/projects', { body })).toMatchObject({ status: 400, code: 'invalid_json' });
  }
  const named = { body: '{"name":"p"}', headers: { 'Content-Encoding': 'identity' } };
  expect((await send('POST', '/projects', named)).status).toBe(201);
});

test('400 for a path that is not percent-encoded UTF-8, with the name of the parameter', async () => {
  const project = await served.api.createProject();
  const documents = `/projects/${project}/knowledge/documents/by-external-id`;
  const body = JSON.stringify({ title: 't', content: 'c' });
  for (const part of ['%ff', 'a%ffb', '%', '%zz', '50%', '%c3', '%ed%a0%80', '%c0%af']) {
    const put = await send('PUT', `${documents}/${part}`, { body });
    expect(put, part).toEqual({ status: 400, code: 'validation_error', paths: ['external_id'] });
    const get = await send('GET', `/projects/${part}`);
    expect(get, part).toEqual({ status: 400, code: 'validation_error', paths: ['project_id'] });
  }
  expect((await send('PUT', `${documents}/${encodeURIComponent('50% ü/ß')}`, { body })).status).toBe(201);
});

test('405 names the methods that the path supports, and where messages are read', async () => {
  const refused = async (method: string, path: string) => {
    const response = await fetch(served.baseUrl + path, { method });
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect([response.status, error.code]).toEqual([405, 'method_not_allowed']);
    return [response.headers.get('allow'), error.message];
  };
  expect(await refused('PUT', '/projects')).toEqual(['GET, POST', 'This path supports GET, POST, not PUT.']);
  const messages = '/projects/p/conversations/c/messages';
  expect(await refused('GET', messages)).toEqual([
    'POST',
    'This path supports POST, not GET. Read messages with GET …/conversations/{conversation_id}/transcript.',
  ]);
  expect(await refused('DELETE', messages)).toEqual(['POST', 'This path supports POST, not DELETE.']);
});

test('the address of a caller is that of its connection, and not one that a header names', async () => {
  const statusFrom = async (cidr: string, headers: Record<string, string>) => {
    const { secret } = await served.api.createKey({ allowedCidrs: [cidr] });
    return (await send('GET', '/projects', { headers: { Authorization: `Bearer ${secret}`, ...headers } }))
      .status;
  };
  for (const name of ['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'True-Client-IP', 'CF-Connecting-IP']) {
    expect(await statusFrom('203.0.113.0/24', { [name]: '203.0.113.7' }), name).toBe(401);
    expect(await statusFrom('127.0.0.1/32', { [name]: '203.0.113.7' }), name).toBe(200);
  }
});

test('a change of the last minute has a time to the second, as in DynamoDB', () => {
  const record = (seconds: number) => ({ dynamodb: { ApproximateCreationDateTime: seconds } });
  const nowMs = 1_800_000_059_900;
  expect(withSecond(record(1_800_000_000), nowMs)).toEqual(record(1_800_000_059));
  // An older change keeps its minute, and one without a time gets none.
  expect(withSecond(record(1_799_999_940), nowMs)).toEqual(record(1_799_999_940));
  expect(withSecond({}, nowMs)).toEqual({});
});
