/** Reads the response of a model. A response in any other form than the requested one is `unknown`, never a guess. Pure. */

import { costOf } from '../../base/money.ts';
import type { ModelAnswer, SaidTokens } from '../../models/models.ts';
import { withoutHidden } from '../../schema/text.ts';
import { maxEvidence, maxRationaleLength } from '../../scores/score.ts';
import { checkValue } from '../../scores/value.ts';
import { type JudgeCall, type JudgeUse, toolName } from './request.ts';

/** Why a model gave no value. */
export const unknownReasons = [
  'refused',
  'cut_off',
  'invalid_answer',
  'invalid_evidence',
  'transcript_too_long',
  'invalid_request',
] as const;
export type UnknownReason = (typeof unknownReasons)[number];

/** What a model says, with what it has cost. */
export type Judgement = (
  | { value: unknown; reason: null; rationale: string | null; evidence: number[] }
  | { value: null; reason: UnknownReason; rationale: null; evidence: never[] }
) &
  JudgeUse;

const noUse: JudgeUse = { inputTokens: 0, outputTokens: 0, costMicroUsd: 0 };

const unknownJudgement = (reason: UnknownReason, use: JudgeUse): Judgement => ({
  value: null,
  reason,
  rationale: null,
  evidence: [],
  ...use,
});

/** The judgement about a transcript that is not sent, or that the model refuses at once. */
export const tooLong: Judgement = unknownJudgement('transcript_too_long', noUse);

export function readAnswer(call: JudgeCall, { stop, calls, ...tokens }: ModelAnswer): Judgement {
  const use = useOf(call, tokens);
  const unknownFor = (reason: UnknownReason) => unknownJudgement(reason, use);
  const stopReason = stopReasons[stop];
  if (stopReason) return unknownFor(stopReason);
  // A model that has ended by itself has said something else than a score.
  if (calls.length === 0) return unknownFor(stop === 'end' ? 'refused' : 'invalid_answer');
  const [{ name, input } = {}] = calls;
  if (calls.length > 1 || name !== toolName) return unknownFor('invalid_answer');
  const { value, rationale = null, evidence = [] } = recordOf(input);
  if (checkValue(call.output, value) !== undefined) return unknownFor('invalid_answer');
  if (rationale !== null && typeof rationale !== 'string') return unknownFor('invalid_answer');
  const seqs = evidenceOf(evidence, call.messageCount);
  if (!seqs) return unknownFor('invalid_evidence');
  return {
    value,
    reason: null,
    rationale: rationale === null ? null : cut(rationale),
    evidence: seqs,
    ...use,
  };
}

/** After these stops, no answer counts. */
const stopReasons: Partial<Record<ModelAnswer['stop'], UnknownReason>> = {
  refused: 'refused',
  length: 'cut_off',
  too_long: 'transcript_too_long',
  malformed: 'invalid_answer',
};

/** Without a credible use, the call counts as the most that it can cost. */
function useOf({ model, most }: JudgeCall, { inputTokens, outputTokens }: SaidTokens): JudgeUse {
  if (inputTokens === undefined || outputTokens === undefined) return most;
  return { inputTokens, outputTokens, costMicroUsd: costOf({ inputTokens, outputTokens }, model) };
}

/** @returns the messages in their order; undefined if one of them does not exist, or if there are too many */
function evidenceOf(evidence: unknown, messageCount: number): number[] | undefined {
  if (!Array.isArray(evidence)) return undefined;
  const seqs = new Set<number>();
  for (const seq of evidence) {
    if (typeof seq !== 'number' || !Number.isInteger(seq) || seq < 1 || seq > messageCount) return undefined;
    seqs.add(seq);
    if (seqs.size > maxEvidence) return undefined;
  }
  return [...seqs].sort((a, b) => a - b);
}

/** @returns the text as the API would accept it. The limit counts characters, as the API does */
const cut = (text: string): string => {
  const wellFormed = withoutHidden(text.toWellFormed());
  return wellFormed.length <= maxRationaleLength
    ? wellFormed
    : [...wellFormed].slice(0, maxRationaleLength).join('');
};

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
