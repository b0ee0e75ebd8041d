/** A re-index waits for files, for a limited time. */

import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { hourMs, minuteMs } from '../../../lib/base/time.ts';
import { fileWaitMs } from '../../../lib/indexing/jobs/knowledge-job.ts';
import { stepNotices, storedOf } from '../../../samples/api.ts';
import { extract, sendFile, wake } from '../../support/extractions.ts';
import { intercept } from '../../support/faults.ts';
import { type Knowledge, openKnowledge } from '../../support/knowledge.ts';
import { pdfFile } from '../../support/sample-files.ts';
import { runDue } from '../../support/schedule.ts';
import { resumeNow, suspendNow } from '../../support/suspensions.ts';

const file = pdfFile([['Returns'], ['Within 30 days.']]);

const documentOf = async ({ call, path }: Knowledge, id: unknown) =>
  (await call('GET', `${path}/${id}`)).data;

/** A job that waits for a file. */
async function openWaiting() {
  const api = await openKnowledge();
  await api.create({ content: 'a word' });
  const { id } = await sendFile(api, file);
  const { data: job } = await api.call('POST', `${api.project}/knowledge/reindex`);
  const work = () => api.workOff(api.projectId, `${job.id}`);
  await work();
  const state = async () => (await api.call('GET', `${api.project}/jobs/${job.id}`)).data.status;
  expect(await state()).toBe('running');
  return { api, id, work, state, job };
}

test('a re-index that nobody wakes goes on after four hours, and the file has failed', {
  tags: ['long'],
}, async () => {
  const { api, id, state } = await openWaiting();
  api.advance(fileWaitMs - minuteMs);
  await runDue(api);
  expect(await state()).toBe('running');
  expect(await documentOf(api, id)).toMatchObject({ extraction: 'pending' });
  api.advance(2 * minuteMs);
  await runDue(api);
  expect(await state()).toBe('succeeded');
  const error = { code: 'reading_failed', message: expect.stringContaining('Upload the file again') };
  const failed = { extraction: 'failed', extractionError: error, status: 'failed', error, bytes: null };
  expect(await documentOf(api, id)).toMatchObject(failed);
  // A late notice finds nothing to do.
  await extract(api, id);
  expect(await documentOf(api, id)).toMatchObject(failed);
});

test('the time of a suspension does not count', { tags: ['long'] }, async () => {
  const { api, id, work, state } = await openWaiting();
  await suspendNow(api);
  api.advance(10 * hourMs);
  await work();
  await resumeNow(api);
  await work();
  expect(await state()).toBe('running');
  expect(await documentOf(api, id)).toMatchObject({ extraction: 'pending' });
  await extract(api, id);
  await work();
  expect(await state()).toBe('succeeded');
});

test('a re-index waits for files that were sent before it', { tags: ['long'] }, async () => {
  const { api, id, work, state } = await openWaiting();
  await extract(api, id);
  await work();
  expect(await state()).toBe('succeeded');
  expect(await stepNotices(`${api.organisationId}#live`, api.projectId)).toEqual([]);
  expect(await documentOf(api, id)).toMatchObject({ status: 'indexed' });
  const { data } = await api.call('GET', `${api.project}/knowledge/search?q=30+days&mode=lexical`);
  expect(data.items).toMatchObject([{ documentId: id, page: 2 }]);
});

test('a request that gets a queued job has its files in the index, too', { tags: ['long'] }, async () => {
  const api = await openKnowledge();
  const reindex = () => api.call('POST', `${api.project}/knowledge/reindex`);
  const { data: job } = await reindex();
  api.advance(10 * minuteMs);
  const { id } = await sendFile(api, file);
  expect(await reindex()).toMatchObject({ status: 200, data: { id: job.id } });
  const work = () => api.workOff(api.projectId, `${job.id}`);
  await work();
  expect(await documentOf(api, id)).toMatchObject({ extraction: 'pending' });
  await extract(api, id);
  await work();
  expect((await api.call('GET', `${api.project}/jobs/${job.id}`)).data.status).toBe('succeeded');
  expect(await documentOf(api, id)).toMatchObject({ status: 'indexed' });
});

test('a file that is sent while a re-index waits is for the next one', { tags: ['long'] }, async () => {
  const { api, id, work, state, job } = await openWaiting();
  api.advance(2 * minuteMs);
  const { id: later } = await sendFile(api, file, 'later');
  const next = await api.call('POST', `${api.project}/knowledge/reindex`);
  expect(next).toMatchObject({ status: 202, data: { status: 'queued' } });
  expect(next.data.id).not.toBe(job.id);
  await extract(api, id);
  await work();
  expect(await state()).toBe('succeeded');
  expect(await documentOf(api, later)).toMatchObject({ extraction: 'pending' });
  const workNext = () => api.workOff(api.projectId, `${next.data.id}`);
  await workNext();
  await extract(api, later);
  await workNext();
  expect(await documentOf(api, later)).toMatchObject({ status: 'indexed' });
});

test('files that end while a re-index builds take none of its attempts', async () => {
  let whileBuilding: (() => Promise<unknown>) | undefined;
  const api = await openKnowledge(({ client }) => ({
    client: intercept(client, (command, proceed) => {
      const act = whileBuilding;
      const isBlock =
        command instanceof TransactWriteCommand && JSON.stringify(command.input).includes('"id":"block-');
      if (!act || !isBlock) return undefined;
      whileBuilding = undefined;
      return act().then(proceed);
    }),
  }));
  await api.create({ content: 'a word' });
  const { data: job } = await api.call('POST', `${api.project}/knowledge/reindex`);
  whileBuilding = async () => {
    const { id } = await sendFile(api, file);
    for (let turn = 0; turn < 12; turn += 1) await wake(api, id);
  };
  await api.workOff(api.projectId, `${job.id}`);
  expect(whileBuilding).toBeUndefined();
  const [stored] = (await storedOf(api, 'jobs')).filter(({ id }) => id === job.id);
  expect(stored).toMatchObject({ status: 'succeeded', attempts: 0 });
});

test('a wait counts no attempts, however many files end', { tags: ['long'] }, async () => {
  const { api, id, work, state } = await openWaiting();
  for (let turn = 0; turn < 20; turn += 1) await work();
  expect(await state()).toBe('running');
  await extract(api, id);
  await work();
  expect(await state()).toBe('succeeded');
});

test('a re-index that was queued for hours keeps an hour for its work', async () => {
  const api = await openKnowledge();
  await api.create({ content: 'a word' });
  const { data: job } = await api.call('POST', `${api.project}/knowledge/reindex`);
  api.advance(4 * hourMs);
  const { id } = await sendFile(api, file);
  const state = async () => (await api.call('GET', `${api.project}/jobs/${job.id}`)).data.status;
  await api.workOff(api.projectId, `${job.id}`);
  expect(await state()).toBe('running');
  api.advance(hourMs + minuteMs);
  await runDue(api);
  expect(await state()).toBe('succeeded');
  expect(await documentOf(api, id)).toMatchObject({ extraction: 'pending' });
});

test('an expunge before which a re-index waits does not wait', async () => {
  const api = await openKnowledge();
  const { id } = await sendFile(api, file);
  await api.call('POST', `${api.project}/knowledge/reindex`);
  const gone = await api.create({ content: 'secret' });
  const { data: job } = await api.call('DELETE', `${api.path}/${gone.id}?expunge=true`);
  await api.workOff(api.projectId, `${job.id}`);
  expect((await api.call('GET', `${api.project}/jobs/${job.id}`)).data.status).toBe('succeeded');
  expect(await documentOf(api, id)).toMatchObject({ extraction: 'pending', status: 'pending' });
});
