/** Starts refreshes when their time has come, and says which changes start or continue the refresher of sources. */

import { again, retry } from '../../base/retry.ts';
import { minuteMs, timestamp } from '../../base/time.ts';
import { isOpen } from '../../jobs/job.ts';
import { changeOfJob, putJob, takeJobPlace, wantsJob } from '../../jobs/store.ts';
import { getProject } from '../../projects/store.ts';
import type { Change } from '../../workers/change.ts';
import { schedule, type Target, unschedule } from '../../workers/schedule/schedule.ts';
import type { WorkerInput, Write } from '../../workers/worker.ts';
import { commitPatiently } from '../../workers/writes.ts';
import { changeSource, getSource, type ProjectStore, type StoredSource, sources } from '../store/sources.ts';
import { nextRefreshAt, openRefresh, refreshJob } from './next-refresh.ts';
import { refresherId } from './refresh.ts';

/**
 * Starts a refresh if its time has come, and sets its next time in the schedule.
 * @throws Suspended
 */
export async function refreshWhenDue(
  store: ProjectStore,
  sourceId: string,
  input: WorkerInput,
): Promise<void> {
  const target: Target = {
    worker: refresherId,
    table: 'knowledge',
    partition: [store.projectId],
    id: sourceId,
  };
  const attempt = async () => {
    const source = await getSource(store, sourceId);
    if (!source || source.nextRefreshAt === null) return unschedule(store, target, input);
    const dueMs = Date.parse(source.nextRefreshAt);
    if (dueMs > input.nowMs()) {
      await schedule(store, target, dueMs, input);
      // It may have changed since it was read. If that change was handled already, only this sets the time.
      const latestSource = await getSource(store, sourceId);
      return latestSource?.nextRefreshAt === source.nextRefreshAt ? undefined : again;
    }
    await commitPatiently(input, await dueWrites(store, source, input, await input.goOn()));
    return again;
  };
  await retry(attempt, { failure: () => new Error(`${sourceId} is being changed`) });
}

/** If the quota of jobs is used up, the refresh waits for the end of another job. */
const quotaPauseMs = 10 * minuteMs;

/** A project that is archived or deleted is not refreshed. It may come back. */
async function dueWrites(
  store: ProjectStore,
  source: StoredSource,
  input: WorkerInput,
  organisation: WorkerInput['organisation'],
): Promise<Write[]> {
  const nowMs = input.nowMs();
  const project = await getProject(store, store.projectId);
  const openJob = await openRefresh(store, source, { nowMs, caller: organisation });
  const next = { nextRefreshAt: nextRefreshAt(source, nowMs) };
  if (project?.status !== 'active' || openJob) return changeSource(store, source, next);
  const start = { id: input.newId('job'), createdBy: source.setBy, isConfirmed: false, nowMs };
  const job = refreshJob(source, start);
  const { jobs: quota } = source.quotas;
  const at = { nowMs, caller: organisation };
  const place = quota === undefined ? undefined : await takeJobPlace(store, quota, job, at);
  if (quota !== undefined && !place)
    return changeSource(store, source, { nextRefreshAt: timestamp(nowMs + quotaPauseMs) });
  return [
    ...(place ? [place] : []),
    putJob(store, job),
    ...changeSource(store, source, { ...next, jobId: job.id }),
  ];
}

const wantsNew = wantsJob('knowledge.refresh', 'knowledge.remove-source');

export const wantsRefresh = (change: Change): boolean =>
  change.table === 'knowledge' ? affectsTimer(change) : wantsNew(change) || endsRefreshOrStep(change);

/** Whether the next refresh of a source has another time. */
function affectsTimer({ partition, id, before, after }: Change): boolean {
  if (partition[1] !== 'sources' || partition.length !== 2 || !id.startsWith('src_')) return false;
  const next = (item: Change['after']) => item && sources.read(item).nextRefreshAt;
  return next(before) !== next(after);
}

/** Whether a refresh has ended without success, or a step of the version before turns has ended. */
function endsRefreshOrStep(change: Change): boolean {
  const { old, now } = changeOfJob(change) ?? {};
  if (!old || !now?.refresh) return false;
  const hasFailed = isOpen(old) && !isOpen(now) && now.status !== 'succeeded';
  return hasFailed || old.refresh?.step !== now.refresh.step;
}
