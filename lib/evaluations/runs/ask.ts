/**
 * Asks models, some calls at a time. Calls that fail for the moment are repeated after pauses, each with a reservation of its own. A
 * longer pause holds no place of a worker: the questions stay open.
 */

import { secondMs } from '../../base/time.ts';
import type { ProjectStore } from '../../conversations/store/conversations.ts';
import type { StopReason } from '../../jobs/evaluation.ts';
import type { ModelReply } from '../../models/models.ts';
import { minRemainingMs, type Outside, type WorkerInput } from '../../workers/worker.ts';
import { readAnswer } from '../judge/answer.ts';
import { judgeCall } from '../judge/request.ts';
import type { Question } from './evaluate.ts';
import { type Outcome, unasked } from './outcome.ts';
import { type Account, type Call, credible, type Ended, reserveCalls, settleCalls } from './reserve.ts';
import { maxPaidAttempts } from './targets.ts';

export const callsAtOnce = 8;
/** The client of the model gives up before this time. */
const maxCallMs = 75 * secondMs;
const maxAttempts = 4;
const firstPauseMs = secondMs;
const leasePauseMs = 5 * secondMs;
/** Other questions are asked until so many calls wait for a longer pause. */
const maxPaused = 50;

/** A model cannot be used at all. The message is public. */
export class ModelUnavailable extends Error {}

export type Answers = {
  /** Why no further call may be sent. */
  stopped?: StopReason;
  /** The questions that are not answered: the time was over, the money is spent, a call has failed, or somebody else asks the same. */
  open: Question[];
  /** After how long they may be asked, if they wait for a model or for somebody else. */
  pauseMs?: number;
};

/**
 * @param isOver whether the time is over: then it only ends what it has begun
 * @throws ModelUnavailable after the other answers are stored, and what `account` throws
 */
export async function askAll(
  store: ProjectStore,
  account: Account,
  questions: readonly Question[],
  input: WorkerInput,
  { isOver }: { isOver: () => boolean },
): Promise<Answers> {
  let questionsLeft = [...questions];
  let repeats: Call[] = [];
  const paused: Call[] = [];
  const reservedElsewhere: Call[] = [];
  const mustStop = () => input.remainingMs() < 2 * minRemainingMs;
  // Each turn asks something.
  let hasAsked = false;
  for (;;) {
    const isLast = mustStop() || (hasAsked && isOver()) || paused.length >= maxPaused;
    if (isLast || questionsLeft.length + repeats.length === 0) {
      const waiting = [...paused, ...repeats];
      const pauseMs = Math.max(pauseOf(waiting, input), reservedElsewhere.length > 0 ? leasePauseMs : 0);
      return { open: [...reservedElsewhere, ...waiting, ...questionsLeft], ...(pauseMs > 0 && { pauseMs }) };
    }
    const batch = repeats.slice(0, callsAtOnce);
    const room = callsAtOnce - batch.length;
    const { calls, outcomes } = callsFor(questionsLeft.slice(0, room), account);
    questionsLeft = questionsLeft.slice(room);
    repeats = repeats.slice(callsAtOnce);
    const batchPauseMs = pauseOf(batch, input);
    if (batchPauseMs > 0) await input.sleep(batchPauseMs);
    hasAsked = true;
    const { models } = await account.outside();
    const reservation = await reserveCalls(store, account, [...batch, ...calls], input);
    reservedElsewhere.push(...reservation.reservedElsewhere);
    const replies = await Promise.all(
      reservation.sent.map(async (call) => ({ call, reply: await send(call, models) })),
    );
    const endedCalls = replies.map(({ call, reply }) => endOf(call, reply));
    if (endedCalls.length + outcomes.length > 0)
      await settleCalls(store, account, endedCalls, outcomes, reservation.day);
    refuseUnavailable(store, replies, input);
    const failedCalls = endedCalls.filter(({ result }) => result === 'again').map(({ call }) => call);
    const next = failedCalls.map((call) => ({ ...call, attempts: call.attempts + 1 }));
    paused.push(...next.filter(({ attempts }) => attempts > 1));
    repeats = [...reservation.left, ...next.filter(({ attempts }) => attempts === 1), ...repeats];
    if (reservation.stopped) {
      const { stopped } = reservation;
      return {
        stopped,
        open: [...reservedElsewhere, ...batch, ...calls, ...paused, ...repeats, ...questionsLeft],
      };
    }
  }
}

/**
 * Logs what models say about a refused request: it may name the account, so nobody else sees it.
 * @throws ModelUnavailable
 */
function refuseUnavailable(
  store: ProjectStore,
  replies: readonly { call: Call; reply: ModelReply }[],
  { log }: Pick<WorkerInput, 'log'>,
): void {
  for (const kind of ['invalid', 'unavailable'] as const) {
    const first = replies.find(({ reply }) => reply.kind === kind);
    if (first?.reply.kind !== kind) continue;
    const { call, reply } = first;
    const { id } = call.scorer.model;
    log({
      level: 'warn',
      message: kind === 'invalid' ? 'model refuses a request' : 'model is not available',
      worker: 'evaluations',
      tenant: store.key('').tenant,
      item: call.conversationId,
      fault: new Error(`${id}: ${reply.message}`),
    });
    if (kind === 'unavailable') throw new ModelUnavailable(`The model ${id} is not available.`);
  }
}

/** @returns the calls for these questions, and the outcomes of those whose transcript is too long for their model */
function callsFor(questions: readonly Question[], account: Account): { calls: Call[]; outcomes: Outcome[] } {
  const calls: Call[] = [];
  const outcomes: Outcome[] = [];
  for (const question of questions) {
    const { scorer, transcript, conversationId: id, messageCount } = question;
    const judge = judgeCall(scorer.question, scorer.model, transcript);
    if (judge) calls.push({ ...question, judge, attempts: account.attemptsOf(question) });
    else outcomes.push(unasked(scorer, { id, messageCount }, 'transcript_too_long'));
  }
  return { calls, outcomes };
}

/** @returns the pause before calls are repeated: the more often, the longer. The first takes up to two seconds */
function pauseOf(calls: readonly Call[], { randomFraction }: Pick<WorkerInput, 'randomFraction'>): number {
  const attempts = Math.max(0, ...calls.map((call) => call.attempts));
  return attempts > 0 ? firstPauseMs * 3 ** (attempts - 1) * (1 + randomFraction()) : 0;
}

async function send({ judge }: Call, models: Outside['models']): Promise<ModelReply> {
  try {
    return await models.converse(judge.request, AbortSignal.timeout(maxCallMs));
  } catch (error) {
    return { kind: 'retry', reason: 'network', mayCost: true, message: (error as Error).message };
  }
}

function endOf(call: Call, reply: ModelReply): Ended {
  const { judge, scorer, conversationId, messageCount } = call;
  const { most } = judge;
  switch (reply.kind) {
    case 'answer': {
      const { inputTokens, outputTokens, costMicroUsd, ...judgement } = readAnswer(judge, reply);
      const use = credible({ inputTokens, outputTokens, costMicroUsd }, most);
      const result = { scorer, conversationId, messageCount, ...judgement, use };
      return { call, spentMicroUsd: use.costMicroUsd, result };
    }
    case 'too_long': {
      const result = unasked(scorer, { id: conversationId, messageCount }, 'transcript_too_long');
      return { call, spentMicroUsd: 0, result };
    }
    case 'invalid': {
      const result = unasked(scorer, { id: conversationId, messageCount }, 'invalid_request');
      return { call, spentMicroUsd: 0, result };
    }
    case 'unavailable':
      return { call, spentMicroUsd: 0, result: 'failed' };
    case 'retry': {
      const attemptLimit = reply.mayCost ? maxPaidAttempts : maxAttempts;
      const result = call.attempts + 1 < attemptLimit ? 'again' : 'failed';
      return { call, spentMicroUsd: reply.mayCost ? most.costMicroUsd : 0, result };
    }
  }
}
