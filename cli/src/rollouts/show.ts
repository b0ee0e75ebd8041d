/** Prints a rollout: who gets what, its steps and its guards. */

import {
  ApiError,
  type ProjectResources,
  type RolloutComparison,
  type RolloutSummary,
} from '../../../clients/typescript/src/index.ts';
import { counted, relativeTime } from '../output/text.ts';
import type { Session } from '../session.ts';
import { asSentence, breachSentence, guardSentence, holdOf, servedOf, stateOf } from './sentences.ts';

/** A rollout, as the commands have it: a list has no comparisons. */
export type ShownRollout = RolloutSummary & { comparison?: RolloutComparison };

/** Prints a rollout. With `--json`, it prints the rollout as the API returns it. */
export async function printRollout(session: Session, rollout: ShownRollout): Promise<void> {
  const { out, project, shell, options } = session;
  if (out.json) return out.jsonLine(rollout);
  const time = (at: string) => (options.utc ? at : relativeTime(at, shell.nowMs()));
  const { id, environment, steps, step, holdUntil, guards, breach, comparison } = rollout;
  await out.text(
    asSentence(`The rollout ${id} in ${environment} (${time(rollout.since)}) ${stateOf(rollout)}`),
  );
  await out.text(servedOf(rollout));
  if (comparison) {
    const { units, notAssigned } = comparison;
    await out.text(
      `${counted(units.candidate, 'unit')} with the candidate, ${units.current} with the current deployment. ` +
        `${counted(notAssigned, 'conversation')} not assigned.`,
    );
  }
  if (steps) {
    await out.text('\nSteps:');
    for (const [at, one] of steps.entries()) {
      const isNow = rollout.endedAt === null && at + 1 === step;
      const until = isNow && holdUntil !== null ? `, until ${time(holdUntil)}` : '';
      await out.text(`${isNow ? '>' : ' '} ${at + 1}. ${one.percent} %, ${holdOf(one)}${until}`);
    }
  }
  if (guards.length === 0) return out.text('\nIt has no guards: nothing stops it by itself.');
  const shares = await sharesIn(project, guards);
  const isShare = ({ score, value = null }: { score: string; value?: string | null | undefined }) =>
    value !== null || shares.has(score);
  if (comparison) {
    await out.text('\nGuards:');
    for (const [at, guard] of guards.entries()) {
      const compared = comparison.guards[at];
      if (compared) await out.text(`  ${guardSentence(guard, compared, isShare(guard))}`);
    }
  }
  if (breach) await out.text(breachSentence(breach, isShare(breach)));
}

/** @returns the scores that are true or false. None without the scope `conversations:read`: then differences are plain numbers */
async function sharesIn(
  project: ProjectResources,
  guards: RolloutSummary['guards'],
): Promise<ReadonlySet<string>> {
  const missing = new Set(guards.filter(({ value }) => value === undefined).map(({ score }) => score));
  const shares = new Set<string>();
  if (missing.size === 0) return shares;
  try {
    for await (const { name, output } of project.evaluators.list({ limit: 100 })) {
      if (missing.delete(name) && output.type === 'boolean') shares.add(name);
      if (missing.size === 0) break;
    }
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 403)) throw error;
  }
  return shares;
}
