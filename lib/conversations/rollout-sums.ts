/** The sums of a rollout, and the number of conversations that its deployments have in all. */

import { dayMs, timestamp } from '../base/time.ts';
import { type RolloutSum, readSum } from '../rollouts/contribution.ts';
import type { ProjectStore } from './store/conversations.ts';
import { getDeployedCounts, getRolloutSums } from './store/counters.ts';
import { currentGeneration, type Generation, getGenerations } from './store/generations.ts';

/** @returns the generation of sums that is current. A caller that reads both sums reads it once */
export const sumGeneration = async (store: ProjectStore): Promise<Generation> =>
  currentGeneration(await getGenerations(store));

/** @returns a sum for each span and variant that has conversations */
export async function readRolloutSums(
  store: ProjectStore,
  { id }: { id: string },
  generation?: Generation,
): Promise<RolloutSum[]> {
  const sums = await getRolloutSums(store, generation ?? (await sumGeneration(store)), id);
  return sums.flatMap(({ id, ...amounts }) => readSum(id, amounts) ?? []);
}

/** The sums of the last days are read. A rollout that takes longer shows fewer of its conversations. */
const maxDays = 100;

/**
 * @param range times of the first and the last day, in UTC
 * @returns the number of the conversations with these deployments that started on these days
 */
export async function countDeployed(
  store: ProjectStore,
  deploymentIds: readonly string[],
  { from, until }: { from: string; until: string },
  generation?: Generation,
): Promise<number> {
  const days = new Set<string>();
  const firstMs = Math.max(Date.parse(from), Date.parse(until) - maxDays * dayMs);
  for (let ms = firstMs; ms <= Date.parse(until); ms += dayMs) days.add(timestamp(ms).slice(0, 10));
  days.add(until.slice(0, 10));
  const read = generation ?? (await sumGeneration(store));
  const sums = await getDeployedCounts(store, read, deploymentIds, [...days]);
  return sums.reduce((count, { conversations }) => count + conversations, 0);
}
