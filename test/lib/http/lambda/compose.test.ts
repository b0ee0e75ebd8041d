/** The handlers of functions, with the settings of an environment as Lambda gives it. */

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import downloadsGet from '../../../../functions/downloads/get.ts';
import downloadsList from '../../../../functions/downloads/list.ts';
import projectsCreate from '../../../../functions/projects/create.ts';
import projectsList from '../../../../functions/projects/list.ts';
import uploadsCreate from '../../../../functions/uploads/create.ts';
import type { Endpoint } from '../../../../lib/http/endpoint.ts';
import { type ComposeEndpoint, change, changeWithFiles, read } from '../../../../lib/http/lambda/compose.ts';
import { readWithDownloads } from '../../../../lib/http/lambda/downloads.ts';
import { openApi, type TestApi } from '../../../../samples/api.ts';
import { localSettings, testTables } from '../../../../samples/tables.ts';
import { type CallOptions, requestEvent } from '../../../../scripts/local/call.ts';
import { routesOf } from '../../../../scripts/local/service.ts';

/** The lines that the functions log. */
const lines: string[] = [];

beforeEach(() => {
  vi.spyOn(fs, 'writeSync').mockImplementation((_, line) => lines.push(String(line)));
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  vi.unstubAllGlobals();
  lines.length = 0;
});

/** Sends a request to the composed handler. */
async function send(
  compose: ComposeEndpoint,
  endpoint: Endpoint,
  path: string,
  { runtime, rootKey }: TestApi,
  options: CallOptions = {},
) {
  const env = { ...testTables(), ...localSettings(), FILES_BUCKET: 'bucket' };
  const { event } = requestEvent(routesOf(runtime), endpoint.method, path, { key: rootKey, ...options });
  const { statusCode, body } = await compose(endpoint, env)(event, {} as Context);
  return { statusCode, ...JSON.parse(body) };
}

test('a function that reads, and one that changes and records what it answers', async () => {
  const api = await openApi();
  const options = { body: { name: 'composed' }, idempotencyKey: 'once' };
  const created = await send(change, projectsCreate, '/projects', api, options);
  expect(created).toMatchObject({ statusCode: 201, data: { name: 'composed' } });
  expect(await send(change, projectsCreate, '/projects', api, options)).toEqual(created);
  const listed = await send(read, projectsList, '/projects', api);
  expect(listed).toMatchObject({ statusCode: 200, data: { items: [{ id: created.data.id }] } });
  expect(lines.map((line) => JSON.parse(line).endpoint)).toEqual([
    'projects.create',
    'projects.create',
    'projects.list',
  ]);
});

test('a function with files signs links to the bucket of its environment', async () => {
  const api = await openApi();
  const path = `/projects/${await api.createProject()}/uploads`;
  const uploaded = await send(changeWithFiles, uploadsCreate, path, api, { body: { bytes: 42 } });
  expect(uploaded, JSON.stringify(uploaded)).toMatchObject({ statusCode: 201 });
  expect(new URL(uploaded.data.url).hostname).toMatch(/^bucket\.s3\./);
  // A function without files has none.
  expect(await send(change, uploadsCreate, path, api, { body: { bytes: 42 } })).toMatchObject({
    statusCode: 500,
  });
});

test('a function with downloads streams bytes, where Lambda streams', () => {
  const env = { ...localSettings(), DOWNLOADS_BUCKET: 'bucket' };
  // The SDK sets it, also where nothing streams.
  vi.stubGlobal('awslambda', undefined);
  expect(readWithDownloads(downloadsGet, env)).toBeInstanceOf(Function);
  vi.stubGlobal('awslambda', { streamifyResponse: () => 'streamed' });
  expect(readWithDownloads(downloadsGet, env)).toBe('streamed');
  expect(readWithDownloads(downloadsList, env)).toBeInstanceOf(Function);
});
