/**
 * Counts conversations and their scores. A change only triggers the count, which uses the current state of the conversation. So
 * changes may arrive twice, late or out of order, and each conversation is counted once.
 */

import { isDeepStrictEqual } from 'node:util';
import { again, retry } from '../base/retry.ts';
import { timestamp } from '../base/time.ts';
import { contributedUnit, rolloutOf } from '../rollouts/contribution.ts';
import { getAssignedRollouts, type StoredRollout } from '../rollouts/store.ts';
import type { Change } from '../workers/change.ts';
import type { WorkerInput } from '../workers/worker.ts';
import { commitPatiently } from '../workers/writes.ts';
import { ensureGenerations } from './generations.ts';
import { reopenErasure } from './store/changes.ts';
import { type CountedScores, packDifferences } from './store/contribution.ts';
import {
  conversations,
  type ProjectStore,
  type StoredConversation,
  tombstones,
} from './store/conversations.ts';
import { contributionsIn, type Difference, isDifferent, recount } from './store/counters.ts';
import {
  type Generation,
  getGenerations,
  type StoredGenerations,
  writtenGenerations,
} from './store/generations.ts';
import { type StoredScoreSummary, scored, scoredPlace } from './store/scores.ts';
import { showConversation } from './store/state.ts';

const pauseMs = 50;
/** DynamoDB allows 100. A conversation with a score of every evaluator has about half of them. */
const maxInTransaction = 99;

type Input = Pick<WorkerInput, 'commit' | 'sleep'>;

/** @returns whether the change is of a conversation or its scores, and may affect the sums */
export function affectsCounts({ kind, partition, id, before, after }: Change): boolean {
  if (partition.length === 2 && partition[1] === scoredPlace) {
    const scoresIn = (item: Change['after']) => item && countedScores(scored.read(item));
    return !isDeepStrictEqual(scoresIn(before), scoresIn(after));
  }
  if (partition.length !== 1 || !id.startsWith('conv_')) return false;
  return (
    kind !== 'MODIFY' ||
    before?.messageCount !== after?.messageCount ||
    before?.lastMessageAt !== after?.lastMessageAt ||
    before?.deploymentId !== after?.deploymentId ||
    // A unit of a rollout is open until its conversation has ended.
    (after?.counted === true && before?.status !== after.status)
  );
}

type Options = {
  /** Leaves the counts of erased and missing conversations as they are. Other workers handle these changes. */
  existingOnly?: boolean;
};

/**
 * Writes each sum once for up to 98 of its conversations.
 * @param changes of conversations of one project, and of their scores
 * @returns the rollouts whose sums have ended units of these conversations, also if nothing was left to write: a run that was killed
 *   after its writes comes again
 */
export async function countConversations(
  store: ProjectStore,
  changes: readonly { id: string; atMs: number }[],
  input: Input,
  options: Options = {},
): Promise<ReadonlySet<string>> {
  const rolloutIds = new Set<string>();
  const changedAt = timestamp(Math.max(...changes.map(({ atMs }) => atMs)));
  let uncounted = [...new Set(changes.map(({ id }) => id))];
  await retry(
    async () => {
      const lost: string[] = [];
      const generations = (await getGenerations(store)) ?? (await firstGenerations(store, uncounted, input));
      for (const generation of generations ? writtenGenerations(generations) : []) {
        const differences = await readDifferences(store, generation, uncounted, input, options);
        for (const id of differences.flatMap(rolloutsIn)) rolloutIds.add(id);
        lost.push(...(await countOnce(store, generation, differences, changedAt, input)));
      }
      uncounted = [...new Set(lost)];
      return uncounted.length > 0 ? again : undefined;
    },
    {
      failure: () => new Error('lost too many races for the sums'),
      pause: (attempt) => input.sleep(pauseMs * attempt),
    },
  );
  return rolloutIds;
}

/** @returns the rollouts whose sums have the conversation as an ended unit, or had it until now */
const rolloutsIn = ({ before, after }: Difference): string[] =>
  [before?.rollout, after?.rollout].flatMap((unit) => (unit?.unit === 'ended' ? rolloutOf(unit) : []));

/** Creates the first generations before anything is counted, if one of the conversations still exists. */
async function firstGenerations(
  store: ProjectStore,
  ids: readonly string[],
  input: Input,
): Promise<StoredGenerations | undefined> {
  const storedConversations = await conversations.at(store).getMany(ids);
  return storedConversations.length > 0 ? ensureGenerations(store, input) : undefined;
}

/** @returns the conversations that another run has counted in the meantime, or whose sums it has changed */
async function countOnce(
  store: ProjectStore,
  generation: Generation,
  differences: readonly Difference[],
  changedAt: string,
  input: Input,
): Promise<string[]> {
  const lost: string[] = [];
  for (const batch of packDifferences(differences.filter(isDifferent), maxInTransaction)) {
    const refusal = await input.commit(await recount(store, generation, batch, changedAt));
    if (refusal) lost.push(...batch.map(({ id }) => id));
  }
  return lost;
}

async function readDifferences(
  store: ProjectStore,
  generation: Generation,
  ids: readonly string[],
  input: Input,
  { existingOnly = false }: Options,
): Promise<Difference[]> {
  // Contributions are read first: if they are unchanged at the commit, no other run has counted a later state of the conversations.
  const contributions = byId(await contributionsIn(store, generation).getMany(ids));
  const [conversationsById, tombstonesById, summaries] = await Promise.all([
    conversations.at(store).getMany(ids).then(byId),
    tombstones.at(store).getMany(ids).then(byId),
    scored.at(store).getMany(ids).then(byId),
  ]);
  for (const { id, ...tombstone } of tombstonesById.values()) {
    // A restore has brought the conversation back. The eraser removes it again.
    if (tombstone.purgedAt && conversationsById.has(id) && !existingOnly) {
      await commitPatiently(input, [reopenErasure(store, { id, ...tombstone })]);
    }
  }
  const rolloutsById = byId(await getAssignedRollouts(store, [...conversationsById.values()]));
  const differences = ids.map((id): Difference => {
    const conversation = tombstonesById.has(id) ? undefined : conversationsById.get(id);
    const after = conversation && contributionOf(conversation, summaries.get(id), rolloutsById);
    return { id, before: contributions.get(id), after };
  });
  return existingOnly ? differences.filter(({ after }) => after !== undefined) : differences;
}

const byId = <Item extends { id: string }>(items: readonly Item[]): Map<string, Item> =>
  new Map(items.map((item) => [item.id, item]));

function contributionOf(
  conversation: StoredConversation,
  summary: StoredScoreSummary | undefined,
  rolloutsById: ReadonlyMap<string, StoredRollout>,
) {
  const rollout = contributedUnit(conversation, summary?.scores ?? {}, rolloutsById);
  const { startedAt, avatarId, channel, deploymentId, messageCount, test } = conversation;
  const { durationSeconds } = showConversation(conversation);
  return {
    day: startedAt.slice(0, 10),
    avatarId,
    channel,
    deploymentId,
    conversations: 1,
    messages: messageCount,
    durationSeconds,
    ...(test && { test }),
    ...(rollout && { rollout }),
    ...(summary && { scores: countedScores(summary), scoredIn: summary.changedIn }),
  };
}

const countedScores = ({ scores }: StoredScoreSummary): CountedScores =>
  Object.fromEntries(
    Object.entries(scores).map(([name, { slot, value }]) => [
      name,
      slot !== null && typeof value === 'number' ? { slot, value } : { slot },
    ]),
  );
