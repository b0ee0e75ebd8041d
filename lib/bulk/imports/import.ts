/**
 * Imports a file, for a job. A run can be killed between any two lines, and the next run continues:
 *
 *   claim → unpack a compressed file → check the whole file, and count its lines → each group of pieces: plan → one transaction → end
 *
 * The transaction that writes a group also moves the job's position behind it. So each line is written exactly once. The
 * position does not know of other imports. If another import has written the same file, the ids of the conversations show this.
 *
 * A file is checked and imported in turns. Each turn begins to read where the turn before has stopped. So a compressed file is
 * unpacked first.
 */

import { again, retry } from '../../base/retry.ts';
import { dailyQuotas } from '../../base/stage-limits.ts';
import { timestamp } from '../../base/time.ts';
import { isOpen, jobAt } from '../../jobs/job.ts';
import { advance, JobFailure, type JobRun, outside, requireActive, runJob } from '../../jobs/run.ts';
import { getJob } from '../../jobs/store.ts';
import { countUses, getUses, type Uses } from '../../limits/store/quotas.ts';
import { getProject } from '../../projects/store.ts';
import { checkTurn, endTurn } from '../../workers/turn.ts';
import type { WorkerInput } from '../../workers/worker.ts';
import { commitPatiently, waitForFence } from '../../workers/writes.ts';
import { removeAllParts } from '../exports/files/remove.ts';
import { usesOf } from './conversations/import.ts';
import { type FileLimits, FileProblem, fileLimits, type OpenFile, openFile, type Start } from './lines.ts';
import { groupsOf, type Piece, piecesOf } from './pieces.ts';
import { type Current, type Plan, planPiece } from './plan.ts';
import {
  type CheckedUpTo,
  getImport,
  noteImport,
  type Problem,
  type ProjectStore,
  removeImport,
  type StoredImport,
} from './store.ts';
import { unpackedFiles, unpackFile } from './unpack.ts';
import { removeUpload } from './uploads/remove.ts';
import { fileOf } from './uploads/store.ts';

const maxProblems = 100;
const maxAttempts = 10;

const requestMissing = {
  code: 'worker_failed',
  message: 'The job no longer has its request. Start another import.',
};

export async function runImport(
  store: ProjectStore,
  jobId: string,
  input: WorkerInput,
  limits: FileLimits = fileLimits,
): Promise<void> {
  await runJob(store, jobId, input, ['conversations.import'], async (run) => {
    // Read after the claim: the run that had the job before no longer changes it.
    const request = await getImport(store, jobId);
    if (!request) throw new JobFailure(requestMissing);
    await importFile(run, request, limits).catch(refuseFile);
  });
  const ended = await getJob(store, jobId);
  if (ended && isOpen(jobAt(ended, input.nowMs(), input.organisation))) return;
  const request = await getImport(store, jobId);
  if (!request) return;
  if (request.unpacked) {
    // Another run may still write a part.
    if (!request.unpacked.isComplete)
      await waitForFence(input, ended?.finishedAt ? Date.parse(ended.finishedAt) : input.nowMs());
    await removeAllParts(store, jobId, input);
  }
  await removeUpload(store, request.uploadId, input);
  await commitPatiently(input, [removeImport(store, jobId)]);
}

function refuseFile(error: unknown): never {
  throw error instanceof FileProblem ? new JobFailure({ code: error.code, message: error.message }) : error;
}

/** Where the next run continues. The job has it as JSON: `importedUpTo`. */
type Position = {
  /** The number of the last line that is done. */
  line: number;
  /** The pieces of the next line that are done. */
  parts: number;
  /** Where that line begins. Undefined in positions of earlier versions. */
  offset?: number;
  current?: Current;
};

type Progress = {
  position: Position;
  created: number;
  unchanged: number;
  done: number;
  failed: number;
  problems: readonly Problem[];
};

async function importFile(
  run: JobRun<'conversations.import'>,
  request: StoredImport,
  limits: FileLimits,
): Promise<void> {
  const { store, job, input } = run;
  const file = fileOf(store, request.uploadId);
  const unpacked = await unpackFile(run, request, file, limits);
  const open: Open = async (version, start) => {
    const { files } = await outside(run);
    const from = unpacked ? unpackedFiles(files, run, request.uploadId, unpacked, limits) : files;
    return openFile(from, file, version, limits, start);
  };
  const { version, total } =
    request.version === undefined
      ? await checkFile(run, open, request.checked, limits)
      : { version: request.version, total: job.progress.total };
  let progress: Progress = {
    position: job.importedUpTo ? JSON.parse(job.importedUpTo) : { line: 0, parts: 0 },
    ...job.imported,
    done: job.progress.done,
    failed: job.progress.failed,
    problems: request.problems,
  };
  const { line, offset } = progress.position;
  const { lines } = await open(version, offset === undefined ? undefined : { number: line + 1, offset });
  for await (const group of groupsOf(piecesAfter(lines, progress.position, limits))) {
    for (let rest = group; rest.length > 0; ) {
      const groupResult = await writeGroup(run, request, total, progress, rest);
      progress = groupResult.progress;
      rest = rest.slice(groupResult.pieces);
      checkTurn(input);
    }
  }
  const { created, unchanged, failed, problems } = progress;
  await advance(run, {
    status: 'succeeded',
    result: { created, unchanged, failed, errors: [...problems] },
    finishedAt: timestamp(input.nowMs()),
    importedUpTo: '',
    attempt: '',
  });
}

type Open = (version: string | undefined, start: Start | undefined) => Promise<OpenFile>;

/**
 * Reads the whole file first, so that no part of an unreadable or too large file is imported.
 * @param checked where an earlier turn has ended
 * @returns the version of the file, and the number of its lines
 */
async function checkFile(
  run: JobRun<'conversations.import'>,
  open: Open,
  checked: CheckedUpTo | undefined,
  { rangeBytes }: FileLimits,
): Promise<{ version: string; total: number }> {
  const { store, job, input } = run;
  const { version, lines } = await open(checked?.version, checked);
  let total = checked?.lines ?? 0;
  const begin = checked?.offset ?? 0;
  for await (const { number, next } of lines) {
    total += 1;
    // A turn checks at least as much as it reads at once.
    if (next < begin + rangeBytes) continue;
    const upTo = { version, number: number + 1, offset: next, lines: total };
    await endTurn(input, () => advance(run, { attempts: 0 }, [noteImport(store, job.id, { checked: upTo })]));
  }
  const progress = { total, done: 0, failed: 0 };
  await advance(run, { progress, attempts: 0 }, [noteImport(store, job.id, { version })]);
  checkTurn(input);
  return { version, total };
}

async function* piecesAfter(
  lines: OpenFile['lines'],
  { line, parts }: Position,
  { maxLineBytes }: FileLimits,
): AsyncGenerator<Piece> {
  let toSkip = parts;
  for await (const fileLine of lines) {
    if (fileLine.number <= line) continue;
    for (const piece of piecesOf(fileLine, maxLineBytes)) {
      if (piece.part >= toSkip) yield piece;
    }
    toSkip = 0;
  }
}

type GroupResult = { progress: Progress; pieces: number };

/** Writes the first pieces of a group, and the position behind them. Two lines may name one conversation differently. */
async function writeGroup(
  run: JobRun<'conversations.import'>,
  { quotas }: StoredImport,
  total: number,
  before: Progress,
  pieces: readonly Piece[],
): Promise<GroupResult> {
  const { store, job, input } = run;
  const attempt = async (): Promise<GroupResult | typeof again> => {
    const nowMs = input.nowMs();
    const project = requireActive(await getProject(store, store.projectId), 'import');
    const context = {
      store,
      project,
      createdBy: job.createdBy,
      environments: job.environments ?? null,
      nowMs,
      newId: input.newId,
    };
    const { current } = before.position;
    const allPlans = await Promise.all(
      pieces.map((piece) => planPiece(piece, currentOf(piece, pieces, current), context)),
    );
    const plans = allPlans.slice(0, beforeRepeated(allPlans));
    const group = pieces.slice(0, plans.length);
    const after = progressAfter(before, group, plans);
    const created = plans.filter(({ outcome }) => outcome === 'created').length;
    const uses = usesOf(
      created,
      plans.flatMap(({ added }) => added),
    );
    await requireQuotas(store, quotas, uses, nowMs);
    const changes = {
      importedUpTo: JSON.stringify(after.position),
      imported: { created: after.created, unchanged: after.unchanged },
      progress: { total, done: after.done, failed: after.failed },
      attempts: 0,
    };
    const { problems } = after;
    const writes = [
      ...plans.flatMap((plan) => plan.writes),
      ...countUses(store, quotas, uses, nowMs),
      ...(problems.length > before.problems.length
        ? [noteImport(store, job.id, { problems: [...problems] })]
        : []),
    ];
    return (await advance(run, changes, writes)) ? { progress: after, pieces: group.length } : again;
  };
  return retry(attempt, {
    maxAttempts,
    failure: () => new Error('lost too many races for the conversations'),
  });
}

/** @returns the number of plans before the second plan of a conversation: a transaction can have each item once */
function beforeRepeated(plans: readonly Plan[]): number {
  const ids = plans.map(({ current }) => current.id);
  const index = ids.findIndex((id, at) => id !== null && ids.indexOf(id) < at);
  return index === -1 ? plans.length : index;
}

/** A line of further messages follows the line before it, which is in an earlier group if it is of the same conversation. */
const currentOf = (
  piece: Piece,
  group: readonly Piece[],
  before: Current | undefined,
): Current | undefined => (piece === group[0] ? before : undefined);

function progressAfter(before: Progress, group: readonly Piece[], plans: readonly Plan[]): Progress {
  let { position, created, unchanged, done, failed } = before;
  const problems = [...before.problems];
  for (const [index, { number, part, isLast, offset }] of group.entries()) {
    const plan = plans[index];
    if (!plan) continue;
    const { problem, outcome, current } = plan;
    if (outcome === 'created') created += 1;
    if (outcome === 'unchanged') unchanged += 1;
    if (problem && isFirstProblem(position, number)) {
      failed += 1;
      if (problems.length < maxProblems) {
        problems.push({ line: number, code: problem.code, message: problem.message });
      }
    }
    if (isLast) done += 1;
    position = {
      ...(isLast ? { line: number, parts: 0 } : { line: number - 1, parts: part + 1 }),
      offset,
      current,
    };
  }
  return { position, created, unchanged, done, failed, problems };
}

/** The further pieces of a line that failed fail too. */
const isFirstProblem = ({ line, parts, current }: Position, number: number): boolean =>
  !(parts > 0 && line === number - 1 && current?.id === null);

/**
 * @throws JobFailure if a quota is used up. The conversations that were imported until then stay, and another import
 *   continues
 */
async function requireQuotas(
  store: ProjectStore,
  quotas: StoredImport['quotas'],
  uses: Uses,
  nowMs: number,
): Promise<void> {
  const used = await getUses(store, quotas, nowMs);
  for (const quota of dailyQuotas) {
    const limit = quotas[quota];
    const [before = 0, added = 0] = [used[quota], uses[quota]];
    if (limit !== undefined && added > 0 && before + added > limit) {
      throw new JobFailure({
        code: 'quota_exceeded',
        message:
          `The quota of ${limit} ${quota} per day is used up. The stored conversations stay. Import the file again ` +
          'tomorrow.',
      });
    }
  }
}
