/** The changes that the refresher of sources gets. Pure. */

import { isOpen } from '../jobs/job.ts';
import { jobs } from '../jobs/store.ts';
import { wantsJob } from '../jobs/wants-job.ts';
import type { Change } from '../workers/change.ts';
import { sources } from './store/sources.ts';

const wantsNew = wantsJob('knowledge.refresh', 'knowledge.remove-source');

export const wantsRefresh = (change: Change): boolean =>
  change.table === 'knowledge' ? affectsTimer(change) : wantsNew(change) || continuesRefresh(change);

/** Whether the next refresh of a source has another time. */
function affectsTimer({ partition, id, before, after }: Change): boolean {
  if (partition[1] !== 'sources' || partition.length !== 2 || !id.startsWith('src_')) return false;
  const next = (item: Change['after']) => item && sources.read(item).nextRefreshAt;
  return next(before) !== next(after);
}

/** Whether a step of a refresh has ended, or a refresh has ended without success. */
function continuesRefresh({ kind, partition, id, before, after }: Change): boolean {
  if (kind !== 'MODIFY' || partition.length !== 1 || !id.startsWith('job_') || !before || !after)
    return false;
  const [old, now] = [jobs.read(before), jobs.read(after)];
  if (!now.refresh) return false;
  return (
    old.refresh?.step !== now.refresh.step || (isOpen(old) && !isOpen(now) && now.status !== 'succeeded')
  );
}
