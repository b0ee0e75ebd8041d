/**
 * Refreshes a source, for a job. A run can be killed between any two lines, and the next run continues:
 *
 *   claim → begin (an empty queue with the first page) → visit (the first of the queue, until it is empty) → settle → count → remove
 *   → end
 *
 * A refresh works in turns. It holds no place while it waits for a host: its notice comes again, or the schedule starts the next
 * turn, or the job that has the host does.
 */

import { untilEmpty } from '../../base/pages.ts';
import { minuteMs, secondMs, timestamp } from '../../base/time.ts';
import { extractInProcess } from '../../extraction/bounded-process.ts';
import { isOpen } from '../../jobs/job.ts';
import { newRefresh, type RefreshCounts } from '../../jobs/refresh.ts';
import { requestJob } from '../../jobs/request-job.ts';
import {
  advance,
  JobFailure,
  type JobRun,
  requireActive,
  requireCredential,
  runJob,
  write,
} from '../../jobs/run.ts';
import { getJob, getLatestJob, type StoredJob } from '../../jobs/store.ts';
import { getProject } from '../../projects/store.ts';
import { openDocumentReader } from '../../search/pieces/document-reader.ts';
import type { Notice } from '../../workers/notice.ts';
import { schedule, type Target, unschedule } from '../../workers/schedule/schedule.ts';
import type { WorkerInput, Write } from '../../workers/worker.ts';
import { commitPatiently } from '../../workers/writes.ts';
import { canonicalUrl, pageIdOf } from '../rules/urls.ts';
import type { LastRefresh } from '../schema/source.ts';
import { enqueue, firstInQueue, getPage, putPage, queue, removeLinks } from '../store/pages.ts';
import { changeSource, getSource, type ProjectStore } from '../store/sources.ts';
import { openHosts, Paused } from './hosts.ts';
import { newPage } from './links.ts';
import { checkState, type Extract, type RefreshRun, save } from './progress.ts';
import { countGone, removeGone, settle } from './settle.ts';
import { visitSitemap } from './sitemaps.ts';
import { removeUnfinishedTexts } from './unfinished-texts.ts';
import { addFurtherPages, visitPage } from './visit.ts';

export const refresherId = 'source-refresher';

const targetOf = ({ projectId }: ProjectStore, jobId: string): Target => ({
  worker: refresherId,
  table: 'jobs',
  partition: [projectId],
  id: jobId,
});

/** Reading a page takes more than reading a document. */
const budget = { cpuMs: 10 * secondMs, elapsedMs: minuteMs, heapMb: 512 };

/** A longer pause is in the schedule, which is a minute late at most. */
const maxSoonMs = minuteMs;

const sourceDeleted = { code: 'source_deleted', message: 'The source was deleted.' };

/** One turn of a refresh. @throws Suspended, TurnOver, or another Error after which the notice comes again */
export async function refreshSource(
  store: ProjectStore,
  notice: Notice,
  input: WorkerInput,
  extract: Extract = extractInProcess,
): Promise<void> {
  await runJob(store, notice.id, input, ['knowledge.refresh'], (run) => refreshTurn(run, notice, extract));
  await noteEnd(store, notice.id, input);
}

async function refreshTurn(
  jobRun: JobRun<'knowledge.refresh'>,
  notice: Notice,
  extract: Extract,
): Promise<void> {
  const { store, job, input } = jobRun;
  // It may have been started before its time.
  await unschedule(store, targetOf(store, job.id), input);
  const state = job.refresh ?? newRefresh('', { isConfirmed: false });
  const source = await getSource(store, state.sourceId);
  if (!source) throw new JobFailure(sourceDeleted);
  requireActive(await getProject(store, store.projectId), 'refresh');
  const hosts = openHosts(jobRun, source.id, ({ id, projectId }) =>
    input.later({ ...notice, kind: 'MODIFY', partition: [projectId], id, pauses: 0 }, 0),
  );
  const reader = openDocumentReader(budget);
  const run: RefreshRun = { ...jobRun, source, state, hosts, reader, extract, pageIds: new Set() };
  try {
    while (run.state.phase !== 'end') {
      // A credential that has ended removes no documents. `send` checks it before each request.
      if (run.state.phase !== 'visit') await requireCredential(run);
      if (run.state.phase === 'begin') await begin(run);
      else if (run.state.phase === 'settle') await settle(run);
      else if (run.state.phase === 'count') await countGone(run);
      else if (run.state.phase === 'remove') await removeGone(run);
      else if (!(await visitNext(run))) await save(run, { ...run.state, phase: 'settle' });
      if (run.state.phase === 'visit') await checkState(run, run.state);
    }
    await finish(run);
  } catch (error) {
    if (!(error instanceof Paused)) throw error;
    const pauseMs = Math.max(error.untilMs - input.nowMs(), 0);
    // Only a time in the schedule can be removed when another notice starts the refresh.
    const isSoon =
      !error.isStarted && pauseMs <= maxSoonMs && input.later(notice, Math.ceil(pauseMs / secondMs));
    if (!isSoon) await schedule(store, targetOf(store, job.id), error.untilMs, input);
    const counts = { ...run.state.counts, requests: run.state.counts.requests + hosts.takeRequestCount() };
    await advance(run, { refresh: { ...run.state, counts }, attempts: 0, attempt: '' });
  } finally {
    await reader.close();
    await hosts.leave();
  }
}

const isProjectActive = async (store: ProjectStore): Promise<boolean> =>
  (await getProject(store, store.projectId))?.status === 'active';

/** Empties the queue, which a refresh that has failed may have left, and starts it with the address of the source. */
async function begin(run: RefreshRun): Promise<void> {
  const { store, source, job, input } = run;
  const items = queue.at(store, source.id);
  for await (const entries of untilEmpty(() => items.page({ limit: 40 }))) {
    const sitemaps = entries.filter(({ kind }) => kind === 'sitemap');
    await write(run, [
      ...entries.map(({ id }) => items.remove(id, { condition: { kind: 'any' } })),
      ...sitemaps.map(({ pageId }) => removeLinks(store, source.id, pageId)),
    ]);
    await checkState(run, run.state);
  }
  const url = canonicalUrl(source.url, input.network);
  if (url === undefined)
    throw new JobFailure({ code: 'invalid_url', message: 'The url cannot be requested.' });
  const pageId = pageIdOf(url);
  if (source.type === 'sitemap' || source.type === 'feed') {
    await save(run, { ...run.state, phase: 'visit' }, [
      enqueue(store, source.id, { pageId, url, depth: 0, kind: 'sitemap' }),
    ]);
    return;
  }
  const before = await getPage(store, source.id, pageId);
  const { missingSince: _, ...page } = before ?? newPage(pageId, url, job.id);
  const counts = { ...run.state.counts, pages: 1 };
  await save(run, { ...run.state, counts, phase: 'visit' }, [
    putPage(store, source.id, { ...page, seenIn: job.id }, before),
    enqueue(store, source.id, { pageId, url, depth: 0 }),
  ]);
}

/** @returns whether there was something to do */
async function visitNext(run: RefreshRun): Promise<boolean> {
  const entry = await firstInQueue(run.store, run.source.id);
  if (!entry) return false;
  if (entry.todo === 'links') await addFurtherPages(run, entry);
  else if (entry.kind === 'sitemap') await visitSitemap(run, entry);
  else await visitPage(run, entry);
  return true;
}

/** Ends the job, with a re-indexing if documents have changed and the source wants it. */
async function finish(run: RefreshRun): Promise<void> {
  const { store, job, input, state } = run;
  const { counts, sourceId } = state;
  if (counts.pages === counts.failedPages && counts.pages > 0) {
    const start = await getPage(store, sourceId, pageIdOf(canonicalUrl(run.source.url, input.network) ?? ''));
    const error = start?.error ?? { code: 'source_failed', message: 'No page could be read.' };
    throw new JobFailure(error);
  }
  for (;;) {
    const source = await getSource(store, sourceId);
    if (!source) throw new JobFailure(sourceDeleted);
    const finishedAt = timestamp(input.nowMs());
    const lastRefresh: LastRefresh = {
      jobId: job.id,
      status: 'succeeded',
      finishedAt,
      error: null,
      ...counts,
    };
    const indexing = source.reindex && hasChanged(counts) ? await reindexing(run) : [];
    const end = {
      status: 'succeeded' as const,
      result: { sourceId, ...counts },
      finishedAt,
      attempt: '',
    };
    if (await advance(run, end, [...changeSource(store, source, { lastRefresh }), ...indexing])) return;
  }
}

const hasChanged = ({ created, updated, removed }: RefreshCounts): boolean => created + updated + removed > 0;

/** A job that has not started serves this refresh, too. */
async function reindexing({
  store,
  job,
  input,
}: Pick<RefreshRun, 'store' | 'input'> & { job: Pick<StoredJob, 'createdBy'> }): Promise<Write[]> {
  const { organisation } = input;
  const reply = await requestJob(store, {
    type: 'knowledge.reindex',
    queue: 'knowledge',
    latest: await getLatestJob(store, 'knowledge'),
    id: input.newId('job'),
    caller: { principal: job.createdBy, suspensions: organisation.suspensions ?? [] },
    nowMs: input.nowMs(),
    quota: undefined,
  });
  return 'writes' in reply ? reply.writes : [];
}

/**
 * Notes in the source how a job has ended that could not note it itself: it was cancelled, has failed, or took too long. The
 * documents that it has changed are re-indexed, as after a success.
 */
async function noteEnd(store: ProjectStore, jobId: string, input: WorkerInput): Promise<void> {
  for (;;) {
    const job = await getJob(store, jobId);
    if (!job || isOpen(job)) return;
    await unschedule(store, targetOf(store, jobId), input);
    if (job.refresh) await removeUnfinishedTexts(store, job.refresh.sourceId, input, jobId);
    const source = job.refresh && (await getSource(store, job.refresh.sourceId));
    if (!source || source.jobId !== jobId || source.lastRefresh?.jobId === jobId || !job.refresh) return;
    const lastRefresh: LastRefresh = {
      jobId,
      status: job.status === 'cancelled' ? 'cancelled' : 'failed',
      finishedAt: job.finishedAt ?? timestamp(input.nowMs()),
      error: job.error,
      ...job.refresh.counts,
    };
    const isIndexed = source.reindex && hasChanged(job.refresh.counts) && (await isProjectActive(store));
    const indexing = isIndexed ? await reindexing({ store, job, input }) : [];
    const writes = [...changeSource(store, source, { lastRefresh }), ...indexing];
    if (!(await commitPatiently(input, writes))) return;
  }
}
