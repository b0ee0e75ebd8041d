/** Previews: the newest conversations, whose scores are shown for a while and not stored. */

import { inBatches } from '../../base/batches.ts';
import { getManyUnerased } from '../../conversations/store/conversations.ts';
import { conversationAt } from '../../conversations/store/state.ts';
import type { StoredProject } from '../../projects/store.ts';
import { openList } from '../list-conversations.ts';
import { maxPreviewed } from '../schema/run-request.ts';
import { getPreviews } from '../store/runs.ts';
import { askAll } from './ask.ts';
import { type End, endOf } from './conversations.ts';
import { evaluateConversation } from './evaluate.ts';
import { isFor } from './scorers.ts';
import { accountOf, addCounts, countsOf, previewKey, type Step, save } from './state.ts';
import { storeOutcomes } from './targets.ts';

export async function evaluatePreview(step: Step, project: StoredProject): Promise<End> {
  const { store, job, input, scorers, target, isOver } = step;
  const previewed = await choose(step, project);
  if (!previewed) return 'later';
  const previewedBy = step.state.previewedBy ?? 0;
  const storedPreviews = await getPreviews(store, { id: job.id, previewed, previewedBy }, input.nowMs());
  const done = new Set([
    ...step.state.failed,
    ...storedPreviews.flatMap(({ conversationId, scores }) =>
      scores.map(({ index }) => previewKey({ conversationId, scorer: { index } })),
    ),
  ]);
  const conversations = await getManyUnerased(store, previewed);
  const evaluations = await inBatches(conversations, previewed.length, (stored) => {
    const conversation = conversationAt(stored, input.nowMs());
    const missing = scorers.filter(
      (scorer) => isFor(scorer, conversation) && !done.has(previewKey({ conversationId: stored.id, scorer })),
    );
    return evaluateConversation(store, conversation, missing, { isOver });
  });
  const outcomes = evaluations.flatMap((one) => one.outcomes);
  await storeOutcomes(target, outcomes, ({ writes, stored }) =>
    save(step, addCounts(step.state, countsOf(stored)), writes),
  );
  if (evaluations.some(({ isPartial }) => isPartial)) return 'later';
  const questions = evaluations.flatMap((one) => one.questions);
  const { open, ...answers } = await askAll(store, accountOf(step), questions, input, { isOver });
  if (answers.stopped || open.length > 0) return endOf(answers);
  await save(step, {
    ...step.state,
    counts: { ...step.state.counts, conversations: previewed.length },
  });
  return {};
}

/**
 * @returns the ids of the conversations, which the job has from now on; undefined if the turn is over before. Then the job has those
 *   that were found, and the position behind them
 */
async function choose(step: Step, project: StoredProject): Promise<readonly string[] | undefined> {
  const { store, job, input, request, isOver } = step;
  const { previewed: found = [], position } = step.state;
  if (step.state.previewed && position === '') return found;
  const list = await openList(
    store,
    project,
    { test: false, ...request.filter },
    {
      requestedMs: Date.parse(job.createdAt),
      order: 'newest',
      nowMs: input.nowMs,
      environments: job.environments ?? null,
    },
  );
  const previewed = [...found];
  const previewedBy = request.draft ? 1 : request.evaluators.length;
  for (let after = position; ; ) {
    const { items, next } = await list(after || undefined, maxPreviewed - previewed.length);
    previewed.push(...items.map(({ id }) => id));
    const isAll = next === null || previewed.length >= maxPreviewed;
    if (isAll || isOver())
      await save(step, { ...step.state, previewed, previewedBy, position: isAll ? '' : next });
    if (isAll) return previewed;
    if (isOver()) return undefined;
    after = next;
  }
}
