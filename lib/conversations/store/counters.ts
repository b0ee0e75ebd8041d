/**
 * Statistics: sums of conversations, by day (UTC) of their start and further values. For each conversation there is an item with
 * its contribution to the sums. It changes with all these sums in one transaction, so a change that is handled twice is counted
 * once. Each generation has its own sums.
 */

import { firstIdAt, lastIdAt } from '../../base/ids.ts';
import { pagesOf } from '../../base/pages.ts';
import { dayMs } from '../../base/time.ts';
import { projectCollection, type Stored, unchanged } from '../../dynamodb/collection.ts';
import type { Write } from '../../dynamodb/write.ts';
import {
  type Amounts,
  type ContributionValues,
  changedSums,
  type Part,
  type SumOf,
  type SumPlace,
  sumPlaces,
  sumPrefix,
} from './contribution.ts';
import type { ProjectStore } from './conversations.ts';
import { type Generation, generationPart } from './generations.ts';

type Contribution = Stored<
  ContributionValues & {
    id: string;
    /** The `changedIn` of the scores when they were counted. */
    scoredIn?: string;
  }
>;
/** `countedThrough` is the time of the latest change that it includes. */
export type Counter = Stored<SumOf & Amounts & { id: string; countedThrough: string }>;

type InGeneration = [generation: string];
export const counters = projectCollection<Counter, [place: SumPlace, generation: string]>(
  'conversationStats',
  (place, generation) => [place, generation],
);
export const contributions = projectCollection<Contribution, InGeneration>(
  'conversationStats',
  (generation) => ['counted', generation],
);

const countersIn = (store: ProjectStore, generation: Generation, place: SumPlace) =>
  counters.at(store, place, generationPart(generation));
export const contributionsIn = (store: ProjectStore, generation: Generation) =>
  contributions.at(store, generationPart(generation));

export const allCountersIn = (store: ProjectStore, generation: Generation) =>
  sumPlaces.map((place) => countersIn(store, generation, place));

export type Difference = {
  id: string;
  before: Contribution | undefined;
  after: (ContributionValues & { scoredIn?: string }) | undefined;
};

/**
 * A change of scores that changes no sum is stored too. Otherwise another run, which has read earlier scores and the same
 * contribution, could still count them.
 * @returns whether the contribution must be written
 */
export function isDifferent({ before, after }: Difference): boolean {
  if (!before || !after) return before !== after;
  return before.scoredIn !== after.scoredIn || changedSums([{ before, after }]).size > 0;
}

/**
 * Replaces the contributions of conversations to their sums. A sum is removed with its last conversation, because it names the
 * channel. Fails if a contribution was changed after it was read, or if, after a concurrent change, a removed sum would have to
 * stay, or the reverse.
 * @param differences of different conversations
 * @param changedAt the time of the latest change that is counted
 * @returns a write for each conversation and each sum that changes
 */
export async function recount(
  store: ProjectStore,
  generation: Generation,
  differences: readonly Difference[],
  changedAt: string,
): Promise<Write<never>[]> {
  const sums = [...changedSums(differences).values()].map((part) =>
    changeSum(store, generation, part, changedAt),
  );
  return [
    ...differences.flatMap((difference) => replaceContribution(store, generation, difference)),
    ...(await Promise.all(sums)).flat(),
  ];
}

async function changeSum(
  store: ProjectStore,
  generation: Generation,
  { place, id, of, amounts: add }: Part,
  countedThrough: string,
): Promise<Write<never>[]> {
  const sums = countersIn(store, generation, place);
  const changes = { ...of, countedThrough };
  if (add.conversations >= 0) return [sums.update(id, changes, { condition: { kind: 'any' }, add })];
  const sum = await sums.get(id);
  if (!sum) return [];
  const attribute = 'conversations';
  const removedCount = -add.conversations;
  if (sum.conversations <= removedCount) {
    return [sums.remove(id, { condition: { kind: 'equals', attribute, value: sum.conversations } })];
  }
  return [sums.update(id, changes, { condition: { kind: 'above', attribute, value: removedCount }, add })];
}

function replaceContribution(
  store: ProjectStore,
  generation: Generation,
  { id, before, after }: Difference,
): Write<never>[] {
  const items = contributionsIn(store, generation);
  if (after) return [items.put({ ...after, id }, { condition: before ? unchanged(before) : absent })];
  return before ? [items.remove(id, { condition: unchanged(before) })] : [];
}

const absent = { kind: 'absent' } as const;

/** The maximum number of sums of a kind that a request reads. With the longest keys, the response is far below the limit of Lambda. */
export const maxCounters = 10_000;

/**
 * @param range days, both included; `name` is that of a score; `isTest`: the sums of test conversations
 * @returns all sums of these days, in order; undefined if there are more than `maxCounters`
 */
export async function getCounters(
  store: ProjectStore,
  generation: Generation,
  place: SumPlace,
  { first, last, name, isTest }: { first: string; last: string; name?: string; isTest: boolean },
): Promise<Counter[] | undefined> {
  const sums: Counter[] = [];
  const prefix = sumPrefix(isTest) + (name === undefined ? '' : `${name}#`);
  // `$` follows `#`, so `to` comes after every id of the last day.
  const page = { from: `${prefix}${first}`, to: `${prefix}${last}$`, order: 'oldest', limit: 999 } as const;
  const items = countersIn(store, generation, place);
  for await (const batch of pagesOf((after) => items.page({ ...page, after }))) {
    sums.push(...batch);
    if (sums.length > maxCounters) return undefined;
  }
  return sums;
}

/** @returns the sums of a rollout. It has few spans */
export async function getRolloutSums(
  store: ProjectStore,
  generation: Generation,
  rolloutId: string,
): Promise<Counter[]> {
  const sums = countersIn(store, generation, 'rollouts');
  // `$` follows `#`.
  const page = { from: `${rolloutId}#`, to: `${rolloutId}$`, order: 'oldest', limit: 999 } as const;
  return (await sums.page(page)).items;
}

/** @returns the sums of these deployments on these days */
export const getDeployedCounts = (
  store: ProjectStore,
  generation: Generation,
  deploymentIds: readonly string[],
  days: readonly string[],
): Promise<Counter[]> =>
  countersIn(store, generation, 'deployments').getMany(
    days.flatMap((day) => deploymentIds.map((deploymentId) => `${day}#${deploymentId}`)),
  );

/**
 * @param range days, both included
 * @returns the contributions of the conversations that started on these days; undefined if there are more than `maxCounters`
 */
export async function getContributions(
  store: ProjectStore,
  generation: Generation,
  { first, last }: { first: string; last: string },
): Promise<ContributionValues[] | undefined> {
  const found: ContributionValues[] = [];
  // The id of a conversation has the time of its start.
  const from = firstIdAt('conversation', Date.parse(first));
  const to = lastIdAt('conversation', Date.parse(last) + dayMs - 1);
  const page = { from, to, order: 'oldest', limit: 999 } as const;
  const items = contributionsIn(store, generation);
  for await (const batch of pagesOf((after) => items.page({ ...page, after }))) {
    found.push(...batch);
    if (found.length > maxCounters) return undefined;
  }
  return found;
}
