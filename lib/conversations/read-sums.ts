/**
 * Reads the sums of statistics that a caller may see. A credential that is bound to environments gets those of the conversations
 * whose deployment is in them, or that have none:
 *
 *   by day, deployment or score: the sums of deployments, and what they leave of the sums of all conversations
 *   by avatar or channel: no sum has both these and the deployment, so the contributions of the conversations are added up
 */

import { deploymentsWithin } from '../avatars/deployments/store/deployments.ts';
import type { Caller } from '../base/caller.ts';
import type { StatsGroup } from './schema/stats.ts';
import { type Sum, type Sums, sumsBy, without } from './stats.ts';
import { type ContributionValues, changedSums } from './store/contribution.ts';
import type { ProjectStore } from './store/conversations.ts';
import { getContributions, getCounters } from './store/counters.ts';
import type { Generation } from './store/generations.ts';

type Query = {
  groupBy: StatsGroup | 'score';
  /** The name of the score, if there is one. */
  name: string | undefined;
  /** Days, both included. `isTest`: the sums of test conversations instead of the others. */
  range: { first: string; last: string; isTest: boolean };
};

/** @returns undefined if there are more sums or conversations than a request reads (`maxCounters`) */
export async function readSums(
  store: ProjectStore,
  generation: Generation,
  { environments }: Pick<Caller, 'environments'>,
  { groupBy, name, range }: Query,
): Promise<Sums | undefined> {
  const readScores = () =>
    name === undefined ? [] : getCounters(store, generation, 'scores', { ...range, name });
  const readDeployments = () => getCounters(store, generation, 'deployments', range);
  if (environments === null) {
    const [days, deployments, scores] = await Promise.all([
      getCounters(store, generation, 'days', range),
      groupBy === 'deployment' ? readDeployments() : [],
      readScores(),
    ]);
    return days && deployments && scores && { days, deployments, scores };
  }
  // The deployments are read after the days: a conversation that is counted meanwhile is in no difference.
  const days = await getCounters(store, generation, 'days', range);
  if (!days) return undefined;
  const isWithin = async (sums: readonly Deployed[]) => {
    const ids = sums.flatMap(({ deploymentId }) => deploymentId ?? []);
    const allowed = await deploymentsWithin(store, environments, ids);
    return ({ deploymentId }: Deployed) => !deploymentId || allowed.has(deploymentId);
  };
  if (groupBy === 'avatar' || groupBy === 'channel') {
    const contributions = await getContributions(store, generation, range);
    if (!contributions) return undefined;
    const counted = contributions.filter(({ test = false }) => test === range.isTest);
    return sumsOf(counted.filter(await isWithin(counted)), name, throughOf(days));
  }
  const [deployments, scores] = await Promise.all([readDeployments(), readScores()]);
  if (!deployments || !scores) return undefined;
  const isOwn = await isWithin([...deployments, ...scores]);
  const own = deployments.filter(isOwn);
  return {
    days: [...own, ...withoutDeployment(days, deployments)],
    deployments: own,
    scores: scores.filter(isOwn),
  };
}

type Deployed = { deploymentId?: string | null };

const throughOf = (sums: readonly Sum[]): string =>
  sums
    .map(({ countedThrough }) => countedThrough)
    .sort()
    .at(-1) ?? '';

/** @returns for each day, the sum of the conversations without a deployment */
function withoutDeployment(days: readonly Sum[], deployments: readonly Sum[]): Sum[] {
  const byDay = ({ day }: Sum) => day;
  const parts = sumsBy(deployments, byDay);
  const through = throughOf(days);
  return [...sumsBy(days, byDay)].map(([day, whole]) => {
    const part = parts.get(day);
    return { day, ...without(whole, part ? [part] : []), countedThrough: through };
  });
}

/** @returns the sums of the conversations with these contributions */
function sumsOf(
  contributions: readonly ContributionValues[],
  score: string | undefined,
  countedThrough: string,
): Sums {
  const parts = changedSums(contributions.map((after) => ({ before: undefined, after })));
  const sums = [...parts.values()].flatMap(({ place, of: { day, ...of }, amounts }) =>
    day === undefined ? [] : [{ place, sum: { day, ...of, ...amounts, countedThrough } }],
  );
  const placed = (wanted: string) => sums.filter(({ place }) => place === wanted).map(({ sum }) => sum);
  return { days: placed('days'), scores: placed('scores').filter(({ name }) => name === score) };
}
