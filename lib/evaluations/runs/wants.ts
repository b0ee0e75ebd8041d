/** The changes that the workers of evaluations get. Pure. */

import { hourMs } from '../../base/time.ts';
import { conversations } from '../../conversations/store/conversations.ts';
import { isOpen } from '../../jobs/job.ts';
import { jobs } from '../../jobs/store.ts';
import { wantsJob } from '../../jobs/wants-job.ts';
import type { Change } from '../../workers/change.ts';

const wantsNew = wantsJob('conversations.evaluate');

/** A new run, the next step of a run, or the end of a run, after which the next one starts. */
export const wantsRun = (change: Change): boolean => wantsNew(change) || continuesRun(change);

function continuesRun({ kind, partition, id, before, after }: Change): boolean {
  if (kind !== 'MODIFY' || partition.length !== 1 || !id.startsWith('job_') || !before || !after)
    return false;
  const [old, now] = [jobs.read(before), jobs.read(after)];
  if (now.type !== 'conversations.evaluate') return false;
  return old.evaluation?.step !== now.evaluation?.step || (isOpen(old) && !isOpen(now));
}

/** A conversation that is stored this long after its start comes from somewhere else. */
const importedAfterMs = hourMs;

/** Whether a conversation has ended that was not imported: an import must not cause thousands of calls that cost something. */
export function hasEnded({ kind, partition, id, before, after }: Change): boolean {
  if (kind !== 'MODIFY' || partition.length !== 1 || !id.startsWith('conv_') || !before || !after)
    return false;
  const [old, now] = [conversations.read(before), conversations.read(after)];
  return old.status !== 'ended' && now.status === 'ended' && !isImported(now);
}

export const isImported = ({
  imported = false,
  createdAt,
  startedAt,
}: {
  imported?: boolean;
  createdAt: string;
  startedAt: string;
}): boolean => imported || Date.parse(createdAt) - Date.parse(startedAt) > importedAfterMs;
