/**
 * The orders in which a person reads conversations. The API orders no list by scores, and a project may have no scores, so these
 * orders use how a conversation ended, who has spoken, and how long it took.
 */

import type { Conversation } from '../../../../clients/typescript/src/index.ts';
import type { AnyPage } from '../../request/use-pages.ts';

export const rankings = ['trouble', 'messages', 'duration'] as const;
export type Ranking = (typeof rankings)[number];

export const isRanking = (order: string | undefined): order is Ranking =>
  rankings.some((one) => one === order);

type RankingFields = Pick<
  Conversation,
  'endReason' | 'messageCount' | 'messageCountByRole' | 'durationSeconds'
>;

/** The reasons of the API that say that something went wrong, the worst first. Other reasons are words of the caller. */
const badEnds: readonly string[] = ['error', 'abandoned', 'timeout'];

/** @returns whether the user has spoken, and the avatar has not */
export const isUnanswered = ({ messageCountByRole: { user, avatar } }: RankingFields): boolean =>
  user > 0 && avatar === 0;

export const endsBadly = ({ endReason }: Pick<RankingFields, 'endReason'>): boolean =>
  endReason !== null && badEnds.includes(endReason);

/** The numbers by which conversations are compared, the most important number first. */
const weights: Readonly<Record<Ranking, (value: RankingFields) => readonly number[]>> = {
  trouble: (value) => [
    Number(isUnanswered(value)) + Number(endsBadly(value)),
    // A worse end is first.
    endsBadly(value) ? -badEnds.indexOf(value.endReason ?? '') : -badEnds.length,
    value.messageCount,
    value.durationSeconds,
  ],
  messages: (value) => [value.messageCount, value.durationSeconds],
  duration: (value) => [value.durationSeconds, value.messageCount],
};

/** @returns the conversations in order. Conversations with the same weight keep their order */
export function ranked<Value extends RankingFields>(values: readonly Value[], ranking: Ranking): Value[] {
  const entries = values.map((value) => ({ value, weight: weights[ranking](value) }));
  return entries.sort((a, b) => compare(b.weight, a.weight)).map(({ value }) => value);
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((number, index) => number !== b[index]);
  return (a[at] ?? 0) - (b[at] ?? 0);
}

/** So many conversations of a list are put in order at once. */
export const rankedCount = 500;

/** Selective filters have pages without items. After so many requests, the user decides whether to go on. */
const maxRequests = 20;

/** @returns up to `rankedCount` conversations in order. The page behind it has the next conversations, in an order of their own */
export async function rankedPage(
  firstPage: AnyPage<Conversation>,
  ranking: Ranking,
  signal: AbortSignal,
): Promise<AnyPage<Conversation>> {
  const items = [...firstPage.items];
  let lastPage = firstPage;
  for (let requests = 1; items.length < rankedCount && requests < maxRequests; requests += 1) {
    const nextPage = signal.aborted ? undefined : await lastPage.nextPage();
    if (!nextPage) break;
    items.push(...nextPage.items);
    lastPage = nextPage;
  }
  return {
    items: ranked(items, ranking),
    hasNextPage: () => lastPage.hasNextPage(),
    async nextPage() {
      const nextPage = await lastPage.nextPage();
      return nextPage && rankedPage(nextPage, ranking, signal);
    },
  };
}
