/** A re-index waits for files, for a limited time. */

import { expect, test } from 'vitest';
import { hourMs, minuteMs } from '../../../lib/base/time.ts';
import { fileWaitMs } from '../../../lib/knowledge/jobs/wait-for-files.ts';
import { stepNotices } from '../../support/api.ts';
import { extract, sendFile } from '../../support/extractions.ts';
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
  expect(await state()).toBe('queued');
  return { api, id, work, state };
}

test('a re-index that nobody wakes goes on after four hours, and the file has failed', async () => {
  const { api, id, state } = await openWaiting();
  api.advance(fileWaitMs - minuteMs);
  await runDue(api);
  expect(await state()).toBe('queued');
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

test('the time of a suspension does not count', async () => {
  const { api, id, work, state } = await openWaiting();
  await suspendNow(api);
  api.advance(10 * hourMs);
  await work();
  await resumeNow(api);
  await work();
  expect(await state()).toBe('queued');
  expect(await documentOf(api, id)).toMatchObject({ extraction: 'pending' });
  await extract(api, id);
  await work();
  expect(await state()).toBe('succeeded');
});

test('a re-index waits for files that were sent before it', async () => {
  const { api, id, work, state } = await openWaiting();
  await extract(api, id);
  await work();
  expect(await state()).toBe('succeeded');
  expect(await stepNotices(`${api.organisationId}#live`, api.projectId)).toEqual([]);
  expect(await documentOf(api, id)).toMatchObject({ status: 'indexed' });
  const { data } = await api.call('GET', `${api.project}/knowledge/search?q=30+days&mode=lexical`);
  expect(data.items).toMatchObject([{ documentId: id, page: 2 }]);
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
