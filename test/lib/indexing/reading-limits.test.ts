/** Documents that are expensive to read: each fails alone with its reason, within its budget. All others are indexed. */

import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import type { Runtime } from '../../../lib/http/runtime.ts';
import { reindex } from '../../../lib/indexing/jobs/reindex.ts';
import { openDocumentReader } from '../../../lib/search/pieces/document-reader.ts';
import { type Json, jobNotice } from '../../../samples/api.ts';
import knowledgeIndexer from '../../../workers/knowledge-indexer.ts';
import { type Knowledge, openKnowledge } from '../../support/knowledge.ts';
import { deliverInTurns } from '../../support/turns.ts';

const foundIds = async ({ call, project }: Knowledge, word: string) =>
  ((await call('GET', `${project}/knowledge/search?limit=50&q=${word}`)).data.items as Json[]).map(
    ({ documentId }) => documentId,
  );

const statusOf = async ({ call, path }: Knowledge, { id }: Json) =>
  (await call('GET', `${path}/${id}`)).data as { status: string; error: Json | null };

/** Formatting that is never closed, and paragraphs that each begin all of it again. */
const amplifier = `<p>${Array.from({ length: 5000 }, (_, index) => `<b ${index}>`).join('')}${'</p><p>x'.repeat(9000)}`;

test('documents that used to take minutes and gigabytes are read', async () => {
  const api = await openKnowledge();
  const backtracking = await api.create({ content: `# bell\r${'\t'.repeat(100_000)}\nheading` });
  const spans = `<table><tr><td colspan=25000 rowspan=25000>spans</td></tr></table>`;
  const wide = await api.create({ content: spans, mimeType: 'text/html' });
  const nested = await api.create({
    content: `${'<div>'.repeat(10_000)}nested`,
    mimeType: 'text/html',
  });
  expect(await api.reindex()).toMatchObject({ status: 'succeeded', failures: [] });
  expect(await foundIds(api, 'heading')).toEqual([backtracking.id]);
  expect(await foundIds(api, 'spans')).toEqual([wide.id]);
  expect(await foundIds(api, 'nested')).toEqual([nested.id]);
});

test('a document that is too complex fails; all others are indexed', async () => {
  const api = await openKnowledge();
  const good = await api.create({ content: 'a word' });
  const bad = await api.create({ content: amplifier, mimeType: 'text/html' });
  const job = await api.reindex();
  expect(job).toMatchObject({
    status: 'succeeded',
    progress: { total: 2, done: 2, failed: 1 },
    failures: [{ documentId: bad.id, code: 'document_too_complex', message: expect.any(String) }],
  });
  expect(await foundIds(api, 'word')).toEqual([good.id]);
  expect(await statusOf(api, bad)).toMatchObject({
    status: 'failed',
    error: { code: 'document_too_complex' },
  });
});

/** The indexer with a reader whose thread falls into traps. */
async function openTrapped() {
  const api = await openKnowledge();
  let opened = 0;
  let closed = 0;
  const openReader = () => {
    const budget = { cpuMs: 200, elapsedMs: 600_000, heapMb: 128 };
    const reader = openDocumentReader(budget, () => new URL('../../support/trap-thread.ts', import.meta.url));
    opened += 1;
    const close = async () => {
      closed += 1;
      await reader.close();
    };
    return { ...reader, close };
  };
  const worker = {
    ...knowledgeIndexer,
    handle: (...[[{ partition, id }], input]: Parameters<typeof knowledgeIndexer.handle>) =>
      reindex(input.store.inProject(partition[0] ?? ''), id, input, { openReader }),
  };
  const run = async (settings: Partial<Runtime> = {}) => {
    const { data } = await api.call('POST', `${api.project}/knowledge/reindex`);
    const notice = jobNotice(`${api.organisationId}#live`, api.projectId, data.id as string);
    await deliverInTurns({ ...api.runtime, ...settings }, worker, [notice]);
    expect(closed).toBe(opened);
    return (await api.call('GET', `${api.project}/jobs/${data.id}`)).data;
  };
  return { ...api, run };
}

test('a document over its budget fails; all others are indexed, and the next job tries it again', {
  tags: ['long'],
}, async () => {
  const api = await openTrapped();
  const trap = await api.create({ content: 'loop' });
  const good = await api.create({ content: 'a word' });
  const first = await api.run();
  expect(first).toMatchObject({
    status: 'succeeded',
    progress: { total: 2, done: 2, failed: 1 },
    failures: [{ documentId: trap.id, code: 'document_too_complex' }],
    result: { changed: true },
  });
  expect(await foundIds(api, 'word')).toEqual([good.id]);
  expect(await statusOf(api, trap)).toMatchObject({ status: 'failed' });

  // Again in vain: the index is the same, and says so.
  expect(await api.run()).toMatchObject({
    failures: [{ documentId: trap.id }],
    result: { ...(first.result as Json), changed: false },
  });
  // A thread that falls into no trap: it was not the document's fault.
  expect(await api.reindex()).toMatchObject({ status: 'succeeded', failures: [], result: { changed: true } });
  expect(await foundIds(api, 'loop')).toEqual([trap.id]);
  expect(await statusOf(api, trap)).toMatchObject({ status: 'indexed', error: null });
});

test('a job fails after ten documents went over budget, also in many turns, and names them', {
  tags: ['nightly'],
}, async () => {
  const api = await openTrapped();
  const good = await api.create({ content: 'a word' });
  await api.reindex();
  const ids = new Set<unknown>();
  for (let index = 0; index < 25; index += 1) ids.add((await api.create({ content: 'loop' })).id);
  const job = await api.run({ turnMs: 0 });
  expect(job).toMatchObject({ status: 'failed', error: { code: 'too_many_failures' } });
  const failures = job.failures as Json[];
  expect(failures.length).toBeGreaterThanOrEqual(10);
  expect(failures.length).toBeLessThan(20);
  for (const { documentId, code } of failures) {
    expect(ids.has(documentId)).toBe(true);
    expect(code).toBe('document_too_complex');
  }
  expect(await foundIds(api, 'word')).toEqual([good.id]);
});

test('unreadable stored content fails its document only; the next job tries it again', {
  tags: ['long'],
}, async () => {
  const api = await openKnowledge();
  const documents = [];
  for (let index = 0; index < 12; index += 1) documents.push(await api.create({ content: `word${index}` }));
  const [damaged = {}, missing = {}] = documents;
  await api.reindex();
  const place = (id: unknown) => ({
    TableName: api.runtime.tableNames.knowledge,
    Key: { tenant: `${api.organisationId}#live#${api.projectId}#content`, id },
  });
  const { client } = api.runtime;
  const { Item: whole } = await client.send(new GetCommand(place(damaged.id)));
  const { Item: gone } = await client.send(new GetCommand(place(missing.id)));
  const { TableName } = place('');
  const Item = { ...whole, gzip: new Uint8Array([31, 139, 8, 0, 1, 2, 3]) };
  await client.send(new PutCommand({ TableName, Item }));
  await client.send(new DeleteCommand(place(missing.id)));
  await api.create({ content: 'another' });

  expect(await api.reindex()).toMatchObject({
    status: 'succeeded',
    progress: { total: 13, done: 13, failed: 2 },
    failures: [
      { documentId: damaged.id, code: 'unreadable', message: 'The stored content is damaged.' },
      { documentId: missing.id, code: 'unreadable' },
    ],
  });
  // It was indexed before, and is not any longer.
  expect(await statusOf(api, damaged)).toMatchObject({ status: 'failed', error: { code: 'unreadable' } });
  expect(await foundIds(api, 'another')).toHaveLength(1);
  expect(await foundIds(api, 'word11')).toHaveLength(1);

  for (const Item of [whole, gone]) await client.send(new PutCommand({ TableName, Item }));
  expect(await api.reindex()).toMatchObject({ status: 'succeeded', failures: [], result: { changed: true } });
  expect(await foundIds(api, 'word0')).toEqual([damaged.id]);
  expect(await statusOf(api, damaged)).toMatchObject({ status: 'indexed', error: null });
});

test('a document in HTML has a note of the elements that were left out, until it has another content', async () => {
  const api = await openKnowledge();
  const content = '<nav>menu</nav><p>text<iframe>frame</iframe>';
  const { id } = await api.create({ content, mimeType: 'text/html' });
  const notes = async () => (await api.call('GET', `${api.path}/${id}`)).data.extractionNotes;
  const left = [{ code: 'text_left_out', count: 2 }];
  expect(await api.reindex()).toMatchObject({ status: 'succeeded', failures: [], warnings: [] });
  expect(await notes()).toEqual(left);
  // It was indexed before documents had notes.
  await api.runtime.client.send(
    new UpdateCommand({
      TableName: api.runtime.tableNames.knowledge,
      Key: { tenant: `${api.organisationId}#live#${api.projectId}`, id },
      UpdateExpression: 'REMOVE extractionNotes',
    }),
  );
  const before = (await api.call('GET', `${api.path}/${id}`)).data;
  expect(before).toMatchObject({ status: 'indexed', extractionNotes: [] });
  await api.reindex();
  expect((await api.call('GET', `${api.path}/${id}`)).data).toEqual({ ...before, extractionNotes: left });
  await api.call('PATCH', `${api.path}/${id}`, { body: { content: '<p>text', mimeType: 'text/html' } });
  expect(await notes()).toEqual([]);
  await api.reindex();
  expect(await notes()).toEqual([]);
});

test('the block of a document with the largest expansion fits into an item', { tags: ['long'] }, async () => {
  const api = await openKnowledge();
  // Headings of chance, each repeated by the path of those below it.
  let seed = 7;
  const chance = () => {
    seed = (seed * 48_271) % 0x7fffffff;
    return String.fromCodePoint(0x4e00 + (seed % 20_000));
  };
  const title = () => Array.from({ length: 32 }, chance).join('');
  const lines = Array.from({ length: 2000 }, (_, index) => `${'#'.repeat((index % 6) + 1)} ${title()}`);
  await api.create({ content: lines.join('\n') });
  expect(await api.reindex()).toMatchObject({ status: 'succeeded', failures: [] });
});
