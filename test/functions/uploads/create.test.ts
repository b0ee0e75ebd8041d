import { describe, expect, test } from 'vitest';
import { hourMs, minuteMs } from '../../../lib/base/time.ts';
import { type ApiResponse, openApi } from '../../../samples/api.ts';
import { importNow, upload } from '../../support/imports.ts';
import { refuses, responds } from '../../support/responses.ts';

async function openUploads() {
  const api = await openApi();
  const project = await api.createProject();
  const path = `/projects/${project}/uploads`;
  return {
    api,
    project,
    path,
    post: (bytes: unknown, options = {}) => api.call('POST', path, { body: { bytes }, ...options }),
  };
}

/** Ten requests at a time. @returns the statuses of so many requests */
async function statusesOf(count: number, post: (bytes: number) => Promise<ApiResponse>): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < count) {
    const some = Math.min(10, count - statuses.length);
    const responses = await Promise.all(Array.from({ length: some }, () => post(1)));
    statuses.push(...responses.map(({ status }) => status));
  }
  return statuses;
}

describe('uploads.create', () => {
  responds(201, 'with a link for a file of this size', async () => {
    const { api, project, post } = await openUploads();
    const beganMs = api.runtime.nowMs();
    const response = await post(42);
    const { id, url, expiresAt } = response.data;
    const purpose = 'conversations';
    expect(response.data).toEqual({ id: expect.stringMatching(/^upl_/), bytes: 42, purpose, url, expiresAt });
    const key = `${api.organisationId}/live/${project}/uploads/${id}`;
    expect(url).toBe(`memory:${key}?seconds=900&bytes=42`);
    const livesMs = Date.parse(`${expiresAt}`) - 15 * minuteMs;
    expect(livesMs).toBeGreaterThanOrEqual(beganMs);
    expect(livesMs).toBeLessThanOrEqual(api.runtime.nowMs());
    return response;
  });

  responds(201, 'with the same link for a repetition', async () => {
    const { post } = await openUploads();
    const first = await post(42, { idempotencyKey: 'upload' });
    const second = await post(42, { idempotencyKey: 'upload' });
    expect(second.data).toEqual(first.data);
    return second;
  });

  refuses('secret_unavailable', 'the link of a request that another key has sent', async () => {
    const { api, post } = await openUploads();
    await post(42, { idempotencyKey: 'upload' });
    const { secret: key } = await api.createKey({ scopes: ['conversations:write'] });
    return post(42, { idempotencyKey: 'upload', key });
  });

  refuses('too_many_uploads', 'more than 100 that are not imported', async () => {
    const { post } = await openUploads();
    expect(await statusesOf(100, post)).toEqual(Array(100).fill(201));
    return post(1);
  });

  test('an import that has ended leaves room', { tags: ['long'] }, async () => {
    const { api, project, post } = await openUploads();
    await statusesOf(99, post);
    await importNow(api, project, 'broken');
    expect((await post(1)).status).toBe(201);
  });

  test.each([0, 1.5, '42', 104_857_601, undefined])('400 validation_error: %s bytes', async (bytes) => {
    const { post } = await openUploads();
    expect((await post(bytes)).error.details?.map(({ path }) => path)).toEqual(['bytes']);
  });

  test('100 MB are the most', async () => {
    const { post } = await openUploads();
    expect((await post(104_857_600)).status).toBe(201);
  });

  test('a purpose needs its scope, and knowledge has at most 25 MB', async () => {
    const { api, path } = await openUploads();
    const post = (body: object, key?: string) => api.call('POST', path, { body, ...(key && { key }) });
    const { secret: knowledge } = await api.createKey({ scopes: ['knowledge:write'] });
    const { secret: conversations } = await api.createKey({ scopes: ['conversations:write'] });
    const file = { bytes: 26_214_400, purpose: 'knowledge' };
    expect((await post(file, knowledge)).data.purpose).toBe('knowledge');
    expect((await post({ bytes: 1 }, knowledge)).error.code).toBe('insufficient_scope');
    expect((await post(file, conversations)).error.code).toBe('insufficient_scope');
    const larger = await post({ ...file, bytes: file.bytes + 1 });
    expect(larger.error.details?.map(({ path }) => path)).toEqual(['bytes']);
  });

  test('an upload can be used for twelve hours', async () => {
    const { api, project } = await openUploads();
    const uploadId = await upload(api, project, Buffer.from('x'));
    api.advance(12 * hourMs);
    const { error } = await api.call('POST', `/projects/${project}/conversations/import-file`, {
      body: { uploadId },
    });
    expect(error.details?.map(({ path }) => path)).toEqual(['uploadId']);
  });
});
