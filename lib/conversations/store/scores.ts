/**
 * Scores of conversations. A fact says what an evaluator has found at one state of the transcript, and is in the partition of
 * its conversation. The summary has the effective score of each name. The list index has an entry for each effective score.
 * One transaction writes the facts with the summary and the entries.
 */

import { usdOf } from '../../base/money.ts';
import { projectCollection, type Stored, type Unstored, unchanged } from '../../dynamodb/collection.ts';
import { load } from '../../dynamodb/load.ts';
import type { Page } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import type { IndexedScore } from '../../scores/comparison.ts';
import { factId, isBefore, type ScoreSource } from '../../scores/score.ts';
import type { ConversationScore, Score } from '../schema/score.ts';
import { conversations, type ProjectStore, type StoredConversation } from './conversations.ts';
import { addScoreEntries, type IndexedValue, removeEntries, scoreValues } from './list-index.ts';

export type StoredScore = Stored<{
  /** Sorts by name, source, version and number of messages, so that the last fact of a name is its effective score. */
  id: string;
  evaluatorId: string;
  name: string;
  /** The version of the evaluator. */
  version: number;
  source: ScoreSource;
  /** The value as JSON. Null if it is unknown. */
  value: string | null;
  /** Why the value is unknown. */
  reason: string | null;
  rationale: string | null;
  /** The `seq` of messages. */
  evidence: readonly number[];
  /** The number of messages that the fact is about: the first ones, which never change. */
  messageCount: number;
  inputTokens: number | null;
  outputTokens: number | null;
  costMicroUsd: number | null;
  createdAt: string;
  createdBy: string;
  jobId: string | null;
  ttl?: number;
}>;

/** `indexed` and `slot` follow from the value and the output of the evaluator. */
export type NewScore = Omit<Unstored<StoredScore>, 'id' | 'ttl'> & {
  indexed: IndexedScore;
  /** The number of the value in statistics. Null if it is unknown. */
  slot: number | null;
};

/** The effective score of a name. */
export type ScoreSummary = {
  evaluatorId: string;
  value: IndexedScore;
  hasValue: boolean;
  reason: string | null;
  slot: number | null;
  source: ScoreSource;
  version: number;
  messageCount: number;
  at: string;
};

/** The id is that of the conversation. */
export type StoredScoreSummary = Stored<{
  id: string;
  scores: Readonly<Record<string, ScoreSummary>>;
  ttl?: number;
}>;

export const scoredPlace = 'scored';

export const scores = projectCollection<StoredScore, [conversationId: string]>(
  'conversations',
  (conversationId) => ['scores', conversationId],
);
export const scored = projectCollection<StoredScoreSummary>('conversations', () => [scoredPlace]);

export const scoresInPath = load({
  from: [scored],
  read: (get, { conversation_id }: { conversation_id: string }) => get(scored, conversation_id),
});

/** A conversation, with the effective scores as the API shows them. */
export type Scored<C> = C & { scores: ConversationScore[] };

/** @returns the conversation with its scores, by name */
export const withScores = <C extends { messageCount: number }>(
  conversation: C,
  summary: Pick<StoredScoreSummary, 'scores'> | undefined,
): Scored<C> => ({
  ...conversation,
  scores: Object.entries(summary?.scores ?? {})
    .map(([name, { value, reason, source, version, messageCount }]) => ({
      name,
      value,
      reason,
      source,
      version,
      stale: messageCount < conversation.messageCount,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1)),
});

export const getSummary = (
  store: ProjectStore,
  conversationId: string,
): Promise<StoredScoreSummary | undefined> => scored.at(store).get(conversationId);

export async function getSummaries(
  store: ProjectStore,
  ids: readonly string[],
): Promise<Map<string, StoredScoreSummary>> {
  const items = await scored.at(store).getMany(ids);
  return new Map(items.map((summary) => [summary.id, summary]));
}

/** The form of the ids of facts. */
export const scoreIdPattern = /^[a-z0-9_-]{1,40}#\d#\d{10}#\d{10}$/;

/** The facts that one call of `writeScores` may get, so that its writes fit into a transaction with some others. */
export const maxScoresAtOnce = 15;

/** @returns all facts of a conversation, by name; of each name, the effective one first */
export const listScores = (
  store: ProjectStore,
  conversationId: string,
  page: { after: string | undefined; limit: number },
): Promise<Page<StoredScore>> => scores.at(store, conversationId).page(page);

export const getScore = (
  store: ProjectStore,
  conversationId: string,
  id: string,
): Promise<StoredScore | undefined> => scores.at(store, conversationId).get(id);

/** @returns the effective scores when these facts are written */
export function effectiveAfter(
  summary: Pick<StoredScoreSummary, 'scores'> | undefined,
  facts: readonly NewScore[],
): StoredScoreSummary['scores'] {
  const effective = new Map(Object.entries(summary?.scores ?? {}));
  for (const fact of facts) {
    const current = effective.get(fact.name);
    if (!current || !isBefore(fact, { ...current, name: fact.name }))
      effective.set(fact.name, summaryOf(fact));
  }
  return Object.fromEntries(effective);
}

export function showScore(
  { value, costMicroUsd, ...score }: Omit<StoredScore, 'tenant' | 'changedBy' | 'changedIn'>,
  { messageCount }: Pick<StoredConversation, 'messageCount'>,
  summary: Pick<StoredScoreSummary, 'scores'> | undefined,
): Score {
  const effective = new Map(Object.entries(summary?.scores ?? {})).get(score.name);
  return {
    ...score,
    value: value === null ? null : JSON.parse(value),
    evidence: [...score.evidence],
    stale: score.messageCount < messageCount,
    effective: effective !== undefined && factId({ ...effective, name: score.name }) === score.id,
    costUsd: costMicroUsd === null ? null : usdOf(costMicroUsd),
  };
}

/**
 * Fails if the conversation or its summary has changed since it was read.
 * @param summary undefined if it does not exist
 * @param facts at most `maxScoresAtOnce`, with different ids. A fact with the id of a stored fact replaces it
 */
export function writeScores(
  store: ProjectStore,
  conversation: Pick<
    StoredConversation,
    'id' | 'changedIn' | 'ttl' | 'avatarId' | 'externalUserId' | 'channel' | 'deploymentId'
  >,
  summary: StoredScoreSummary | undefined,
  facts: readonly NewScore[],
): Write<never>[] {
  if (facts.length === 0) return [];
  const { id: conversationId, ttl } = conversation;
  const expires = ttl === undefined ? {} : { ttl };
  const before = new Map(Object.entries(summary?.scores ?? {}));
  const after = new Map(Object.entries(effectiveAfter(summary, facts)));
  const names = [...after.keys()].filter((name) => after.get(name) !== before.get(name));
  const keep = new Set(names.flatMap((name) => scoreValues(name, after.get(name))).map(String));
  const outdated = names
    .flatMap((name) => scoreValues(name, before.get(name)))
    .filter((value) => !keep.has(String(value)));
  const newSummary = { id: conversationId, scores: Object.fromEntries(after), ...expires };
  const condition = summary ? unchanged(summary) : ({ kind: 'absent' } as const);
  return [
    conversations.at(store).check(conversationId, { condition: unchanged(conversation) }),
    ...facts.map(({ indexed: _, slot: __, ...fact }) =>
      scores
        .at(store, conversationId)
        .put({ id: factId(fact), ...fact, ...expires }, { condition: { kind: 'any' } }),
    ),
    scored.at(store).put(newSummary, { condition }),
    ...removeEntries(store, conversationId, outdated),
    ...names.flatMap((name) => addScoreEntries(store, conversation, name, after.get(name))),
  ];
}

const summaryOf = (fact: NewScore): ScoreSummary => ({
  evaluatorId: fact.evaluatorId,
  value: fact.indexed,
  hasValue: fact.value !== null,
  reason: fact.reason,
  slot: fact.slot,
  source: fact.source,
  version: fact.version,
  messageCount: fact.messageCount,
  at: fact.createdAt,
});

/** @returns the places of the scores of a summary in the list index */
export const valuesOfScores = (
  summary: Pick<StoredScoreSummary, 'scores'> | undefined,
): readonly IndexedValue[] =>
  Object.entries(summary?.scores ?? {}).flatMap(([name, score]) => scoreValues(name, score));
