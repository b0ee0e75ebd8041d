/** One step of an evaluation run: its state, and how it is saved together with what it stores. */

import type { EvaluationCounts, EvaluationState } from '../../jobs/evaluation.ts';
import { advance, JobLost, type JobRun, outside } from '../../jobs/run.ts';
import { getJob } from '../../jobs/store.ts';
import type { Write } from '../../workers/worker.ts';
import type { StoredRunRequest } from '../store/runs.ts';
import type { Outcome } from './outcome.ts';
import type { Account, Change } from './reserve.ts';
import type { Scorer } from './scorers.ts';
import { keyOf, placeOf, type Target } from './targets.ts';

/**
 * The failures that a job knows: each of its changes writes them. More than one conversation can have. The oldest are of
 * conversations that are done, and the position will soon be behind them.
 */
const maxFailed = 100;

export type Step = JobRun<'conversations.evaluate'> & {
  request: StoredRunRequest;
  /** The evaluators that this step uses. */
  scorers: readonly Scorer[];
  target: Target;
  /** The state as it is stored. */
  state: EvaluationState;
  /** Whether the time of the step is over. */
  isOver: () => boolean;
};

/**
 * Commits writes and the progress that they make, once: each change of the job is an attempt of its own, so that a transaction
 * whose first answer was lost is not repeated.
 * @returns false if the condition of another write does not hold
 * @throws JobLost, Suspended
 */
export async function save(
  step: Step,
  state: EvaluationState,
  writes: readonly Write[] = [],
): Promise<boolean> {
  const progress = { total: 0, done: state.counts.conversations, failed: 0 };
  const attempt = step.input.newId('call');
  const changes = {
    evaluation: state,
    progress,
    attempt,
    ...(isProgress(step.state, state) && { attempts: 0 }),
  };
  try {
    if (!(await advance(step, changes, writes))) return false;
  } catch (error) {
    if (!(error instanceof JobLost)) throw error;
    const storedJob = await getJob(step.store, step.job.id);
    if (storedJob?.attempt !== attempt) throw error;
  }
  // The run shares the job, and ends it with this attempt.
  step.job.attempt = attempt;
  step.state = state;
  return true;
}

const isProgress = (before: EvaluationState, { position, counts }: EvaluationState): boolean =>
  position !== before.position || counts.evaluated > before.counts.evaluated;

export const addCounts = (state: EvaluationState, more: Partial<EvaluationCounts>): EvaluationState => {
  const counts = { ...state.counts };
  for (const [name, count] of Object.entries(more)) counts[name as keyof EvaluationCounts] += count;
  return { ...state, counts };
};

export const addFailures = (state: EvaluationState, keys: readonly string[]): EvaluationState => ({
  ...state,
  failed: [...state.failed, ...keys].slice(-maxFailed),
});

/** What stored outcomes add to the counts. */
export const countsOf = (stored: readonly Outcome[]) => ({
  evaluated: stored.length,
  unknown: stored.filter(({ reason }) => reason !== null).length,
  inputTokens: stored.reduce((sum, { use }) => sum + (use?.inputTokens ?? 0), 0),
  outputTokens: stored.reduce((sum, { use }) => sum + (use?.outputTokens ?? 0), 0),
});

/** The money of the run. The job has the sum, so the transaction that reserves also counts. */
export const accountOf = (step: Step): Account => ({
  target: step.target,
  outside: () => outside(step),
  leftMicroUsd: () => (step.request.maxMicroUsd ?? 0) - step.state.spentMicroUsd,
  attemptsOf: (question) => step.state.tries?.[keyIn(step)(question)] ?? 0,
  save({ spentMicroUsd, calls, stored, failed, again }: Change, writes) {
    const { state } = step;
    const countedState = addCounts(state, { ...countsOf(stored), calls, failed: failed.length });
    const key = keyIn(step);
    const keys = failed.map(key);
    const tries = { ...state.tries };
    for (const ended of [...stored, ...failed]) delete tries[key(ended)];
    for (const call of again) tries[key(call)] = call.attempts + 1;
    const after = { ...countedState, tries, spentMicroUsd: state.spentMicroUsd + spentMicroUsd };
    return save(step, addFailures(after, keys), writes);
  },
});

const keyIn = ({ state }: Pick<Step, 'state'>) =>
  state.kind === 'preview' ? previewKey : (pair: Parameters<typeof placeOf>[0]) => keyOf(placeOf(pair));

/** A draft has no fact. */
export const previewKey = ({
  conversationId,
  scorer: { index },
}: {
  conversationId: string;
  scorer: { index: number };
}): string => `${conversationId}/${index}`;
