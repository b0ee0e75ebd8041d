/** Waits until a rollout has ended, or waits for a person. */

import type { RolloutSummary } from '../../../clients/typescript/src/index.ts';
import { CliError, describe, Interrupted } from '../errors.ts';
import { progressBar } from '../output/progress.ts';
import { counted } from '../output/text.ts';
import type { Session } from '../session.ts';
import { asSentence, stateOf } from './sentences.ts';
import { printRollout, type ShownRollout } from './show.ts';

/** The pause between two requests. */
const pollMs = 5000;

type Waited = { environment: string; timeout: number | undefined };

/** Whether there is something to wait for: the rollout moves by itself. */
const goesOn = ({ status }: Pick<RolloutSummary, 'status'>): boolean =>
  status === 'running' || status === 'waiting_for_scores';

/**
 * Waits, and prints the rollout then.
 * @param first the rollout as the caller knows it
 * @throws CliError unless the rollout has completed or waits for advance
 */
export async function waitForRollout(session: Session, first: RolloutSummary, waited: Waited): Promise<void> {
  const { out, signal, shell } = session;
  const { environment, timeout } = waited;
  const endMs = timeout === undefined ? Number.POSITIVE_INFINITY : shell.nowMs() + timeout * 1000;
  const bar = progressBar(shell, environment, out.json, (percent) => `${percent} %`);
  // A log has no bar, but a line for each move.
  const note = (text: string) => shell.stderr.isTTY || out.note(text);
  let rollout: ShownRollout = first;
  let shownVersion: number | undefined;
  try {
    for (;;) {
      rollout = await read(session, rollout, environment);
      bar.update(rollout.percent, 100, rollout.status.replaceAll('_', ' '));
      if (rollout.version !== shownVersion) note(`${rollout.percent} %: ${stateOf(rollout)}`);
      shownVersion = rollout.version;
      const leftMs = endMs - shell.nowMs();
      if (!goesOn(rollout) || leftMs <= 0) break;
      await shell.sleep(Math.min(pollMs, leftMs), signal);
    }
  } catch (error) {
    bar.stop();
    if (signal.aborted || error instanceof Interrupted) {
      out.note(`The rollout goes on. To wait for it: platform rollout status ${environment} --wait`);
      signal.throwIfAborted();
    }
    throw error;
  } finally {
    bar.stop();
  }
  await printRollout(session, rollout);
  const failure = failureOf(rollout, waited);
  if (failure) throw failure;
}

/** Reads the rollout. After a lost connection, it is as it was: the wait goes on. */
async function read(
  { project, out, signal }: Session,
  before: ShownRollout,
  environment: string,
): Promise<ShownRollout> {
  try {
    const rollout = await project.rollouts.get(environment, { signal });
    if (rollout.id === before.id) return rollout;
    // It has ended, and somebody has started another one.
    for await (const one of project.rollouts.list(environment, { limit: 100 }))
      if (one.id === before.id) return one;
    return before;
  } catch (error) {
    if (signal.aborted || describe(error).exit !== 'temporary') throw error;
    out.note(`${error instanceof Error ? error.message : error} Trying again.`);
    return before;
  }
}

/** @returns the error of a rollout that was waited for; undefined if it has completed, or waits for advance */
function failureOf(
  { id, status, reason }: RolloutSummary,
  { environment, timeout }: Waited,
): CliError | undefined {
  const state = stateOf({ status, reason });
  const failure = asSentence(`The rollout ${id} ${state}`);
  if (status === 'completed' || status === 'waiting_for_advance') return undefined;
  if (status === 'rolled_back')
    return new CliError(
      'rolledBack',
      failure,
      'Look at the conversations of the candidate, correct the drafts, and deploy again.',
    );
  if (status === 'aborted') return new CliError('jobFailed', failure);
  if (status === 'paused')
    return new CliError(
      'jobFailed',
      failure,
      `To go on: platform rollout resume ${environment}. To end it: platform rollout abort ${environment}`,
    );
  return new CliError(
    'undecided',
    `The rollout ${id} has not ended within ${counted(timeout ?? 0, 'second')}: it ${state}. It goes on.`,
    `Wait again: platform rollout status ${environment} --wait`,
  );
}
