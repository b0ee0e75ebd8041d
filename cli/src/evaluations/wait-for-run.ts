/** Waits for the job of an evaluation run, and prints its result. */

import {
  type EvaluateResult,
  JobFailedError,
  type JobOf,
  type SucceededJob,
  TimeoutError,
} from '../../../clients/typescript/src/index.ts';
import { CliError, Interrupted } from '../errors.ts';
import { progressBar } from '../output/progress.ts';
import type { Columns } from '../output/table.ts';
import { counted } from '../output/text.ts';
import type { Session } from '../session.ts';

type RunJob = SucceededJob<'conversations.evaluate'>;
type Settings = { isDry: boolean; timeout: number | undefined };

/**
 * @throws JobFailedError unless the job succeeds
 * @throws CliError if the job has not done everything, or after the timeout
 */
export async function waitForRun(
  session: Session,
  job: JobOf<'conversations.evaluate'>,
  { isDry, timeout }: Settings,
): Promise<void> {
  const { out, project, shell, signal } = session;
  const bar = progressBar(shell, isDry ? 'Counting' : 'Evaluating', out.json);
  try {
    const endedJob = await project.jobs.wait(job, {
      signal,
      deadlineMs: timeout === undefined ? undefined : timeout * 1000,
      onProgress: ({ progress, status }) =>
        bar.update(progress.done, progress.total || undefined, progress.done > 0 ? 'conversations' : status),
    });
    bar.stop();
    if (endedJob.status !== 'succeeded') throw new JobFailedError(endedJob);
    await report(session, endedJob, isDry);
  } catch (error) {
    bar.stop();
    if (error instanceof Interrupted)
      out.note(`The run goes on. To wait for it: platform jobs wait ${job.id}`);
    if (!(error instanceof TimeoutError) || timeout === undefined) throw error;
    throw new CliError(
      'temporary',
      `The run has not ended within ${counted(timeout, 'second')}. It goes on.`,
      `Wait again: platform jobs wait ${job.id}`,
    );
  } finally {
    bar.stop();
  }
}

/** @throws CliError if the job has not done everything */
async function report({ out }: Session, { id, result }: RunJob, isDry: boolean): Promise<void> {
  if (out.json) await out.jsonLine({ job: id, ...result });
  else {
    if (result.preview) {
      await out.rows(previewRows(result.preview), previewColumns);
      await out.line('');
    }
    await out.text(isDry ? estimateOf(result) : countsOf(result));
  }
  const { failed, stoppedBecause } = result;
  const again = 'Run the same command again. It does not repeat stored scores.';
  if (stoppedBecause !== null) {
    const [message, next] = stopTexts(stoppedBecause);
    throw new CliError('incomplete', message, next);
  }
  if (failed > 0)
    throw new CliError(
      'incomplete',
      `${counted(failed, 'score is', 'scores are')} missing, because the model did not answer.`,
      again,
    );
}

function stopTexts(reason: NonNullable<EvaluateResult['stoppedBecause']>): [message: string, next: string] {
  if (reason === 'max_cost_usd')
    return [
      'The run has stopped before its end: the next call does not fit into --max-cost-usd.',
      'Run the command again with a --max-cost-usd for the rest.',
    ];
  if (reason === 'model_cost_quota')
    return [
      'The run has stopped before its end: the quota modelCostUsd of the day is used.',
      '`platform usage` shows the quota, and when it resets. Then run the command again.',
    ];
  return [`The run has stopped before its end: ${reason}.`, 'Run the command again.'];
}

/** Cents are too coarse for a few calls. */
const usd = (cost: number) => `$${cost.toFixed(cost < 1 ? 4 : 2)}`;

const useOf = ({ calls, inputTokens, outputTokens, costUsd }: EvaluateResult): string =>
  calls === 0
    ? 'No calls of models'
    : `${counted(calls, 'call')} of models, ${inputTokens} + ${outputTokens} tokens, ${usd(costUsd)}`;

const estimateOf = (result: EvaluateResult): string =>
  `${counted(result.conversations, 'conversation')}: a run would give ${counted(result.evaluated, 'score')}, ` +
  `${result.unchanged} are stored already. ${result.calls === 0 ? '' : 'About '}${useOf(result)}.`;

function countsOf(result: EvaluateResult): string {
  const { evaluated, unknown, unchanged, failed } = result;
  const others = Object.entries({ unknown, unchanged, failed }).filter(([, count]) => count > 0);
  const counts = [counted(evaluated, 'score'), ...others.map(([name, count]) => `${count} ${name}`)];
  return `${counted(result.conversations, 'conversation')}: ${counts.join(', ')}. ${useOf(result)}.`;
}

type Previewed = NonNullable<EvaluateResult['preview']>;
type PreviewRow = Previewed[number]['scores'][number] & { conversationId: string };

/** The scores of a preview, as the rows of a table. */
const previewRows = (preview: Previewed): PreviewRow[] =>
  preview.flatMap(({ conversationId, scores }) => scores.map((score) => ({ conversationId, ...score })));

/** The columns of a preview. A draft has no name. */
const previewColumns: Columns<PreviewRow> = {
  conversation: ({ conversationId }) => conversationId,
  name: ({ name }) => name ?? '(draft)',
  value: ({ value, reason }) => (reason === null ? value : `unknown: ${reason}`),
  evidence: ({ evidence }) => evidence.map((seq) => `#${seq}`).join(' '),
  rationale: ({ rationale }) => rationale,
  cost: ({ costUsd }) => (costUsd === null ? null : `$${costUsd.toFixed(6)}`),
};
