/** Evaluates one conversation with several evaluators: its messages are read once, page by page, in bounded memory. */

import type { ProjectStore, StoredConversation } from '../../conversations/store/conversations.ts';
import { getMessages } from '../../conversations/store/messages.ts';
import { showConversation } from '../../conversations/store/state.ts';
import { checkRemainingTime, type WorkerInput } from '../../workers/worker.ts';
import { type JudgedMessage, requestLimitBytes } from '../judge/request.ts';
import { type Outcome, unasked } from './outcome.ts';
import type { ModelScorer, RuleScorer, Scorer } from './scorers.ts';

const messagesAtOnce = 200;

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
};

const noEvaluation: Evaluation = { outcomes: [], questions: [], bytes: 0 };

/**
 * @param conversation the conversation as it was read: messages that were added after that are left out
 * @param isLate whether it gives up
 * @returns the scores of the rules, and what models have to be asked. Nothing if the messages are gone; undefined if it gives up
 */
export async function evaluateConversation(
  store: ProjectStore,
  conversation: StoredConversation,
  scorers: readonly Scorer[],
  input: Pick<WorkerInput, 'remainingMs'>,
): Promise<Evaluation>;
export async function evaluateConversation(
  store: ProjectStore,
  conversation: StoredConversation,
  scorers: readonly Scorer[],
  input: Pick<WorkerInput, 'remainingMs'>,
  isLate: () => boolean,
): Promise<Evaluation | undefined>;
export async function evaluateConversation(
  store: ProjectStore,
  conversation: StoredConversation,
  scorers: readonly Scorer[],
  input: Pick<WorkerInput, 'remainingMs'>,
  isLate: () => boolean = () => false,
): Promise<Evaluation | undefined> {
  const { id, messageCount } = conversation;
  const rules = scorers
    .filter((scorer): scorer is RuleScorer => scorer.kind === 'rule')
    .map((scorer) => ({ scorer, state: scorer.start() }));
  const models = scorers.filter((scorer): scorer is ModelScorer => scorer.kind === 'model');
  const transcript = transcriptOf(models);
  let bytes = 0;
  for (let seq = 0; seq < messageCount; ) {
    if (rules.length === 0 && !transcript.isWanted()) break;
    const page = await getMessages(store, conversation, { afterSeq: seq, limit: messagesAtOnce });
    // The conversation was erased, or has expired.
    if (page.length === 0) return noEvaluation;
    for (const message of page) {
      for (const { state } of rules) state.add([message]);
      bytes += Buffer.byteLength(message.text);
      // Rules may take a second for a message.
      checkRemainingTime(input);
      if (isLate()) return undefined;
    }
    transcript.add(page);
    seq = page.at(-1)?.seq ?? messageCount;
  }
  const { durationSeconds } = showConversation(conversation);
  const ruleOutcomes = rules.map(({ scorer, state }): Outcome => {
    const result = state.end({ durationSeconds });
    return { scorer, conversationId: id, messageCount, ...result, use: null };
  });
  if (messageCount === 0) {
    const unknown = models.map((scorer) => unasked(scorer, conversation, 'no_messages'));
    return { ...noEvaluation, outcomes: [...ruleOutcomes, ...unknown] };
  }
  if (transcript.isTooLong()) {
    const unknown = models.map((scorer) => unasked(scorer, conversation, 'transcript_too_long'));
    return { outcomes: [...ruleOutcomes, ...unknown], questions: [], bytes };
  }
  const questions = models.map((scorer) => ({
    scorer,
    conversationId: id,
    messageCount,
    transcript: transcript.kept,
  }));
  return { outcomes: ruleOutcomes, questions, bytes };
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
