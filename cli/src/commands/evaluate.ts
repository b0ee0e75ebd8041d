/** The command `evaluate`: a job of the API scores conversations. */

import type { Command } from 'commander';
import type { EvaluationRunCreateRequest } from '../../../clients/typescript/src/index.ts';
import type { Define } from '../command.ts';
import { usageError } from '../errors.ts';
import { waitForRun } from '../evaluations/wait-for-run.ts';
import { readData } from '../input.ts';
import { periodFrom, periodHelp, periodOptions } from '../period.ts';
import type { Session } from '../session.ts';
import { filterOptions, jobFiltersFrom, type SelectOptions } from './conversations.ts';
import { waitOptions } from './jobs.ts';

type EvaluateOptions = SelectOptions & {
  evaluator?: string[];
  draft?: string;
  dryRun?: boolean;
  preview?: boolean;
  maxCostUsd?: number;
  wait?: boolean;
  timeout?: number;
  idempotencyKey?: string;
};

export function addEvaluate(program: Command, define: Define): void {
  define<EvaluateOptions>(program, {
    name: 'evaluate',
    summary: 'Scores conversations with evaluators',
    details:
      'A run does not repeat stored scores, so a second run only gives the missing scores. --dry-run counts, and says what a run ' +
      'would cost. --preview shows the scores of the ten newest conversations, and stores none. Both wait until the run has ' +
      'ended.\n\nThe exit code is 8 if the run has stopped at its limit of cost, or if a model did not answer. Run the command ' +
      `again to get the missing scores.\n\n${periodHelp}`,
    project: true,
    creates: true,
    options: [
      [
        '--evaluator <name>',
        'this evaluator; several times (default: all active ones with a rule or a model)',
        { repeat: true },
      ],
      ['--dry-run', 'stores nothing, asks no model, and shows what a run would cost'],
      ['--preview', 'stores nothing, and shows the scores of the newest conversations'],
      [
        '--draft <json>',
        'with --preview, an evaluator that is not stored: JSON, @file, or - for standard input',
      ],
      ['--max-cost-usd <usd>', 'the most that it may cost; required if a model is used', { parse: dollars }],
      ...waitOptions,
      ...filterOptions,
      ...periodOptions,
    ],
    examples: [
      'evaluate --from 7d --dry-run',
      'evaluate --evaluator goal_reached --from 7d --max-cost-usd 5 --wait',
      'evaluate --evaluator goal_reached --score csat:lt:3 --preview --max-cost-usd 0.1',
    ],
    run,
  });
}

async function run(session: Session, options: EvaluateOptions): Promise<void> {
  const { evaluator, dryRun, preview, maxCostUsd, wait, timeout, idempotencyKey } = options;
  if (dryRun && preview) throw usageError('--dry-run and --preview cannot be combined.');
  const { out, project, shell, signal } = session;
  const draft = options.draft === undefined ? undefined : await draftFrom(session, options.draft);
  const request = {
    filter: { ...jobFiltersFrom(options), ...periodFrom(options, shell.nowMs()) },
    evaluators: evaluator,
    draft,
    dryRun,
    preview,
    maxCostUsd,
  };
  const job = await project.evaluationRuns.create(request, { idempotencyKey, signal });
  if (wait || dryRun || preview || timeout !== undefined)
    return waitForRun(session, job, { isDry: dryRun ?? false, timeout });
  await out.item(job);
  out.note(`The run goes on. To wait for it: platform jobs wait ${job.id}`);
}

/** Reads the draft of an evaluator, which the API checks. */
async function draftFrom(
  { shell }: Session,
  source: string,
): Promise<NonNullable<EvaluationRunCreateRequest['draft']>> {
  const text = await readData(shell, source);
  try {
    return JSON.parse(text);
  } catch {
    throw usageError('--draft must be JSON, @file, or - for standard input.');
  }
}

function dollars(text: string): number {
  if (/^\d{1,7}(\.\d{1,6})?$/.test(text) && Number(text) > 0) return Number(text);
  throw usageError('--max-cost-usd must be a number above 0, such as 5 or 0.25.');
}
