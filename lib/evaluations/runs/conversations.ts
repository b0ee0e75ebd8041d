/** The conversations of a run, oldest first: some at a time, with a position behind those that are done. */

import { inBatches } from '../../base/batches.ts';
import { secondMs } from '../../base/time.ts';
import type { ListedConversation } from '../../conversations/store/list.ts';
import type { StopReason } from '../../jobs/evaluation.ts';
import { requireCredential } from '../../jobs/run.ts';
import type { StoredProject } from '../../projects/store.ts';
import { judgeCall } from '../judge/request.ts';
import { openList } from '../list-conversations.ts';
import { getStoredFacts } from '../store/reservations.ts';
import { type Answers, askAll } from './ask.ts';
import { type Evaluation, evaluateConversation } from './evaluate.ts';
import { isFor } from './scorers.ts';
import { accountOf, addCounts, countsOf, type Step, save } from './state.ts';
import { keyOf, placeOf, storeOutcomes } from './targets.ts';

const conversationsAtOnce = 20;
const readAtOnce = 5;
/** Conversations that take longer are read one at a time, so that little is read in vain when the time is over. */
const slowMs = secondMs;
/** The texts that are read before scores are stored. */
const maxReadBytes = 8 * 1024 * 1024;

/** How a turn ends. After `later`, the next turn continues, also after a pause. */
export type End = { stopped?: StopReason } | { pauseMs: number } | 'later';

/** @returns how a turn ends that leaves questions open */
export const endOf = ({ stopped, pauseMs }: Omit<Answers, 'open'>): End =>
  stopped ? { stopped } : pauseMs === undefined ? 'later' : { pauseMs };

export async function evaluateAll(step: Step, project: StoredProject): Promise<End> {
  const { store, job, input, request } = step;
  const requestedMs = Date.parse(job.createdAt);
  const list = await openList(
    store,
    project,
    { test: false, ...request.filter },
    {
      requestedMs,
      order: 'oldest',
      nowMs: input.nowMs,
      environments: job.environments ?? null,
    },
  );
  // All evaluators were archived or paused.
  if (step.scorers.length === 0) return {};
  for (;;) {
    const { items, next } = await list(step.state.position || undefined, conversationsAtOnce);
    const prepared = await prepare(step, items);
    const isAll = prepared.length === items.length;
    const end = step.state.kind === 'dry_run' ? await count(step, prepared) : await evaluate(step, prepared);
    if (end) return end;
    const last = prepared.at(-1)?.conversation.id;
    const position = (isAll ? next : undefined) ?? last;
    if (position !== undefined) await moveBehind(step, prepared, position);
    if (isAll && next === null) return {};
    if (step.isOver()) return 'later';
    await requireCredential(step);
  }
}

type Candidate = Evaluation & {
  conversation: ListedConversation;
  /** The number of scores that it lacks. */
  missing: number;
  unchanged: number;
};

/**
 * @returns the first of these conversations, with the scores of their rules, and the questions about them: as many as the time
 *   allows, and at least one
 */
async function prepare(step: Step, conversations: readonly ListedConversation[]): Promise<Candidate[]> {
  const { store, job, input, state } = step;
  const pairs = conversations.flatMap(({ id: conversationId, messageCount, ...conversation }) =>
    step.scorers
      .filter((scorer) => isFor(scorer, conversation))
      .map((scorer) => ({ conversationId, messageCount, scorer })),
  );
  const facts = await getStoredFacts(store, pairs.map(placeOf));
  const factByKey = new Map(facts.map((fact) => [keyOf(fact), fact]));
  const failed = new Set(state.failed);
  const isDry = state.kind === 'dry_run';
  let bytes = 0;
  const prepared: Candidate[] = [];
  let atOnce = 1;
  while (prepared.length < conversations.length && bytes < maxReadBytes) {
    // The first conversation is always read to its end.
    const isLate = prepared.length > 0 ? step.isOver : () => false;
    if (isLate()) break;
    const begunMs = input.elapsedMs();
    const batch = await inBatches(
      conversations.slice(prepared.length, prepared.length + atOnce),
      atOnce,
      async (conversation): Promise<Candidate | undefined> => {
        const conversationPairs = pairs.filter(({ conversationId }) => conversationId === conversation.id);
        const factsOf = (one: (typeof conversationPairs)[number]) => factByKey.get(keyOf(placeOf(one)));
        const found = conversationPairs.flatMap((one) => factsOf(one) ?? []);
        const missing = conversationPairs
          .filter((one) => !factsOf(one) && !failed.has(keyOf(placeOf(one))))
          .map(({ scorer }) => scorer);
        // A dry run does not need the values.
        const scorers = isDry ? missing.filter(({ kind }) => kind === 'model') : missing;
        const evaluation = await evaluateConversation(store, conversation, scorers, { isLate });
        return (
          evaluation && {
            conversation,
            missing: missing.length,
            // The scores of this run are counted already.
            unchanged: found.filter(({ jobId }) => jobId !== job.id).length,
            ...evaluation,
          }
        );
      },
    );
    for (const entry of batch) {
      if (!entry) return prepared;
      bytes += entry.bytes;
      prepared.push(entry);
    }
    atOnce = input.elapsedMs() - begunMs < slowMs ? readAtOnce : 1;
  }
  return prepared;
}

/** @returns the end of the step or of the run; undefined if all of the conversations are done */
async function evaluate(step: Step, prepared: readonly Candidate[]): Promise<End | undefined> {
  const { store, input } = step;
  const outcomes = prepared.flatMap((one) => one.outcomes);
  await storeOutcomes(step.target, outcomes, ({ writes, stored }) =>
    save(step, addCounts(step.state, countsOf(stored)), writes),
  );
  const questions = prepared.flatMap((one) => one.questions);
  if (questions.length === 0) return undefined;
  const { isOver } = step;
  const { open, ...answers } = await askAll(store, accountOf(step), questions, input, { isOver });
  if (open.length === 0) return undefined;
  const isOpen = new Set(open.map(({ conversationId }) => conversationId));
  const firstOpen = prepared.findIndex(({ conversation }) => isOpen.has(conversation.id));
  const done = prepared.slice(0, firstOpen);
  const last = done.at(-1);
  if (last) await moveBehind(step, done, last.conversation.id);
  return endOf(answers);
}

/** A dry run: what the run would do, with the likely cost. */
async function count(step: Step, prepared: readonly Candidate[]): Promise<undefined> {
  let spentMicroUsd = 0;
  const counts = { evaluated: 0, unknown: 0, calls: 0, inputTokens: 0, outputTokens: 0 };
  for (const { missing, outcomes, questions } of prepared) {
    counts.evaluated += missing;
    counts.unknown += outcomes.filter(({ reason }) => reason !== null).length;
    for (const { scorer, transcript } of questions) {
      const call = judgeCall(scorer.question, scorer.model, transcript);
      if (!call) counts.unknown += 1;
      else {
        counts.calls += 1;
        counts.inputTokens += call.likely.inputTokens;
        counts.outputTokens += call.likely.outputTokens;
        spentMicroUsd += call.likely.costMicroUsd;
      }
    }
  }
  step.state = addCounts({ ...step.state, spentMicroUsd: step.state.spentMicroUsd + spentMicroUsd }, counts);
}

/** Counts conversations, and sets the position behind them. Failures before it need not be known any more. */
async function moveBehind(step: Step, done: readonly Candidate[], position: string): Promise<void> {
  const ids = new Set(done.map(({ conversation }) => conversation.id));
  const failed = step.state.failed.filter((key) => !ids.has(key.slice(0, key.indexOf('/'))));
  const isLeft = ([key]: [string, number]) => !ids.has(key.slice(0, key.indexOf('/')));
  const tries = Object.fromEntries(Object.entries(step.state.tries ?? {}).filter(isLeft));
  const unchanged = done.reduce((sum, one) => sum + one.unchanged, 0);
  const state = addCounts({ ...step.state, failed, tries }, { conversations: done.length, unchanged });
  await save(step, { ...state, position });
}
