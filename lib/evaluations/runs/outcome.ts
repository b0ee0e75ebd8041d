/** What an evaluator says about a conversation: as a preview, and as the score that is stored. Pure. */

import { usdOf } from '../../base/money.ts';
import type { NewScore } from '../../conversations/store/scores.ts';
import type { PreviewScore } from '../../jobs/evaluation.ts';
import type { IndexedScore } from '../../scores/comparison.ts';
import type { Output } from '../../scores/output.ts';
import { slotOf } from '../../scores/value.ts';
import type { JudgeUse } from '../judge/request.ts';
import type { Evaluator } from '../schema/evaluator.ts';
import type { Scorer } from './scorers.ts';

export type Outcome = {
  scorer: Scorer;
  conversationId: string;
  messageCount: number;
  value: unknown;
  /** Why there is no value. */
  reason: string | null;
  rationale: string | null;
  evidence: readonly number[];
  /** Null for a rule. */
  use: JudgeUse | null;
};

/** A model is not asked about a conversation without messages. */
const noMessages = 'no_messages';

const noUse: JudgeUse = { inputTokens: 0, outputTokens: 0, costMicroUsd: 0 };

export const unasked = (
  scorer: Scorer,
  conversation: { id: string; messageCount: number },
  reason: 'transcript_too_long' | 'invalid_request' | typeof noMessages,
): Outcome => ({
  scorer,
  conversationId: conversation.id,
  messageCount: conversation.messageCount,
  value: null,
  reason,
  rationale: null,
  evidence: [],
  use: noUse,
});

/** @throws Error for a draft */
export function factOf(
  { scorer, messageCount, value, reason, rationale, evidence, use }: Outcome,
  { createdAt, jobId }: { createdAt: string; jobId: string | null },
): NewScore {
  const { evaluator, output, kind, createdBy } = scorer;
  if (!evaluator) throw new Error('the score of a draft is not stored');
  const answer = reason === null ? { value } : { value: null, reason };
  return newScore(
    { ...evaluator, output },
    { source: kind, rationale, evidence, messageCount, createdAt, createdBy, jobId, ...use, ...answer },
  );
}

export const previewOf = ({ scorer, use, ...outcome }: Outcome): PreviewScore => ({
  name: scorer.evaluator?.name ?? null,
  version: scorer.evaluator?.version ?? null,
  value: outcome.value,
  reason: outcome.reason,
  rationale: outcome.rationale,
  evidence: [...outcome.evidence],
  messageCount: outcome.messageCount,
  inputTokens: use?.inputTokens ?? null,
  outputTokens: use?.outputTokens ?? null,
  costUsd: use ? usdOf(use.costMicroUsd) : null,
});

type Scoring = Pick<Evaluator, 'name' | 'version' | 'output'> & { id: string };

type ScoreInput = Pick<NewScore, 'source' | 'rationale' | 'evidence' | 'createdAt' | 'createdBy'> &
  Partial<Pick<NewScore, 'inputTokens' | 'outputTokens' | 'costMicroUsd' | 'jobId'>> & {
    messageCount: number;
  } & ({ value: unknown; reason?: null } | { value: null; reason: string });

/**
 * @param evaluator its `version` and `output` are those of the version that gives the score
 * @param input a value that `checkValue` accepts, or null with the reason
 */
export function newScore({ id, name, version, output }: Scoring, input: ScoreInput): NewScore {
  const value = storableNumber(input.value);
  const { reason = null, source, rationale, evidence, messageCount, createdAt, createdBy } = input;
  return {
    evaluatorId: id,
    name,
    version,
    source,
    value: value === null ? null : JSON.stringify(value),
    reason,
    rationale,
    evidence,
    messageCount,
    inputTokens: input.inputTokens ?? null,
    outputTokens: input.outputTokens ?? null,
    costMicroUsd: input.costMicroUsd ?? null,
    createdAt,
    createdBy,
    jobId: input.jobId ?? null,
    indexed: indexedOf(output, value),
    slot: value === null ? null : slotOf(output, value),
  };
}

/** A table cannot store a number that is closer to 0. */
const storableNumber = (value: unknown): unknown =>
  typeof value === 'number' && Math.abs(value) < Number.EPSILON ? 0 : value;

function indexedOf({ type }: Output, value: unknown): IndexedScore {
  const isShort = typeof value === 'boolean' || typeof value === 'number';
  return isShort || (type === 'category' && typeof value === 'string') ? value : null;
}
