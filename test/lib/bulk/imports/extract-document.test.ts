/** Documents with files: their states, their limits, kills and races. */
// @module-tag long

import { hash } from 'node:crypto';
import { PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../../../../lib/base/stage-limits.ts';
import { extract, leave, sendFile } from '../../../support/extractions.ts';
import { intercept } from '../../../support/faults.ts';
import { upload } from '../../../support/imports.ts';
import { type Knowledge, openKnowledge } from '../../../support/knowledge.ts';
import { pagesOfText } from '../../../support/long-texts.ts';
import { pdfFile } from '../../../support/sample-files.ts';

const file = pdfFile([['Returns'], ['Within 30 days.']]);
const sha256 = (bytes: Uint8Array) => hash('sha256', bytes);

const documentOf = async ({ call, path }: Knowledge, id: unknown) =>
  (await call('GET', `${path}/${id}`)).data;

/** @returns the ids of what the project has besides its documents: contents, parts of texts, and requests */
async function storedBeside({ store, projectId }: Knowledge) {
  const idsIn = async (part: string) => {
    const query = { partition: [projectId, part], from: ' ', to: '~', after: undefined, limit: 100 };
    return (await store.page('knowledge', query)).items.map(({ id }) => id);
  };
  return {
    content: await idsIn('content'),
    text: await idsIn('text'),
    extractions: await idsIn('extractions'),
  };
}

describe('a document with a file', () => {
  test('is pending, and then has the text', async () => {
    const api = await openKnowledge();
    const { id, uploadId, ...sent } = await sendFile(api, file);
    const none = { bytes: null, contentSha256: null, fileSha256: null, extractionError: null };
    expect(sent).toMatchObject({ ...none, extraction: 'pending', status: 'pending' });
    const early = await api.call('GET', `${api.path}/${id}/content`);
    expect(early).toMatchObject({ status: 409, error: { code: 'not_extracted' } });
    await extract(api, id);
    const done = await documentOf(api, id);
    const text = `${await api.contentOf(id)}`;
    expect(text.split('\f').map((page) => page.trim())).toEqual(['Returns', 'Within 30 days.', '']);
    expect(done).toMatchObject({
      extraction: 'done',
      extractionError: null,
      fileSha256: sha256(file),
      bytes: text.length,
      contentSha256: hash('sha256', text),
      status: 'pending',
    });
    expect((await storedBeside(api)).extractions).toEqual([]);
    expect([...api.files.keys()]).toHaveLength(1);
    await leave(api, id, uploadId);
    expect([...api.files.keys()]).toEqual([]);
    expect(await api.contentOf(id)).toBe(text);
  });

  test('that is broken has failed, with the reason', async () => {
    const api = await openKnowledge();
    const broken = Buffer.from('%PDF-1.7');
    const { id } = await sendFile(api, broken);
    await extract(api, id);
    const error = { code: 'unreadable_file', message: 'The PDF is broken.' };
    const fileSha256 = sha256(broken);
    const failed = { extraction: 'failed', extractionError: error, status: 'failed', error, fileSha256 };
    expect(await documentOf(api, id)).toMatchObject({ ...failed, bytes: null });
    const content = await api.call('GET', `${api.path}/${id}/content`);
    expect(content.error).toMatchObject({ code: 'not_extracted', message: 'The PDF is broken.' });
    // It stays failed when its tags change, and through a re-index.
    await api.call('PATCH', `${api.path}/${id}`, { body: { tags: ['a'] } });
    expect((await api.reindex()).status).toBe('succeeded');
    expect(await documentOf(api, id)).toMatchObject({ ...failed, tags: ['a'] });
    await api.call('PATCH', `${api.path}/${id}`, { body: { content: 'text' } });
    const none = { extraction: null, extractionError: null, fileSha256: null, error: null };
    expect(await documentOf(api, id)).toMatchObject({ ...none, status: 'pending', bytes: 4 });
  });

  test('that was never sent to the link has failed', async () => {
    const api = await openKnowledge();
    const { id } = await sendFile(api, file);
    api.files.clear();
    await extract(api, id);
    expect(await documentOf(api, id)).toMatchObject({
      extractionError: { code: 'file_missing' },
      fileSha256: null,
    });
  });

  test('with a long text has it in parts', async () => {
    const api = await openKnowledge();
    const text = pagesOfText(200, 5000);
    const { id, uploadId } = await sendFile(api, Buffer.from(text));
    await extract(api, id);
    expect(await documentOf(api, id)).toMatchObject({
      bytes: text.length,
      contentSha256: hash('sha256', text),
    });
    expect((await storedBeside(api)).text).toHaveLength(4);
    await leave(api, id, uploadId);
    expect((await storedBeside(api)).text).toHaveLength(4);
    await api.call('PATCH', `${api.path}/${id}`, { body: { content: 'short' } });
    await leave(api, id, uploadId);
    expect((await storedBeside(api)).text).toEqual([]);
  });

  test('can be deleted, changed and replaced while it is pending', async () => {
    const api = await openKnowledge();
    const first = await sendFile(api, file);
    await api.call('PATCH', `${api.path}/${first.id}`, { body: { title: 'Renamed' } });
    const second = await sendFile(api, pdfFile([['Second']]));
    await extract(api, first.id);
    expect(await api.contentOf(first.id)).toMatch('Second');
    await leave(api, first.id, first.uploadId);
    expect([...api.files.keys()]).toEqual([expect.stringContaining(`${second.uploadId}`)]);
    const other = await sendFile(api, file, 'other');
    await api.call('DELETE', `${api.path}/${other.id}`);
    await extract(api, other.id);
    expect(await storedBeside(api)).toEqual({ content: [first.id], text: [], extractions: [] });
    const third = await sendFile(api, file, 'third');
    await api.call('PATCH', `${api.path}/${third.id}`, { body: { content: 'sent' } });
    await extract(api, third.id);
    expect(await api.contentOf(third.id)).toBe('sent');
  });
});

test('an upload is used once, and for its purpose', async () => {
  const api = await openKnowledge();
  const post = (uploadId: unknown) => api.call('POST', api.path, { body: { title: 't', uploadId } });
  const { uploadId } = await sendFile(api, file);
  const wrong = await upload(api, api.projectId, file);
  for (const id of [uploadId, wrong, 'upl_01JZ4Y7Q8R5T2V9W3X6B0C1D4E']) {
    const { status, error } = await post(id);
    expect([status, error.details?.map(({ path }) => path)]).toEqual([400, ['uploadId']]);
  }
  const imported = await api.call('POST', `${api.project}/conversations/import-file`, {
    body: { uploadId: await upload(api, api.projectId, file, 'knowledge') },
  });
  expect(imported.error.details?.map(({ path }) => path)).toEqual(['uploadId']);
});

test('a text that would exceed a quota has failed, and counts nothing', async () => {
  const limits = { ...defaultLimits, live: { rateLimit: null, quotas: { bytes: 20 } } };
  const api = await openKnowledge(() => ({ limits }));
  const extracted = async (text: string, externalId: string) => {
    const { id } = await sendFile(api, Buffer.from(text), externalId);
    await extract(api, id);
    return documentOf(api, id);
  };
  const first = await extracted('Within 30 days.', 'first');
  expect(first).toMatchObject({ extraction: 'done', bytes: 15 });
  // Together with the first one, and on its own.
  for (const text of ['Within 14 days.', 'Within thirty working days.']) {
    expect(await extracted(text, text)).toMatchObject({
      extraction: 'failed',
      extractionError: { code: 'quota_exceeded', message: expect.stringContaining('quotas.bytes') },
      fileSha256: null,
      bytes: null,
    });
  }
  expect(await storedBeside(api)).toEqual({ content: [first.id], text: [], extractions: [] });
  expect((await api.call('GET', '/usage')).data.quotas).toMatchObject({ bytes: { limit: 20, used: 15 } });
});

test('a file that was in progress at two starts has failed', async () => {
  const api = await openKnowledge();
  const { id } = await sendFile(api, file);
  for (const _ of ['first', 'second']) {
    // The process ends while it reads the file.
    const runtime = {
      ...api.runtime,
      files: { ...api.runtime.files, read: () => new Promise<never>(() => {}) },
    };
    void extract(api, id, runtime);
    await expect
      .poll(async () => (await api.store.get('knowledge', `${id}`, [api.projectId, 'extractions']))?.starts)
      .toBe(_ === 'first' ? 1 : 2);
  }
  expect(await documentOf(api, id)).toMatchObject({ extraction: 'pending' });
  await extract(api, id);
  expect(await documentOf(api, id)).toMatchObject({
    extractionError: { code: 'document_too_complex' },
    fileSha256: null,
  });
});

test('a fault that is not of the file does not count as a start', async () => {
  const api = await openKnowledge();
  const { id } = await sendFile(api, file);
  const read = () => Promise.reject(new Error('S3 is not available'));
  const runtime = { ...api.runtime, files: { ...api.runtime.files, read } };
  for (const _ of [1, 2, 3]) await expect(extract(api, id, runtime)).rejects.toThrow('S3');
  await extract(api, id);
  expect(await documentOf(api, id)).toMatchObject({ extraction: 'done' });
});

const killedAtEvery = (step: number) => async () => {
  const text = pagesOfText(100, 5000);
  for (let write = 1; ; write += step) {
    for (const isWritten of [false, true]) {
      const api = await openKnowledge();
      const { id } = await sendFile(api, Buffer.from(text));
      let writes = 0;
      const dead = Promise.reject(new Error('killed'));
      dead.catch(() => {});
      const client = intercept(api.runtime.client, (command, proceed) => {
        const isWrite = [PutCommand, UpdateCommand, TransactWriteCommand].some(
          (kind) => command instanceof kind,
        );
        if (writes > write || (writes === write && !isWrite)) return dead;
        if (!isWrite) return undefined;
        writes += 1;
        if (writes < write) return undefined;
        return isWritten ? proceed().then(() => dead) : dead;
      });
      await extract(api, id, { ...api.runtime, client }).catch(() => {});
      await extract(api, id);
      const document = await documentOf(api, id);
      expect(document, `write ${write}`).toMatchObject({ extraction: 'done', bytes: text.length });
      expect(await storedBeside(api)).toMatchObject({ content: [id], extractions: [] });
      if (writes < write) return expect(write).toBeGreaterThan(3);
    }
  }
};
const storesOnce = 'killed before or after a write, the next run stores the text once';
test(`${storesOnce}: each fifth write`, killedAtEvery(5));
test(`${storesOnce}: each write`, { tags: ['nightly'] }, killedAtEvery(1));
