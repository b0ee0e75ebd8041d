/** Files that replace contents and files, and requests that are repeated. */

import { describe, expect, test } from 'vitest';
import { minuteMs } from '../../../../lib/base/time.ts';
import type { Json } from '../../../../samples/api.ts';
import { exportNow, linesOf } from '../../../support/exports.ts';
import { extract, leave, sendFile } from '../../../support/extractions.ts';
import { intercept } from '../../../support/faults.ts';
import { upload } from '../../../support/imports.ts';
import { type Knowledge, openKnowledge } from '../../../support/knowledge.ts';
import { pagesOfText } from '../../../support/long-texts.ts';
import { pdfFile } from '../../../support/sample-files.ts';

const file = pdfFile([['Returns'], ['Within 30 days.']]);
const broken = Buffer.from('%PDF-1.7');

const documentOf = async ({ call, path }: Knowledge, id: unknown) =>
  (await call('GET', `${path}/${id}`)).data;

/** @returns the documents that a search finds */
async function found({ call, project }: Knowledge, word: string) {
  const { data } = await call('GET', `${project}/knowledge/search?q=${word}&mode=lexical`);
  return (data.items as Json[]).map(({ documentId }) => documentId);
}

async function partsIn({ store, projectId }: Knowledge, part: string): Promise<number> {
  const query = { partition: [projectId, part], from: ' ', to: '~', after: undefined, limit: 100 };
  return (await store.page('knowledge', query)).items.length;
}

/** A document that is indexed with a content, and then gets a file. */
async function openReplaced(bytes: Uint8Array = file) {
  const api = await openKnowledge();
  const { id } = await api.create({ externalId: 'file', content: 'the old horn' });
  await api.reindex();
  await sendFile(api, bytes);
  return { api, id };
}

/** The same, while a re-index waits for the file of another document. */
async function openReplacedMeanwhile() {
  const api = await openKnowledge();
  const { id } = await api.create({ externalId: 'file', content: 'the old horn' });
  const { id: other } = await sendFile(api, pdfFile([['A drum']]), 'other');
  const { data: job } = await api.call('POST', `${api.project}/knowledge/reindex`);
  await api.workOff(api.projectId, `${job.id}`);
  api.advance(2 * minuteMs);
  await sendFile(api, file);
  await extract(api, other);
  return { api, id, job };
}

describe('a content that a file replaces', () => {
  test('is not shown, but stays in the index until the file was read', { tags: ['long'] }, async () => {
    const { api, id, job } = await openReplacedMeanwhile();
    expect(await documentOf(api, id)).toMatchObject({
      extraction: 'pending',
      bytes: null,
      contentSha256: null,
    });
    const content = await api.call('GET', `${api.path}/${id}/content`);
    expect(content).toMatchObject({ status: 409, error: { code: 'not_extracted' } });
    const exported = await exportNow(api, api.projectId, { what: 'documents' });
    const lines = await linesOf(api, exported);
    expect(lines).toContainEqual(expect.objectContaining({ id, content: null, contentSha256: null }));
    // It has started before the file was sent, so it does not wait for it.
    await api.workOff(api.projectId, `${job.id}`);
    expect((await api.call('GET', `${api.project}/jobs/${job.id}`)).data.status).toBe('succeeded');
    expect(await found(api, 'horn')).toEqual([id]);
    expect(await documentOf(api, id)).toMatchObject({ status: 'pending', indexVersion: null });
    // Another document changes, so that there is another version.
    await api.create({ content: 'a bell' });
    const { data: next } = await api.call('POST', `${api.project}/knowledge/reindex`);
    await extract(api, id);
    await api.workOff(api.projectId, `${next.id}`);
    expect([await found(api, 'horn'), await found(api, 'days')]).toEqual([[], [id]]);
    expect(await documentOf(api, id)).toMatchObject({ status: 'indexed', extraction: 'done' });
    expect(await partsIn(api, 'content')).toBe(3);
  });

  test('is removed when the file has no text', { tags: ['long'] }, async () => {
    const { api, id } = await openReplaced(broken);
    await extract(api, id);
    expect(await partsIn(api, 'content')).toBe(0);
    expect(await documentOf(api, id)).toMatchObject({ extraction: 'failed', status: 'failed', bytes: null });
    await api.reindex();
    expect(await found(api, 'horn')).toEqual([]);
    // Then it can have a file again.
    await sendFile(api, file);
    await extract(api, id);
    expect(await documentOf(api, id)).toMatchObject({ extraction: 'done' });
  });

  test('can be replaced by a text, by another file, or deleted, before the file was read', {
    tags: ['long'],
  }, async () => {
    const { api, id } = await openReplaced();
    await sendFile(api, pdfFile([['Second']]));
    await api.call('PATCH', `${api.path}/${id}`, { body: { title: 'Renamed' } });
    await extract(api, id);
    expect(await api.contentOf(id)).toMatch('Second');
    await sendFile(api, file);
    await api.call('PATCH', `${api.path}/${id}`, { body: { content: 'sent' } });
    await extract(api, id);
    expect(await api.contentOf(id)).toBe('sent');
    await sendFile(api, file);
    expect((await api.call('DELETE', `${api.path}/${id}`)).status).toBe(200);
    expect([await partsIn(api, 'content'), await partsIn(api, 'extractions')]).toEqual([0, 0]);
  });

  test('keeps its parts until then', { tags: ['long'] }, async () => {
    const api = await openKnowledge();
    const { id, uploadId } = await sendFile(api, Buffer.from(pagesOfText(100, 5000)));
    await extract(api, id);
    await leave(api, id, uploadId);
    const before = await partsIn(api, 'text');
    expect(before).toBeGreaterThan(0);
    const second = await sendFile(api, file);
    await leave(api, id, uploadId);
    expect(await partsIn(api, 'text')).toBe(before);
    await extract(api, id);
    await leave(api, id, uploadId);
    await leave(api, id, second.uploadId);
    expect(await partsIn(api, 'text')).toBe(0);
    expect(await api.contentOf(id)).toMatch('30 days');
  });
});

describe('a PUT that is repeated with the same upload', () => {
  async function open(adjust?: Parameters<typeof openKnowledge>[0]) {
    const api = await openKnowledge(adjust);
    const uploadId = await upload(api, api.projectId, file, 'knowledge');
    const put = (body: Json = {}) =>
      api.call('PUT', `${api.path}/by-external-id/file`, { body: { title: 'File', uploadId, ...body } });
    return { api, put, uploadId };
  }

  test('is unchanged, before and after the file was read', async () => {
    const { api, put, uploadId } = await open();
    const { status, data } = await put();
    expect([status, data.outcome]).toEqual([201, 'created']);
    const { id } = data.document as Json;
    expect(await put()).toMatchObject({ status: 200, data: { ...data, outcome: 'unchanged' } });
    await extract(api, id);
    await leave(api, id, uploadId);
    const document = await documentOf(api, id);
    expect(document.extraction).toBe('done');
    expect(await put()).toMatchObject({ status: 200, data: { outcome: 'unchanged', document } });
    expect(await documentOf(api, id)).toEqual(document);
  });

  test('at the same time stores one document', async () => {
    const { api, put } = await open();
    const responses = await Promise.all([put(), put(), put()]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(await api.listed()).toHaveLength(1);
  });

  test('and that another one has just overtaken, is unchanged', async () => {
    let overtake: (() => Promise<unknown>) | undefined;
    const { api, put } = await open(({ client }) => ({
      client: intercept(client, (command, proceed) => {
        const act = overtake;
        if (!act || !JSON.stringify(command.input).includes('"upl_')) return undefined;
        overtake = undefined;
        return act().then(proceed);
      }),
    }));
    let first: Json = {};
    overtake = async () => {
      first = (await put()).data;
    };
    const second = await put();
    expect([first.outcome, second.status, second.data.outcome]).toEqual(['created', 200, 'unchanged']);
    expect(await api.listed()).toHaveLength(1);
  });

  test('may change the title, and does not read the file again', async () => {
    const { api, put } = await open();
    const { id } = (await put()).data.document as Json;
    await extract(api, id);
    const { data } = await put({ title: 'Renamed' });
    expect(data).toMatchObject({ outcome: 'updated', document: { title: 'Renamed', extraction: 'done' } });
    expect(await partsIn(api, 'extractions')).toBe(0);
  });

  test('is refused when the document has another content', async () => {
    const { api, put } = await open();
    const { id } = (await put()).data.document as Json;
    await api.call('PATCH', `${api.path}/${id}`, { body: { content: 'sent' } });
    const { status, error } = await put();
    expect([status, error.details?.map(({ path }) => path)]).toEqual([400, ['uploadId']]);
    expect(await api.contentOf(id)).toBe('sent');
  });
});
