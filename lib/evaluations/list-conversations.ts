/** The conversations that match the filters in the body of a request: for runs and exports. */

import { listConversations } from '../conversations/store/list.ts';
import type { StoredProject } from '../projects/store.ts';
import type { EvaluationFilter } from './schema/run-request.ts';
import { readScoreFilters } from './score-filters.ts';
import type { ProjectStore } from './store/evaluators.ts';

type Options = {
  /** Conversations that started later are left out, so that the list ends. */
  requestedMs: number;
  order: 'newest' | 'oldest';
  nowMs: () => number;
  /** The environments of the job; null for all. */
  environments: readonly string[] | null;
};

/** @returns a function that reads a page of the conversations that match, for runs and exports */
export async function openList(
  store: ProjectStore,
  project: StoredProject,
  { startedFrom, startedBefore = Number.POSITIVE_INFINITY, scores, ...values }: EvaluationFilter,
  { requestedMs, order, nowMs, environments }: Options,
) {
  const list = {
    avatarId: values.avatarId,
    externalUserId: values.externalUserId,
    deploymentId: values.deploymentId,
    channel: values.channel,
    tag: values.tag,
    test: values.test,
    status: values.status,
    scores: await readScoreFilters(store, scores, 'filter.scores'),
    startedFromMs: startedFrom,
    startedBeforeMs: Math.min(startedBefore, requestedMs + 1),
    order,
    environments,
  };
  return (after: string | undefined, limit: number) =>
    listConversations(store, project, { ...list, after, limit }, nowMs());
}
