/**
 * What evaluation runs are asked for, and the results of previews. A request may name a user, so it is removed when its job ends.
 * The results of a preview are found by their conversations, so that an erasure removes them.
 */

import { dayMs, hourMs, secondMs, ttlSeconds } from '../../base/time.ts';
import { conversations, getManyUnerased } from '../../conversations/store/conversations.ts';
import { type Items, projectCollection, type Stored } from '../../dynamodb/collection.ts';
import type { Contents } from '../../dynamodb/contents.ts';
import type { Page, ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import type { PreviewedConversation, PreviewScore } from '../../jobs/evaluation.ts';
import type { JobItem } from '../../jobs/job.ts';
import { putJob, queueJob, type StoredLatestJob } from '../../jobs/store.ts';
import type { DraftedEvaluator, EvaluationFilter } from '../schema/run-request.ts';

export type StoredRunRequest = Stored<{
  id: string;
  filter: EvaluationFilter;
  /** The evaluators with their versions when the run was requested. */
  evaluators: readonly { id: string; version: number }[];
  draft?: DraftedEvaluator;
  /** Undefined if no model is used. */
  maxMicroUsd?: number;
  /** Missing once the job has waited for another run, or for the end of a suspension. */
  ttl?: number;
}>;

export type NewRunRequest = Pick<StoredRunRequest, 'filter' | 'evaluators' | 'draft' | 'maxMicroUsd'>;

const runRequests = projectCollection<StoredRunRequest>('jobs', () => ['evaluation-requests']);

/** The id is that of the conversation, of the job, and the number of the evaluator. */
export type StoredPreview = Stored<{ id: string; score: string; ttl: number }>;

export const previews = projectCollection<StoredPreview>('jobs', () => ['previews']);

const previewedMs = hourMs;

/** @param latest the latest job of the queue; null for a job that may run beside others */
export const queueRun = (
  store: ProjectStore,
  job: JobItem,
  request: NewRunRequest,
  latest: StoredLatestJob | undefined | null,
): Write<never>[] => [
  ...(latest === null ? [putJob(store, job)] : queueJob(store, 'evaluations', job, latest)),
  runRequests.at(store).put({ id: job.id, ...request, ttl: ttlSeconds(Date.parse(job.deadlineAt) + dayMs) }),
];

export const getRunRequest = (store: ProjectStore, jobId: string): Promise<StoredRunRequest | undefined> =>
  runRequests.at(store).get(jobId);

/** Keeps the request for as long as the job waits for another run, or for the end of a suspension. */
export const keepRunRequest = (store: ProjectStore, jobId: string): Write<never> =>
  runRequests.at(store).update(jobId, {}, { condition: { kind: 'present' }, drop: ['ttl'] });

export const removeRunRequest = (store: ProjectStore, jobId: string): Write<never> =>
  runRequests.at(store).remove(jobId, { condition: { kind: 'any' } });

export const pageRunRequestsOf = (
  store: ProjectStore,
  externalUserId: string,
  after: string | undefined,
): Promise<Page<StoredRunRequest>> =>
  runRequests.at(store).page({
    order: 'oldest',
    limit: 100,
    after,
    filter: ({ filter }) => filter.externalUserId === externalUserId,
  });

const previewId = (conversationId: string, jobId: string, index: number) =>
  `${conversationId}#${jobId}#${index}`;

/** Fails if the conversation is gone. */
export const putPreviews = (
  store: ProjectStore,
  jobId: string,
  conversationId: string,
  scores: readonly { index: number; score: PreviewScore }[],
  nowMs: number,
): Write<never>[] => [
  conversations.at(store).check(conversationId, { condition: { kind: 'present' } }),
  ...scores.map(({ index, score }) =>
    previews.at(store).put(
      {
        id: previewId(conversationId, jobId, index),
        score: JSON.stringify(score),
        ttl: ttlSeconds(nowMs + previewedMs),
      },
      { condition: { kind: 'any' } },
    ),
  ),
];

/** @returns the stored results of a preview, in the order of the conversations and evaluators. Expired ones are left out */
export async function getPreviews(
  store: ProjectStore,
  job: { id: string; previewed: readonly string[]; previewedBy: number },
  nowMs: number,
): Promise<{ conversationId: string; scores: { index: number; score: PreviewScore }[] }[]> {
  const indexes = Array.from({ length: job.previewedBy }, (_, index) => index);
  const ids = job.previewed.flatMap((one) => indexes.map((index) => previewId(one, job.id, index)));
  const items = ids.length === 0 ? [] : await previews.at(store).getMany(ids);
  const byId = new Map(items.filter(({ ttl }) => ttl * secondMs > nowMs).map((one) => [one.id, one]));
  return job.previewed.flatMap((conversationId) => {
    const scores = indexes.flatMap((index) => {
      const stored = byId.get(previewId(conversationId, job.id, index));
      return stored ? [{ index, score: JSON.parse(stored.score) as PreviewScore }] : [];
    });
    return scores.length > 0 ? [{ conversationId, scores }] : [];
  });
}

/** @returns what a preview shows; null when all of it has expired. Conversations that are gone are left out at once */
export async function showPreview(
  store: ProjectStore,
  job: { id: string; previewed: readonly string[]; previewedBy: number },
  nowMs: number,
): Promise<PreviewedConversation[] | null> {
  if (job.previewed.length === 0) return [];
  const results = await getPreviews(store, job, nowMs);
  // Conversations are read after the results, because their erasure comes before that of the results.
  const conversations = await getManyUnerased(
    store,
    results.map(({ conversationId }) => conversationId),
  );
  const ids = new Set(conversations.map(({ id }) => id));
  const previewed = results
    .filter(({ conversationId }) => ids.has(conversationId))
    .map(({ conversationId, scores }) => ({ conversationId, scores: scores.map(({ score }) => score) }));
  return previewed.length > 0 ? previewed : null;
}

export const previewsOf = (store: ProjectStore, conversationId: string): Items<StoredPreview> => {
  const items = previews.at(store);
  const range = { from: `${conversationId}#`, to: `${conversationId}#~` };
  return { ...items, page: (query) => items.page({ ...query, ...range }) };
};

/** @returns the runs' part of a project; see lib/dynamodb/contents.ts */
export const runContents = (store: ProjectStore): Contents[] => [runRequests.at(store), previews.at(store)];
