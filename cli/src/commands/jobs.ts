/** The commands of jobs, and `reindex`: they show jobs, wait for them, and cancel them. */

import type { Command } from 'commander';
import {
  ApiError,
  type Job,
  JobFailedError,
  type JobsListQuery,
  TimeoutError,
} from '../../../clients/typescript/src/index.ts';
import { checkId, type Define, wholeNumber } from '../command.ts';
import { CliError } from '../errors.ts';
import { type ListOptions, listOptions, printList } from '../lists.ts';
import { progressBar } from '../output/progress.ts';
import { counted, safeLine } from '../output/text.ts';
import type { Session } from '../session.ts';

/** @throws JobFailedError unless the job succeeds */
export async function waitForJob(
  session: Session,
  job: string | Job,
  timeoutSeconds?: number,
): Promise<void> {
  const bar = progressBar(session.shell, typeof job === 'string' ? 'Waiting' : job.type, session.out.json);
  try {
    const endedJob = await session.project.jobs
      .wait(job, {
        signal: session.signal,
        deadlineMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
        onProgress: ({ progress, status }) => bar.update(progress.done, progress.total || undefined, status),
      })
      .catch((error) => {
        if (!(error instanceof TimeoutError) || timeoutSeconds === undefined) throw error;
        const id = typeof job === 'string' ? job : job.id;
        throw new CliError(
          'temporary',
          `The job ${id} has not ended within ${counted(timeoutSeconds, 'second')}. It goes on.`,
          `Wait again: platform jobs wait ${id}`,
        );
      });
    bar.stop();
    await printJob(session, endedJob);
    if (endedJob.status !== 'succeeded') throw new JobFailedError(endedJob);
  } finally {
    bar.stop();
  }
}

export const waitOptions = [
  ['--wait', 'waits until the job has ended; exits with 7 if it has failed'],
  [
    '--timeout <seconds>',
    'waits at most this long, and then exits with 6',
    { parse: wholeNumber('--timeout', 1, 86_400) },
  ],
] as const;

export function addReindex(parent: Command, define: Define, prefix: string): void {
  define<{ wait?: boolean; timeout?: number }>(parent, {
    name: 'reindex',
    summary: 'Builds the index of all documents',
    details: 'If a job is already queued, the command uses that job.',
    project: true,
    creates: true,
    options: waitOptions,
    examples: [`${prefix}reindex --wait`, `${prefix}reindex --wait --timeout 600 --json`],
    async run(session, { wait, timeout, idempotencyKey }) {
      const job = await session.project.knowledge.reindex({ idempotencyKey });
      if (wait || timeout !== undefined) return waitForJob(session, job, timeout);
      await session.out.item(job);
      session.out.note(`The job runs. To wait for it: platform jobs wait ${job.id}`);
    },
  });
}

export function addJobs(program: Command, define: Define): void {
  const parent = program
    .command('jobs')
    .summary('Background jobs of a project')
    .description('Background jobs of a project.');

  define<ListOptions & JobsListQuery>(parent, {
    name: 'list',
    summary: 'Lists the jobs, newest first',
    project: true,
    options: [
      ...listOptions,
      [
        '--status <status>',
        'only jobs with this status',
        { choices: ['queued', 'running', 'succeeded', 'failed', 'cancelled'] },
      ],
      ['--type <type>', 'only jobs of this type, such as knowledge.reindex'],
    ],
    examples: ['jobs list --status failed', 'jobs list --type knowledge.reindex'],
    run: (session, { status, type, ...options }) =>
      printList(session, options, (page) => session.project.jobs.list({ status, type, ...page }), {
        id: ({ id }) => id,
        type: ({ type: one }) => one,
        status: ({ status: one }) => one,
        done: ({ progress: { done, total } }) => `${done}/${total}`,
        created: ({ createdAt }) => createdAt,
        finished: ({ finishedAt }) => finishedAt,
      }),
  });

  define(parent, {
    name: 'get <id>',
    summary: 'Shows a job, with its failures',
    project: true,
    examples: ['jobs get job_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'],
    run: async (session, _options, id) => printJob(session, await session.project.jobs.get(checkId(id))),
  });

  define<{ timeout?: number }>(parent, {
    name: 'wait <id>',
    summary: 'Waits until a job has ended',
    project: true,
    options: [waitOptions[1]],
    examples: ['jobs wait job_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --timeout 600'],
    run: (session, { timeout }, id) => waitForJob(session, checkId(id), timeout),
  });

  define(parent, {
    name: 'cancel <id>',
    summary: 'Cancels a job',
    project: true,
    creates: true,
    examples: ['jobs cancel job_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'],
    run: async (session, { idempotencyKey }, id) =>
      printJob(session, await session.project.jobs.cancel(checkId(id), { idempotencyKey })),
  });
}

type Problem = Job['failures'][number];

/** The most failures, and the most warnings, that a job lists. */
const maxListed = 100;
/** How many documents of a kind are named. */
const maxNamed = 10;

/**
 * Prints a job. Its failures and warnings are grouped by kind, with the titles of the documents. With `--json`, it prints the job as
 * the API returns it.
 */
async function printJob(session: Session, job: Job): Promise<void> {
  const { out } = session;
  if (out.json) return out.jsonLine(job);
  const { failures, warnings, ...fields } = job;
  await out.item(fields);
  await printProblems(session, failures, 'could not be indexed');
  await printProblems(session, warnings, 'indexed, with a warning');
  if (failures.length > 0)
    out.warn(
      `${countOf(failures)} could not be indexed. Send each again with a text that can be read, delete it, or ignore it: ` +
        'platform knowledge ignore ID',
    );
}

const countOf = ({ length }: readonly Problem[]): string =>
  `${length < maxListed ? '' : 'At least '}${counted(length, 'document')}`;

async function printProblems(session: Session, problems: readonly Problem[], what: string): Promise<void> {
  const { out } = session;
  for (const code of new Set(problems.map((problem) => problem.code))) {
    const all = problems.filter((problem) => problem.code === code);
    await out.text(`\n${counted(all.length, 'document')} ${what} (${safeLine(code)}):`);
    const examples = all.slice(0, maxNamed);
    const rows = await Promise.all(
      examples.map(async ({ documentId, message }) => ({
        title: await titleOf(session, documentId),
        id: documentId,
        reason: message,
      })),
    );
    await out.rows(rows, {
      document: ({ title }) => title,
      id: ({ id }) => id,
      reason: ({ reason }) => reason,
    });
    if (all.length > maxNamed) await out.text(`and ${all.length - maxNamed} more. --json lists them.`);
  }
}

/** @returns undefined for a document that is deleted, or that the key may not read */
const titleOf = ({ project }: Session, id: string): Promise<string | undefined> =>
  project.knowledge.documents.get(id).then(
    ({ title }) => title,
    (error) => {
      if (error instanceof ApiError) return undefined;
      throw error;
    },
  );
