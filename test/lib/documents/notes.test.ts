/** What the readers of files say besides the text: notes, and their version. */

import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { type ExtractionNote, noteCodes } from '../../../lib/readers/blocks.ts';
import { type ExtractedText, NotExtractable, readerVersion } from '../../../lib/readers/types.ts';
import type { Json } from '../../../samples/api.ts';
import { extractAs, leave, readBefore, sendFile } from '../../support/extractions.ts';
import { upload } from '../../support/imports.ts';
import { type Knowledge, openKnowledge } from '../../support/knowledge.ts';

const file = Buffer.from('Within 30 days.');

const textWith = (notes: readonly ExtractionNote[]): ExtractedText => ({
  text: 'Within 30 days.',
  mimeType: 'text/markdown',
  notes,
});

const documentOf = async ({ call, path }: Knowledge, id: unknown) =>
  (await call('GET', `${path}/${id}`)).data;

/** Sends a file, which a reader reads. @returns the document */
async function sendRead(api: Knowledge, externalId: string, notes: readonly ExtractionNote[] = []) {
  const { id } = await sendFile(api, file, externalId);
  await extractAs(api, id, () => textWith(notes));
  return documentOf(api, id);
}

/** Makes the item of a document as it was stored before documents had notes. */
const asBefore = ({ runtime, organisationId, projectId }: Knowledge, id: unknown) =>
  runtime.client.send(
    new UpdateCommand({
      TableName: runtime.tableNames.knowledge,
      Key: { tenant: `${organisationId}#live#${projectId}`, id },
      UpdateExpression: 'REMOVE extractionNotes, extractedBy, fileMimeType',
    }),
  );

test('a document has the notes of its reader, until it has another content', async () => {
  const api = await openKnowledge();
  const { id, ...pending } = await sendFile(api, file);
  expect(pending).toMatchObject({ extractionNotes: [], extractedBy: null });
  const notes = [
    { code: 'pages_without_text', count: 2, pages: [3, 7] },
    { code: 'comments_left_out', count: 1 },
  ] as const;
  await extractAs(api, id, () => textWith(notes));
  expect(await documentOf(api, id)).toMatchObject({ extractionNotes: notes, extractedBy: readerVersion });
  await api.call('PATCH', `${api.path}/${id}`, { body: { tags: ['a'] } });
  expect(await documentOf(api, id)).toMatchObject({ extractionNotes: notes, extractedBy: readerVersion });
  await api.call('PATCH', `${api.path}/${id}`, { body: { content: 'text' } });
  expect(await documentOf(api, id)).toMatchObject({ extractionNotes: [], extractedBy: null });
});

test('a document has at most 20 notes with 20 pages each', async () => {
  const api = await openKnowledge();
  const pages = Array.from({ length: 1000 }, (_, index) => index + 1);
  const notes = pages.map((count) => ({
    code: noteCodes[count % noteCodes.length] ?? noteCodes[0],
    count,
    pages,
  }));
  const { extractionNotes } = await sendRead(api, 'scan', [
    { ...notes[0], pages: [] } as ExtractionNote,
    ...notes,
  ]);
  const stored = extractionNotes as Json[];
  expect(stored).toHaveLength(20);
  expect(stored[0]).not.toHaveProperty('pages');
  expect(stored[1]?.pages).toEqual(pages.slice(0, 20));
});

test('a file that cannot be read has the version of the reader, and no notes', async () => {
  const api = await openKnowledge();
  const { id } = await sendFile(api, file);
  await extractAs(api, id, () => {
    throw new NotExtractable('no_text', 'The file contains no text.');
  });
  const failed = { extraction: 'failed', extractionNotes: [], extractedBy: readerVersion };
  expect(await documentOf(api, id)).toMatchObject(failed);
  // The file was not read: the next version of the reader has nothing to do with it.
  const lost = await sendFile(api, file, 'lost');
  api.files.clear();
  await extractAs(api, lost.id, () => textWith([]));
  expect(await documentOf(api, lost.id)).toMatchObject({ extraction: 'failed', extractedBy: null });
});

test('the list filters by note, and by the version of the reader', async () => {
  const api = await openKnowledge();
  const whole = await sendRead(api, 'whole');
  const scan = await sendRead(api, 'scan', [{ code: 'pages_without_text', count: 1, pages: [2] }]);
  const old = await sendRead(api, 'old', [{ code: 'comments_left_out', count: 3 }]);
  const content = await api.create({ externalId: 'content' });
  const refused = await sendFile(api, file, 'refused');
  await extractAs(api, refused.id, () => {
    throw new NotExtractable('unsupported_type', 'The type is not supported.');
  });
  for (const { id } of [old, content, refused]) await asBefore(api, id);
  const idsOf = async (query: string) => (await api.listed(query)).map(({ id }) => id);
  expect(await idsOf('extractionNote=pages_without_text')).toEqual([scan.id]);
  expect(await idsOf('extractionNote=comments_left_out')).toEqual([]);
  expect(await idsOf(`extractedBefore=${readerVersion}`)).toEqual([refused.id, old.id]);
  expect(await idsOf('extractedBefore=1')).toEqual([]);
  expect(await idsOf(`extractedBefore=${readerVersion + 1}`)).toEqual([
    refused.id,
    old.id,
    scan.id,
    whole.id,
  ]);
  expect(await idsOf(`extractedBefore=${readerVersion + 1}&extractionNote=pages_without_text`)).toEqual([
    scan.id,
  ]);
  const shown = Object.fromEntries((await api.listed()).map((document) => [document.externalId, document]));
  expect(shown.old).toMatchObject({ extractedBy: 1, extractionNotes: [], fileMimeType: null });
  expect(shown.refused).toMatchObject({ extractedBy: 1 });
  expect(shown.content).toMatchObject({ extractedBy: null });
  for (const query of ['extractionNote=other', 'extractedBefore=0', 'extractedBefore=x'])
    expect((await api.call('GET', `${api.path}?${query}`)).status).toBe(400);
});

test('a document from before notes goes on to work', async () => {
  const api = await openKnowledge();
  const { id } = await sendRead(api, 'old');
  await asBefore(api, id);
  expect(await documentOf(api, id)).toMatchObject({
    extractionNotes: [],
    extractedBy: 1,
    fileMimeType: null,
  });
  const patched = await api.call('PATCH', `${api.path}/${id}`, { body: { title: 'Renamed' } });
  expect(patched.data).toMatchObject({ title: 'Renamed', extractionNotes: [], extractedBy: 1 });
  expect((await api.reindex()).status).toBe('succeeded');
  expect(await documentOf(api, id)).toMatchObject({ status: 'indexed', extractedBy: 1 });
  // The same file is read again once, and then by the current readers.
  await sendRead(api, 'old', [{ code: 'truncated_file', count: 1 }]);
  expect(await documentOf(api, id)).toMatchObject({
    extractionNotes: [{ code: 'truncated_file', count: 1 }],
    extractedBy: readerVersion,
  });
  await asBefore(api, id);
  expect((await api.call('DELETE', `${api.path}/${id}`)).data).toMatchObject({ id, extractedBy: 1 });
});

test('a file that several requests send again at the same time is read once, and has one text', async () => {
  const api = await openKnowledge();
  const { id } = await sendRead(api, 'old');
  await readBefore(api, api.projectId, [{ code: 'truncated_file', count: 1 }]);
  const sent = await Promise.all(Array.from({ length: 5 }, () => sendFile(api, file, 'old')));
  let reads = 0;
  const read = () => {
    reads += 1;
    return textWith([]);
  };
  await Promise.all([extractAs(api, id, read), extractAs(api, id, read)]);
  expect(reads).toBe(1);
  const done = { extraction: 'done', extractionNotes: [], extractedBy: readerVersion };
  expect(await documentOf(api, id)).toMatchObject(done);
  // The uploads of the other requests, and the notices that come again, change nothing.
  for (const { uploadId } of sent) await leave(api, id, uploadId);
  await extractAs(api, id, read);
  expect(reads).toBe(1);
  expect(await api.contentOf(id)).toBe('Within 30 days.');
  expect(await api.listed('extractedBefore=2')).toEqual([]);
});

test('the type that is sent with a file reaches its reader', async () => {
  const api = await openKnowledge();
  const mimeType = 'text/csv; charset=windows-1251';
  const { id, ...sent } = await sendFile(api, file, 'prices', { mimeType });
  expect(sent).toMatchObject({ mimeType: 'text/plain', fileMimeType: mimeType });
  const seen: unknown[] = [];
  await extractAs(api, id, (_, contentType) => {
    seen.push(contentType);
    return textWith([]);
  });
  expect(seen).toEqual([mimeType]);
  expect(await documentOf(api, id)).toMatchObject({ mimeType: 'text/markdown', fileMimeType: mimeType });
  await sendFile(api, file, 'prices');
  await extractAs(api, id, (_, contentType) => {
    seen.push(contentType);
    return textWith([]);
  });
  expect(seen).toEqual([mimeType, undefined]);
  expect(await documentOf(api, id)).toMatchObject({ fileMimeType: null });
});

test('the same upload is the same file only with the same type', async () => {
  const api = await openKnowledge();
  const uploadId = await upload(api, api.projectId, file, 'knowledge');
  const put = (mimeType?: string) =>
    api.call('PUT', `${api.path}/by-external-id/prices`, { body: { title: 't', uploadId, mimeType } });
  expect((await put('text/csv')).data.outcome).toBe('created');
  expect((await put('text/csv')).data.outcome).toBe('unchanged');
  for (const other of [undefined, 'text/plain']) {
    const { status, error } = await put(other);
    expect([status, error.details?.map(({ path }) => path)]).toEqual([400, ['uploadId']]);
  }
});

test.each([
  'text/csv',
  'TEXT/CSV;charset="a b"',
  'application/vnd.ms-excel ; x=y',
  'a/b;',
  `a/${'b'.repeat(198)}`,
])('the type of a file may be %s', async (mimeType) => {
  expect(await sendFile(await openKnowledge(), file, 'file', { mimeType })).toMatchObject({
    fileMimeType: mimeType,
  });
});

test.each(['', 'csv', 'text/', 'text csv', 'a/b c', 'a/b;\n', 'a/b; ü', `a/${'b'.repeat(199)}`])(
  'the type of a file cannot be %j',
  async (mimeType) => {
    const { call, path } = await openKnowledge();
    const uploadId = 'upl_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
    const { status, error } = await call('POST', path, { body: { title: 't', uploadId, mimeType } });
    expect([status, error.details?.map((detail) => detail.path)]).toEqual([400, ['mimeType']]);
  },
);

test('a content has one of three types', async () => {
  const { call, path } = await openKnowledge();
  const { status, error } = await call('POST', path, {
    body: { title: 't', content: 'c', mimeType: 'text/csv' },
  });
  expect([status, error.details?.map((detail) => detail.path)]).toEqual([400, ['mimeType']]);
});
