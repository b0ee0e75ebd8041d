/** Evaluates one conversation with several evaluators: its messages are read once, page by page, in bounded memory. */

import { setImmediate } from 'node:timers/promises';
import type { ProjectStore, StoredConversation } from '../../conversations/store/conversations.ts';
import { getMessages } from '../../conversations/store/messages.ts';
import { showConversation } from '../../conversations/store/state.ts';
import { requestLimitBytes } from '../../models/request-size.ts';
import type { JudgedMessage } from '../judge/request.ts';
import { type Outcome, unasked } from './outcome.ts';
import type { ModelScorer, RuleScorer, Scorer } from './scorers.ts';

const pageSize = 200;
/** Each rule gets so many messages at once, unless their texts are long. Few conversations have more. */
const messagesAtOnce = 10 * pageSize;
/** With so much text, expressions have done the work that they may do (`maxPatternWork`). */
const bytesAtOnce = 2 * 1024 * 1024;

export type Question = {
  scorer: ModelScorer;
  conversationId: string;
  messageCount: number;
  /** All of its messages. Questions about one conversation share them. */
  transcript: readonly JudgedMessage[];
};

export type Evaluation = {
  outcomes: Outcome[];
  questions: Question[];
  /** The size of the texts that were read. */
  bytes: number;
  /** Whether rules are left for the next turn. Then the models are, too. */
  isPartial: boolean;
};

const noEvaluation: Evaluation = { outcomes: [], questions: [], bytes: 0, isPartial: false };

const never = () => false;

/**
 * @param conversation the conversation as it was read: messages that were added after that are left out
 * @param limits.isOver whether it begins no further rule after the first
 * @param limits.isLate whether it gives up
 * @returns the scores of the rules, and what models have to be asked. Nothing if the messages are gone; undefined if it gives up
 */
export async function evaluateConversation(
  store: ProjectStore,
  conversation: StoredConversation,
  scorers: readonly Scorer[],
  limits?: { isOver: () => boolean },
): Promise<Evaluation>;
export async function evaluateConversation(
  store: ProjectStore,
  conversation: StoredConversation,
  scorers: readonly Scorer[],
  limits: { isLate: () => boolean },
): Promise<Evaluation | undefined>;
export async function evaluateConversation(
  store: ProjectStore,
  conversation: StoredConversation,
  scorers: readonly Scorer[],
  { isOver = never, isLate = never }: { isOver?: () => boolean; isLate?: () => boolean } = {},
): Promise<Evaluation | undefined> {
  const { id, messageCount } = conversation;
  const allRules = scorers
    .filter((scorer): scorer is RuleScorer => scorer.kind === 'rule')
    .map((scorer) => ({ scorer, state: scorer.start() }));
  let rules = allRules;
  const models = scorers.filter((scorer): scorer is ModelScorer => scorer.kind === 'model');
  const transcript = transcriptOf(models);
  let bytes = 0;
  for (let seq = 0; seq < messageCount; ) {
    if (rules.every(({ state }) => state.isTooLong()) && !transcript.isWanted()) break;
    const part = await readPart(store, conversation, seq);
    const last = part.messages.at(-1);
    // The conversation was erased, or has expired.
    if (!last) return noEvaluation;
    bytes += part.bytes;
    const isFirst = seq === 0;
    // Only a conversation that is very long has another part. Then the rules that go on become fewer.
    if (!isFirst && isOver())
      rules = rules.filter(({ state }, index) => state.isTooLong() || index < rules.length / 2);
    for (const [index, { state }] of rules.entries()) {
      if (isFirst && index > 0 && isOver()) {
        rules = rules.slice(0, index);
        break;
      }
      state.add(part.messages);
      // On the dev server, evaluations of several organisations share a thread.
      await setImmediate();
      if (isLate()) return undefined;
    }
    transcript.add(part.messages);
    seq = last.seq;
  }
  const { durationSeconds } = showConversation(conversation);
  const ruleOutcomes = rules.map(({ scorer, state }): Outcome => {
    const result = state.end({ durationSeconds });
    return { scorer, conversationId: id, messageCount, ...result, use: null };
  });
  const evaluation = {
    outcomes: ruleOutcomes,
    questions: [],
    bytes,
    isPartial: rules.length < allRules.length,
  };
  if (evaluation.isPartial) return evaluation;
  const unaskedBecause = (reason: 'no_messages' | 'transcript_too_long') => ({
    ...evaluation,
    outcomes: [...ruleOutcomes, ...models.map((scorer) => unasked(scorer, conversation, reason))],
  });
  if (messageCount === 0) return unaskedBecause('no_messages');
  if (transcript.isTooLong()) return unaskedBecause('transcript_too_long');
  const questions = models.map((scorer) => ({
    scorer,
    conversationId: id,
    messageCount,
    transcript: transcript.kept,
  }));
  return { ...evaluation, questions };
}

/** @returns the next messages, as many as rules get at once. None if they are gone */
async function readPart(store: ProjectStore, conversation: StoredConversation, afterSeq: number) {
  const messages: Awaited<ReturnType<typeof getMessages>> = [];
  let bytes = 0;
  for (let seq = afterSeq; seq < conversation.messageCount; ) {
    const page = await getMessages(store, conversation, { afterSeq: seq, limit: pageSize });
    messages.push(...page);
    for (const { text } of page) bytes += Buffer.byteLength(text);
    if (page.length === 0 || messages.length >= messagesAtOnce || bytes >= bytesAtOnce) break;
    seq = page.at(-1)?.seq ?? conversation.messageCount;
  }
  return { messages, bytes };
}

/** Keeps messages while the transcript may fit into a request to one of the models. */
function transcriptOf(models: readonly ModelScorer[]) {
  const maxBytes = Math.max(0, ...models.map(({ model }) => requestLimitBytes(model)));
  const messages: JudgedMessage[] = [];
  let bytes = 0;
  const isTooLong = () => bytes > maxBytes;
  const isWanted = () => models.length > 0 && !isTooLong();
  return {
    kept: messages,
    isTooLong: () => models.length > 0 && isTooLong(),
    isWanted,
    add(page: readonly JudgedMessage[]): void {
      for (const { seq, role, text } of page) {
        if (!isWanted()) break;
        bytes += Buffer.byteLength(text);
        messages.push({ seq, role, text });
      }
      if (isTooLong()) messages.length = 0;
    },
  };
}
