/** Stores the end of a reply, in one transaction: with an answer and its message, or without. */

import { again, retry } from '../../base/retry.ts';
import { timestamp } from '../../base/time.ts';
import { countMessages, numberMessages } from '../../conversations/append.ts';
import { changeConversation } from '../../conversations/store/changes.ts';
import { conversations, findMany } from '../../conversations/store/conversations.ts';
import { addMessages } from '../../conversations/store/messages.ts';
import { activityOf } from '../../conversations/store/state.ts';
import { getExpunged } from '../../indexing/store/expunged.ts';
import { settleModelCost } from '../../limits/store/model-cost.ts';
import { countUses } from '../../limits/store/quotas.ts';
import { getProject } from '../../projects/store.ts';
import type { WorkerInput, Write } from '../../workers/worker.ts';
import { commitPatiently } from '../../workers/writes.ts';
import { citationsOf } from '../request/citations.ts';
import type { Markers } from '../request/markers.ts';
import {
  changeOwnReply,
  closeReply,
  endDrops,
  type ProjectStore,
  type ReplyItem,
  requireOpen,
  type StoredReply,
} from '../store/replies.ts';
import { type Material, usedOf } from './material.ts';

/** Why there is no answer. The message is public. */
export type Failure = { code: string; message: string };

export const conversationEnded: Failure = {
  code: 'conversation_ended',
  message: 'The conversation ended before the answer.',
};
export const projectArchived: Failure = {
  code: 'project_archived',
  message: 'The project was archived or deleted before the answer.',
};

/** The reply cannot have an answer, and no model was asked. */
export class NoAnswer extends Error {
  readonly failure: Failure;
  constructor(code: string, message: string) {
    super(message);
    this.failure = { code, message };
  }
}

/** What was reserved for the call, and in the sum of which day. */
export type Cost = { reservedMicroUsd: number; day: string };

type Used = Partial<Pick<ReplyItem, 'firstTextMs' | 'inputTokens' | 'outputTokens' | 'removedMarkers'>>;

type Ending = Used & {
  status: 'failed' | 'cancelled' | 'unknown';
  failure: Failure;
  microUsd: number;
  /** Missing if nothing was reserved. */
  cost?: Cost;
  material?: Material;
};

const settled = (store: ProjectStore, microUsd: number, cost: Cost | undefined): Write<never>[] =>
  cost === undefined || cost.reservedMicroUsd === microUsd
    ? []
    : settleModelCost(store, microUsd - cost.reservedMicroUsd, cost.day);

/**
 * Gives a reply back, because the model was not asked: the organisation was suspended, or something failed before. Its reservation
 * ends.
 */
export async function queueAgain(
  store: ProjectStore,
  reply: StoredReply,
  cost: Cost | undefined,
  input: WorkerInput,
): Promise<void> {
  const changes = { status: 'queued' as const, startedAt: null, reservedMicroUsd: 0 };
  const own = changeOwnReply(store, reply, changes, input.nowMs(), ['leaseUntilMs']);
  const open = reply.dryRun ? [] : [requireOpen(store, reply)];
  await commitPatiently(input, [own, ...open, ...settled(store, 0, cost)]);
}

/** Stores the end of a reply without an answer. If somebody else has ended it, the whole reservation stays counted. */
export async function endWithout(
  store: ProjectStore,
  reply: StoredReply,
  { microUsd, cost, material, ...shown }: Ending,
  input: WorkerInput,
): Promise<void> {
  const nowMs = input.nowMs();
  const changes = {
    ...shown,
    ...(material && usedOf(material, new Set())),
    microUsd,
    finishedAt: timestamp(nowMs),
    totalMs: nowMs - Date.parse(reply.createdAt),
  };
  const own = changeOwnReply(store, reply, changes, nowMs, endDrops);
  const close = reply.dryRun
    ? conversations.at(store).check(reply.conversationId, { condition: { kind: 'present' } })
    : closeReply(store, reply, microUsd);
  // A refusal: somebody has ended the reply, with its reservation as its cost; or the conversation was removed with it.
  await commitPatiently(input, [own, close, ...settled(store, microUsd, cost)]);
}

type Answer = Used & {
  text: string;
  material: Material;
  markers: Markers;
  finishReason: 'stop' | 'length';
  microUsd: number;
  cost: Cost;
};

/** Stores the answer as a message. If the conversation has ended or the project is gone in the meantime, the reply fails, and its text stays in its parts. */
export async function endWithAnswer(
  store: ProjectStore,
  reply: StoredReply,
  { text, material, markers, finishReason, microUsd, cost, ...used }: Answer,
  input: WorkerInput,
): Promise<void> {
  const cited = new Set(markers.cited.map(({ number }) => number));
  const attempt = async () => {
    const fail = (failure: Failure) => {
      const ending = { ...used, status: 'failed' as const, failure, microUsd, cost, material };
      return endWithout(store, reply, ending, input);
    };
    const project = await getProject(store, store.projectId);
    if (project?.status !== 'active') return fail(projectArchived);
    const nowMs = input.nowMs();
    const found = await findMany(store, [reply.conversationId], { project, nowMs });
    const conversation = found.get(reply.conversationId)?.conversation;
    if (conversation?.replyId !== reply.id) return undefined;
    if (conversation.status === 'ended') return fail(conversationEnded);
    const kept = await withoutExpunged(store, material);
    const citations = citationsOf(markers.cited, kept.passages);
    const sent = [{ role: 'avatar' as const, text, citations, at: nowMs }];
    const [numbered] = numberMessages(sent, new Map(), conversation, { nowMs, newId: input.newId });
    if (!numbered) return undefined;
    const { duplicate: _, ...message } = numbered;
    const changes = {
      ...countMessages(conversation, [message]),
      replyMicroUsd: (conversation.replyMicroUsd ?? 0) + microUsd,
      ...activityOf(conversation, project, nowMs),
    };
    const own = changeOwnReply(
      store,
      reply,
      {
        ...used,
        ...usedOf(kept, cited),
        status: 'done',
        finishReason,
        microUsd,
        messageId: message.id,
        messageSeq: message.seq,
        citations: message.citations,
        finishedAt: timestamp(nowMs),
        totalMs: nowMs - Date.parse(reply.createdAt),
      },
      nowMs,
      endDrops,
    );
    const refusal = await commitPatiently(input, [
      own,
      ...changeConversation(store, conversation, changes, { drop: ['replyId'] }),
      ...addMessages(store, conversation, [message], undefined),
      ...settled(store, microUsd, cost),
      ...countUses(store, unlimited(input.quotas), { messages: 1, bytes: Buffer.byteLength(text) }, nowMs),
    ]);
    return refusal && !refusal.failed.includes(own) ? again : undefined;
  };
  await retry<void>(attempt, { failure: () => new Error('the conversation is being changed') });
}

/** A document that was expunged since the search is in no citation, and its title is not stored. */
async function withoutExpunged(store: ProjectStore, material: Material): Promise<Material> {
  const ids = [...new Set(material.passages.map(({ documentId }) => documentId))];
  const expunged = ids.length === 0 ? [] : await getExpunged(store, ids);
  return {
    ...material,
    passages: material.passages.filter(({ documentId }) => !expunged.includes(documentId)),
  };
}

/** The answer is paid, so no quota refuses it. It is counted for the following requests. */
const unlimited = (quotas: WorkerInput['quotas']): WorkerInput['quotas'] =>
  Object.fromEntries(Object.keys(quotas).map((name) => [name, Number.MAX_SAFE_INTEGER]));
