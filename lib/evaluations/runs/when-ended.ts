/**
 * Evaluates conversations that have ended, without a job. A notice may come again at any time: a score that is stored is not given
 * again. A model that does not answer is asked again some times later; after that, a run gives the score.
 */

import { hourMs, minuteMs, secondMs } from '../../base/time.ts';
import {
  conversations,
  getManyUnerased,
  type StoredConversation,
} from '../../conversations/store/conversations.ts';
import { conversationAt } from '../../conversations/store/state.ts';
import { getProject } from '../../projects/store.ts';
import type { Change } from '../../workers/change.ts';
import type { Notice } from '../../workers/notice.ts';
import { TurnOver } from '../../workers/turn.ts';
import { minRemainingMs, type WorkerInput, type Write } from '../../workers/worker.ts';
import { commitPatiently } from '../../workers/writes.ts';
import {
  getAllEvaluators,
  getEvaluators,
  type ProjectStore,
  runsByItself,
  type StoredEvaluator,
} from '../store/evaluators.ts';
import { getStoredFacts } from '../store/reservations.ts';
import { askAll, callsAtOnce, ModelUnavailable } from './ask.ts';
import { evaluateConversation } from './evaluate.ts';
import type { Account } from './reserve.ts';
import { isFor, type Scorer, scorerOf, UnlistedModel } from './scorers.ts';
import { conversationTarget, keyOf, placeOf, storeOutcomes, type Target } from './targets.ts';

export const evaluatorId = 'conversation-evaluator';

const againAfterSeconds = minuteMs / secondMs;

/** @returns the evaluators that score conversations of the project by themselves */
export async function openEvaluators(store: ProjectStore): Promise<StoredEvaluator[]> {
  return (await getAllEvaluators(store)).filter(runsByItself);
}

/** @throws Suspended, TurnOver, or an Error after which the notice comes again */
export async function evaluateEnded(
  store: ProjectStore,
  notice: Notice,
  evaluators: readonly StoredEvaluator[],
  input: WorkerInput,
): Promise<void> {
  const { id } = notice;
  const [stored] = await getManyUnerased(store, [id]);
  const conversation = stored && conversationAt(stored, input.nowMs());
  if (conversation?.status !== 'ended' || isExcluded(conversation)) return;
  const project = await getProject(store, store.projectId);
  if (project?.status !== 'active') return;
  const leaveOut = (why: string) => logLeftOut(input, notice, why);
  const scorers = (
    await Promise.all(evaluators.map((evaluator) => scorerFor(evaluator, input, leaveOut)))
  ).flat();
  const missing = await missingOf(store, conversation, scorers);
  const { turn } = input;
  const evaluation = await evaluateConversation(store, conversation, missing, turn);
  const { outcomes, questions, isPartial } = evaluation;
  const holder = input.newId('call');
  let isExhausted = false;
  const target = conversationTarget(store, { holder, jobId: null, nowMs: input.nowMs }, () => {
    isExhausted = true;
  });
  const save = async (writes: readonly Write[]): Promise<boolean> =>
    (await commitPatiently(input, writes)) === undefined;
  await storeOutcomes(target, outcomes, ({ writes }) => save(writes));
  if (isPartial || (outcomes.length > 0 && questions.length > 0 && turn.isOver())) throw new TurnOver();
  let hasAnswers = false;
  let failed = 0;
  let changed = 0;
  const account: Account = {
    target: whileCurrent(store, target, () => {
      changed += 1;
    }),
    outside: input.outside,
    leftMicroUsd: () => Number.POSITIVE_INFINITY,
    // The reservations have those that were paid.
    attemptsOf: () => 0,
    async save(change, writes) {
      const isSaved = writes.length === 0 || (await save(writes));
      if (isSaved) {
        failed += change.failed.length;
        hasAnswers ||= change.stored.length > 0;
      }
      return isSaved;
    },
  };
  // A model that does not answer must not keep the others from being asked, so a turn with failures goes on, and the next turn
  // begins with others.
  const first = ((notice.pauses ?? 0) * callsAtOnce) % Math.max(1, questions.length);
  const inTurn = [...questions.slice(first), ...questions.slice(0, first)];
  let isEnded = false;
  const isTurnOver = () => {
    isEnded ||= hasAnswers && failed + changed === 0 && turn.isOver();
    return isEnded;
  };
  const isOver = () => input.remainingMs() < 3 * minRemainingMs || isTurnOver();
  try {
    const { stopped, open, pauseMs } = await askAll(store, account, inTurn, input, { isOver });
    if (stopped) return leaveOut('the quota modelCostUsd of the day is used up');
    if (open.length > 0 && pauseMs === undefined && isTurnOver()) throw new TurnOver();
    // After an answer, the pauses in a row begin again.
    const again = hasAnswers ? { ...notice, pauses: 0 } : notice;
    const isLeftOut =
      failed + changed + open.length > 0 ? !input.later(again, againAfterSeconds) : isExhausted;
    if (isLeftOut) leaveOut('the models have not answered');
  } catch (error) {
    if (!(error instanceof ModelUnavailable)) throw error;
    leaveOut(error.message);
  }
}

/**
 * Asks only for evaluators that still score by themselves, in the version that was read: they are read again before each call.
 * @param onChange is called for each call of an evaluator that has another version by now
 */
const whileCurrent = (store: ProjectStore, target: Target, onChange: () => void): Target => ({
  ...target,
  async check(calls, mostOf) {
    const ids = new Set(calls.flatMap(({ scorer }) => scorer.evaluator?.id ?? []));
    const current = new Map((await getEvaluators(store, [...ids])).map((one) => [one.id, one]));
    const currentCalls = calls.filter(({ scorer }) => {
      const evaluator = scorer.evaluator && current.get(scorer.evaluator.id);
      if (!evaluator || !runsByItself(evaluator)) return false;
      if (evaluator.version !== scorer.evaluator?.version) onChange();
      return evaluator.version === scorer.evaluator?.version;
    });
    return target.check(currentCalls, mostOf);
  },
});

async function scorerFor(
  evaluator: StoredEvaluator,
  { models }: Pick<WorkerInput, 'models'>,
  leaveOut: (why: string) => void,
): Promise<Scorer[]> {
  const { id, name, version, output, appliesTo, setBy, rule, model } = evaluator;
  try {
    const origin = { evaluator: { id, name, version }, createdBy: setBy };
    return [await scorerOf({ index: 0, ...origin, output, appliesTo, rule, model }, models.listed)];
  } catch (error) {
    if (!(error instanceof UnlistedModel)) throw error;
    leaveOut(error.message);
    return [];
  }
}

async function missingOf(
  store: ProjectStore,
  conversation: StoredConversation,
  scorers: readonly Scorer[],
): Promise<Scorer[]> {
  const { id: conversationId, messageCount } = conversation;
  const applicable = scorers.filter((scorer) => isFor(scorer, conversation));
  const placesOf = (scorer: Scorer) => placeOf({ conversationId, messageCount, scorer });
  const storedKeys = new Set((await getStoredFacts(store, applicable.map(placesOf))).map(keyOf));
  return applicable.filter((scorer) => !storedKeys.has(keyOf(placesOf(scorer))));
}

function logLeftOut({ log }: Pick<WorkerInput, 'log'>, { tenant, id }: Notice, why: string): void {
  log({
    level: 'warn',
    message: 'conversation is not evaluated completely',
    worker: evaluatorId,
    tenant,
    item: id,
    fault: new Error(why),
  });
}

/** A conversation that is stored this long after its start comes from somewhere else. */
const importedAfterMs = hourMs;

/**
 * Whether a conversation has ended that was not imported, and is no test: an import must not cause thousands of calls that cost
 * something.
 */
export function hasEnded({ kind, partition, id, before, after }: Change): boolean {
  if (kind !== 'MODIFY' || partition.length !== 1 || !id.startsWith('conv_') || !before || !after)
    return false;
  const [old, now] = [conversations.read(before), conversations.read(after)];
  return old.status !== 'ended' && now.status === 'ended' && !isExcluded(now);
}

const isExcluded = ({
  test,
  imported,
  createdAt,
  startedAt,
}: Pick<StoredConversation, 'test' | 'imported' | 'createdAt' | 'startedAt'>): boolean =>
  test === true || imported === true || Date.parse(createdAt) - Date.parse(startedAt) > importedAfterMs;
