/** A score of a version of an evaluator. Pure. */

import type { IndexedScore } from '../conversations/store/score-filters.ts';
import type { NewScore } from '../conversations/store/scores.ts';
import type { Output } from '../scores/output.ts';
import { slotOf } from '../scores/value.ts';
import type { Evaluator } from './schema/evaluator.ts';

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
