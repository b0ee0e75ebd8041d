/**
 * What calls of models may cost. The highest cost of a call is reserved before it is sent, in one transaction with the lease of its
 * fact. The transaction that stores the score settles the difference. A run that is killed in between leaves its reservations counted.
 */

import { again, retry } from '../../base/retry.ts';
import type { ProjectStore } from '../../conversations/store/conversations.ts';
import type { StopReason } from '../../jobs/evaluation.ts';
import {
  getModelCost,
  modelCostDay,
  quotaMicroUsd,
  reserveModelCost,
  settleModelCost,
} from '../../limits/store/model-cost.ts';
import type { Outside, WorkerInput, Write } from '../../workers/worker.ts';
import type { JudgeCall, JudgeUse } from '../judge/request.ts';
import type { Question } from './evaluate.ts';
import type { Outcome } from './outcome.ts';
import type { Target } from './targets.ts';

/** A question with its request. */
export type Call = Question & { judge: JudgeCall; attempts: number };

export type Reserved = {
  sent: Call[];
  /** Somebody else asks the same. */
  reservedElsewhere: Call[];
  /** These calls do not fit now, because others come first. */
  left: Call[];
  /** Why not even the first call fits. */
  stopped?: StopReason;
  /** The day to which the cost belongs. */
  day: string;
};

export type Ended = {
  call: Call;
  /** The amount that is known to be spent. */
  spentMicroUsd: number;
  /** `again`: another attempt follows. */
  result: Outcome | 'failed' | 'again';
};

/** What a transaction changes in the account of a run. */
export type Change = {
  spentMicroUsd: number;
  calls: number;
  stored: readonly Outcome[];
  failed: readonly Call[];
  /** Calls that were not answered, and are sent again. */
  again: readonly Call[];
};

export type Account = {
  target: Target;
  /** What sends calls. Each reservation asks for it: calls that are under way are settled. */
  outside(): Promise<Pick<Outside, 'models'>>;
  /** What is left of the highest cost of the run. */
  leftMicroUsd(): number;
  /** @returns how often an earlier turn has asked this without an answer */
  attemptsOf(question: Pick<Question, 'conversationId' | 'messageCount' | 'scorer'>): number;
  /**
   * Commits a change of the account with these writes, once.
   * @returns false if the condition of a write does not hold
   */
  save(change: Change, writes: readonly Write[]): Promise<boolean>;
};

const maxAttempts = 20;

type Input = Pick<WorkerInput, 'nowMs' | 'quotas'>;

/** Reserves as many of the calls as the run and its tenant may pay for, from the first. */
export async function reserveCalls(
  store: ProjectStore,
  account: Account,
  calls: readonly Call[],
  input: Input,
): Promise<Reserved> {
  const attempt = async () => {
    const nowMs = input.nowMs();
    const day = modelCostDay(nowMs);
    const { open, reservedElsewhere } = await account.target.check(
      calls,
      ({ judge }) => judge.most.costMicroUsd,
    );
    if (open.length === 0) return { sent: [], reservedElsewhere, left: [], day };
    const quota = quotaMicroUsd(input.quotas);
    const leftOfDay = quota - (await getModelCost(store, nowMs));
    const leftOfRun = account.leftMicroUsd();
    const fit = fittingOf(open, Math.min(leftOfDay, leftOfRun));
    const [sum, fits] = fit;
    if (fits.length === 0) {
      const stopped: StopReason = leftOfRun < sum ? 'max_cost_usd' : 'model_cost_quota';
      return { sent: [], reservedElsewhere, left: [], stopped, day };
    }
    const costWrites = await reserveModelCost(store, quota, sum, nowMs);
    if (!costWrites) return again;
    const change = { spentMicroUsd: sum, calls: fits.length, stored: [], failed: [], again: [] };
    const writes = [...fits.flatMap((one) => one.writes), ...costWrites];
    if (!(await account.save(change, writes))) return again;
    const left = open.slice(fits.length).map(({ call }) => call);
    return { sent: fits.map(({ call }) => call), reservedElsewhere, left, day };
  };
  return retry<Reserved>(attempt, {
    maxAttempts,
    failure: () => new Error('lost too many races for the reservations'),
  });
}

/** @returns the sum of the costs of the first calls that fit, and these calls; if none fits, the cost of the first call */
function fittingOf<One extends { call: Call }>(open: readonly One[], leftMicroUsd: number): [number, One[]] {
  let sum = 0;
  const fits: One[] = [];
  for (const one of open) {
    const { costMicroUsd } = one.call.judge.most;
    if (sum + costMicroUsd > leftMicroUsd) break;
    sum += costMicroUsd;
    fits.push(one);
  }
  return [fits.length === 0 ? (open[0]?.call.judge.most.costMicroUsd ?? 0) : sum, fits];
}

/**
 * Stores the outcomes of calls, and what they have really cost. The transaction removes the reservations, unchanged: so it takes
 * effect at most once, even if its first answer was lost. A call without its reservation is settled, or stays counted.
 */
export async function settleCalls(
  store: ProjectStore,
  account: Account,
  ended: readonly Ended[],
  unsent: readonly Outcome[],
  day: string,
): Promise<void> {
  const outcomes = ended.flatMap(({ result }) => (typeof result === 'string' ? [] : [result]));
  const failed = ended.flatMap(({ call, result }) => (result === 'failed' ? [call] : []));
  const repeated = ended.flatMap(({ call, result }) => (result === 'again' ? [call] : []));
  const calls = ended.map(({ call }) => call);
  const isPaid = (call: Call) => ended.some((one) => one.call === call && one.spentMicroUsd > 0);
  const attempt = async () => {
    const { writes, stored, released } = await account.target.keep([...outcomes, ...unsent], calls, isPaid);
    const settledCalls = ended.filter(({ call }) => released.includes(call));
    const spentMicroUsd = settledCalls.reduce(
      (sum, { call, spentMicroUsd }) => sum + spentMicroUsd - call.judge.most.costMicroUsd,
      0,
    );
    const costWrites = spentMicroUsd === 0 ? [] : settleModelCost(store, spentMicroUsd, day);
    const change = { spentMicroUsd, calls: 0, stored, failed, again: repeated };
    return (await account.save(change, [...writes, ...costWrites])) ? undefined : again;
  };
  await retry(attempt, { failure: () => new Error('the conversations are being changed') });
}

/** @returns what a call has used: at most what was reserved for it, which is more than any model can use */
export const credible = (use: JudgeUse, most: JudgeUse): JudgeUse =>
  use.inputTokens > most.inputTokens || use.outputTokens > most.outputTokens ? most : use;
