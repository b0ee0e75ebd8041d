/**
 * Writes the files of an export, for a job. A run can be killed between any two lines, and the next run continues:
 *
 *   claim → each part: collect the lines → begin the part → check, and write the file → complete the part → end
 *
 * The transaction that completes a part also moves the job's position behind it. So each record is in exactly one complete
 * part, and the file of a part that was begun and not completed is never shown. A file is written only within the time of
 * lib/runtime/fence.ts after the check that nothing in it was erased, so an erasure knows when it can remove the parts that have
 * it.
 */

import { dayMs, timestamp, ttlSeconds } from '../../base/time.ts';
import { isOpen, type JobProgress, jobAt } from '../../jobs/job.ts';
import { advance, JobFailure, type JobRun, outside, runJob, write } from '../../jobs/run.ts';
import type { Job } from '../../jobs/schema.ts';
import { getJob } from '../../jobs/store.ts';
import { jobTypes } from '../../jobs/types.ts';
import { addToDay, countableProjects, dayOf } from '../../limits/store/day-sums.ts';
import { getProject, type StoredProject } from '../../projects/store.ts';
import { schedule } from '../../workers/schedule/schedule.ts';
import { checkTurn } from '../../workers/turn.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import { commitPatiently } from '../../workers/writes.ts';
import {
  abandonPart,
  beginPart,
  completePart,
  exportParts,
  fileKey,
  type NewPart,
  type ProjectStore,
  partId,
} from './files/store.ts';
import { collect, type PartContent } from './part-buffer.ts';
import { auditRecords, conversationRecords, documentRecords, type Records } from './records.ts';
import { removalOf } from './remove.ts';
import type { ExportRequest } from './schema.ts';
import {
  type ExportJob,
  exportJobs,
  fileLifetimeMs,
  forgetFilters,
  getExportRequest,
  keepRequest,
  postponeRemoval,
  type StoredRequest,
} from './store.ts';

export type Limits = {
  /** The text of a part, which has less of it at the end of a turn. Its file is usually a fifth of it. */
  maxPartBytes: number;
  maxParts: number;
};

const exportLimits: Limits = { maxPartBytes: 16 * 1024 * 1024, maxParts: 2000 };

const projectDeleted = {
  code: 'project_deleted',
  message: 'The project was deleted while it was exported.',
};
const exportTooLarge = {
  code: 'export_too_large',
  message: 'There is more than an export may have. Export it in several parts: use filters.',
};
const exportInterrupted = {
  code: 'export_interrupted',
  message:
    'The organisation was suspended for so long that files of the export have expired. Start another export.',
};
const requestMissing = {
  code: 'worker_failed',
  message: 'The job no longer has its request. Start another export.',
};

export async function runExport(
  store: ProjectStore,
  jobId: string,
  input: WorkerInput,
  limits: Limits = exportLimits,
): Promise<void> {
  const request = await getExportRequest(store, jobId);
  const step = async (run: JobRun<ExportJob>) => {
    if (request) await scheduleRemoval(store, request, run.job, input);
    if (!request?.request) throw new JobFailure(requestMissing);
    requireFiles(run);
    await writeParts(run, request.request, limits);
  };
  const isClaimed = await runJob(store, jobId, input, exportJobs, step, keepRequest(store, jobId));
  if (request && !isClaimed) await scheduleRemoval(store, request, undefined, input);
  const ended = await getJob(store, jobId);
  const isRunning = ended && isOpen(jobAt(ended, input.nowMs(), input.organisation));
  if (request && !isRunning) await commitPatiently(input, [forgetFilters(store, jobId)]);
}

/** The files live for their time after the deadline, which a suspension moves. */
async function scheduleRemoval(
  store: ProjectStore,
  { id, removeAt }: Pick<StoredRequest, 'id' | 'removeAt'>,
  job: Job | undefined,
  input: WorkerInput,
): Promise<void> {
  const { deadlineAt } = (job && jobAt(job, input.nowMs(), input.organisation)) ?? {};
  const plannedMs = Date.parse(removeAt);
  const atMs = Math.max(plannedMs, deadlineAt === undefined ? 0 : Date.parse(deadlineAt) + fileLifetimeMs);
  if (atMs > plannedMs) await commitPatiently(input, [postponeRemoval(store, id, atMs)]);
  await schedule(store, removalOf(store, id), atMs, input);
}

/** @throws JobFailure if files of an earlier run may not live until the job ends, because a suspension has interrupted it */
function requireFiles({ job, input }: JobRun<ExportJob>): void {
  const begunMs = Date.parse(job.startedAt ?? job.createdAt);
  if (job.parts > 0 && input.nowMs() > begunMs + fileLifetimeMs - jobTypes[job.type].lifetimeMs)
    throw new JobFailure(exportInterrupted);
}

function recordsOf({ store, job, input }: JobRun<ExportJob>, { what, filters }: ExportRequest): Records {
  const { nowMs, auditDays: keptDays } = input;
  const requestedMs = Date.parse(job.createdAt);
  if (what === 'conversations')
    return conversationRecords(store, filters, job.environments ?? null, requestedMs, nowMs);
  if (what === 'documents') return documentRecords(store, filters);
  return auditRecords(store, filters, { requestedMs, keptDays, nowMs });
}

async function writeParts(run: JobRun<ExportJob>, request: ExportRequest, limits: Limits): Promise<void> {
  const { job, input } = run;
  const allRecords = recordsOf(run, request);
  let { exportedUpTo, parts, exportedBytes } = job;
  let records = job.progress.done;
  let lines = allRecords.lines(exportedUpTo);
  for (;;) {
    const { part, position, isLast } = await collect(lines, limits.maxPartBytes, input.turn.isOver);
    if (part) {
      if (parts >= limits.maxParts) throw new JobFailure(exportTooLarge);
      const changes = {
        exportedUpTo: position,
        parts: parts + 1,
        exportedBytes: exportedBytes + part.bytes.length,
        progress: { total: 0, done: records + part.records, failed: 0 },
        attempts: 0,
      };
      if (!(await writePart(run, allRecords, request, part, changes))) {
        // Something in the part is gone, so its lines are read again.
        lines = allRecords.lines(exportedUpTo);
        continue;
      }
      ({ exportedUpTo, parts, exportedBytes } = changes);
      records = changes.progress.done;
    } else if (!isLast) await advance(run, { exportedUpTo: position, attempts: 0 });
    if (isLast) break;
    checkTurn(input);
  }
  await requireProject(run);
  await advance(run, {
    status: 'succeeded',
    progress: { total: records, done: records, failed: 0 },
    result: { records, parts, bytes: exportedBytes },
    finishedAt: timestamp(input.nowMs()),
    exportedUpTo: '',
    attempt: '',
  });
}

/** @throws JobFailure if the project was deleted: then its lists are empty */
async function requireProject({ store }: JobRun<ExportJob>): Promise<StoredProject> {
  const project = await getProject(store, store.projectId);
  if (!project) throw new JobFailure(projectDeleted);
  return project;
}

type Changes = JobProgress<ExportJob> & { parts: number };

/** @returns whether the part is complete: false if it has erased data, or if it was removed meanwhile */
async function writePart(
  run: JobRun<ExportJob>,
  allRecords: Records,
  { what }: ExportRequest,
  { bytes, ids, records, expiresAtMs }: PartContent,
  changes: Changes,
): Promise<boolean> {
  const { store, job, input } = run;
  const { first, last } = ids;
  const id = partId(job.id, changes.parts, input.newId('call'));
  const endMs = Math.min(input.nowMs() + fileLifetimeMs, expiresAtMs);
  const part: NewPart = {
    id,
    what,
    status: 'begun',
    first,
    last,
    records,
    bytes: bytes.length,
    expiresAt: timestamp(endMs),
    // The worker that removes the file needs it.
    ttl: ttlSeconds(Date.parse(job.createdAt) + 7 * dayMs),
  };
  await write(run, [beginPart(store, part)]);
  const signal = AbortSignal.timeout(input.fence.writeMs);
  const [project, { files }] = await Promise.all([requireProject(run), outside(run)]);
  if (await allRecords.hasGone(ids, project)) {
    await commitPatiently(input, [abandonPart(store, id)]);
    return false;
  }
  const key = fileKey(exportParts.at(store).key(id));
  await files.put(key, bytes, signal);
  // The part counts on the day on which it is complete.
  const day = dayOf(timestamp(input.nowMs()));
  const { writes: entries } = await countableProjects(store, [store.projectId], day);
  const counts = addToDay(store, store.projectId, day, { exportedRecords: records });
  if (await advance(run, changes, [completePart(store, id), ...counts, ...entries])) return true;
  await input.files.remove(key);
  return false;
}
