import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noise, openKnowledge } from '../../../support/knowledge.ts';
import { refuses, responds } from '../../../support/responses.ts';

const maxBytes = 200 * 1024;

/** @returns the fields that were found wrong */
const faults = async (body: object) => {
  const { call, path } = await openKnowledge();
  const response = await call('POST', path, { body });
  return response.error.details?.map(({ path }) => path);
};

describe('knowledge.documents.create', () => {
  responds(201, 'with a document that is to be indexed', async () => {
    const { call, path, rootKey } = await openKnowledge();
    const me = await call('GET', '/api-keys/me', { key: rootKey });
    const response = await call('POST', path, { body: { title: 'Größe', content: 'zwölf' } });
    const { id, createdAt } = response.data as { id: string; createdAt: string };
    expect(response.data).toEqual({
      id,
      title: 'Größe',
      source: null,
      externalId: null,
      mimeType: 'text/plain',
      bytes: 6,
      contentSha256: createHash('sha256').update('zwölf').digest('hex'),
      tags: [],
      metadata: {},
      status: 'pending',
      error: null,
      extraction: null,
      extractionError: null,
      fileSha256: null,
      fileMimeType: null,
      extractionNotes: [],
      extractedBy: null,
      ignored: false,
      indexVersion: null,
      createdAt,
      updatedAt: createdAt,
      createdBy: me.data.id,
    });
    expect(id).toMatch(/^kdoc_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    expect((await call('GET', `${path}/${id}`)).data).toEqual(response.data);
    return response;
  });

  responds(201, 'with everything that can be said of it', async () => {
    const { call, path } = await openKnowledge();
    const { content, ...body } = {
      title: '返品 👩‍👩‍👧',
      content: '<p>30 days</p>',
      mimeType: 'text/html',
      externalId: 'https://example.org/a?b=c#d %2F ä',
      tags: ['b', 'a', 'ß'],
      metadata: { source: 'wiki', constructor: '' },
    };
    const response = await call('POST', path, { body: { ...body, content } });
    expect(response.data).toMatchObject(body);
    expect((await call('GET', `${path}/${response.data.id}`)).data).toEqual(response.data);
    return response;
  });

  responds(201, 'at every limit', async () => {
    const { call, path, contentOf } = await openKnowledge();
    const content = `${noise(maxBytes - 2)}é`;
    const response = await call('POST', path, {
      body: {
        title: '🚀'.repeat(200),
        content,
        externalId: '🚀'.repeat(255),
        tags: Array.from({ length: 20 }, (_, index) => `🏷${index}`.padEnd(41, 't')),
      },
    });
    expect(response.data.bytes).toBe(maxBytes);
    expect(await contentOf(response.data.id)).toBe(content);
    return response;
  });

  refuses('external_id_taken', 'an externalId of another document, which is named', async () => {
    const { call, path, create } = await openKnowledge();
    const { id } = await create({ externalId: 'a' });
    const body = { title: 'other', content: 'c', externalId: 'a' };
    const response = await call('POST', path, { body });
    expect(response.error.message).toContain(id);
    return response;
  });

  test('an externalId is unique in its project, and only there', async () => {
    const api = await openKnowledge();
    await api.create({ externalId: 'a' });
    await api.create({ externalId: 'A' });
    const elsewhere = `/projects/${await api.createProject()}/knowledge/documents`;
    const body = { title: 't', content: 'c', externalId: 'a' };
    expect((await api.call('POST', elsewhere, { body })).status).toBe(201);
    const key = await api.testModeKey();
    const testProject = await api.createProject({}, key);
    const testPath = `/projects/${testProject}/knowledge/documents`;
    expect((await api.call('POST', testPath, { body, key })).status).toBe(201);
  });

  test('of ten at once with one externalId one is made, and the others are told which', async () => {
    const { call, path, listed } = await openKnowledge();
    const body = { title: 't', content: 'c', externalId: 'a' };
    const responses = await Promise.all(Array.from({ length: 10 }, () => call('POST', path, { body })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    const [document] = await listed();
    for (const { error } of responses.filter(({ status }) => status === 409)) {
      expect(error.message).toContain(document?.id);
    }
  });

  test('of ten at once with one Idempotency-Key one is made, and all get it', async () => {
    const { call, path, listed } = await openKnowledge();
    const request = { body: { title: 't', content: 'c', externalId: 'a' }, idempotencyKey: 'k' };
    const responses = await Promise.all(Array.from({ length: 10 }, () => call('POST', path, request)));
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(await listed()).toHaveLength(1);
  });

  test('any text comes back exactly as it was sent', { tags: ['long'] }, async () => {
    const { create, contentOf } = await openKnowledge();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (content) => {
        const { id, bytes } = await create({ content });
        expect(await contentOf(id)).toBe(content);
        expect(bytes).toBe(Buffer.byteLength(content));
      }),
      { numRuns: 30, examples: [['\ufeff'], ['\u0000'], ['\r\n\u2028'], [' '], ['e\u0301']] },
    );
  });

  test.each([
    ['no title', { content: 'c' }, 'title'],
    ['no content', { title: 't' }, 'content'],
    ['an empty content', { title: 't', content: '' }, 'content'],
    ['half a character', { title: 't', content: 'a\ud83d' }, 'content'],
    ['200 KB and one byte', { title: 't', content: `${'x'.repeat(maxBytes - 1)}é` }, 'content'],
    ['200 KB and one byte in few characters', { title: 't', content: '🚀'.repeat(51_201) }, 'content'],
    ['a title of 201 characters', { title: 'x'.repeat(201), content: 'c' }, 'title'],
    ['a blank title', { title: ' ', content: 'c' }, 'title'],
    ['another type', { title: 't', content: 'c', mimeType: 'application/pdf' }, 'mimeType'],
    ['an empty externalId', { title: 't', content: 'c', externalId: '' }, 'externalId'],
    ['an externalId of 256', { title: 't', content: 'c', externalId: 'x'.repeat(256) }, 'externalId'],
    ['a control character in it', { title: 't', content: 'c', externalId: 'a\u007f' }, 'externalId'],
    ['a null externalId', { title: 't', content: 'c', externalId: null }, 'externalId'],
    ['21 tags', { title: 't', content: 'c', tags: Array.from({ length: 21 }, (_, i) => `${i}`) }, 'tags'],
    ['a tag twice', { title: 't', content: 'c', tags: ['a', 'a'] }, 'tags'],
    ['a tag of 41 characters', { title: 't', content: 'c', tags: ['x'.repeat(41)] }, 'tags.0'],
    ['nested metadata', { title: 't', content: 'c', metadata: { a: {} } }, 'metadata.a'],
    ['a status', { title: 't', content: 'c', status: 'indexed' }, 'status'],
  ])('400 validation_error: %s', async (_, body, path) => {
    expect(await faults(body)).toEqual([path]);
  });
});
