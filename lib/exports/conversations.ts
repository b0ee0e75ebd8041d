/**
 * Conversations, oldest first. A conversation is a line with its first messages. Further messages follow in lines of their own,
 * with the conversation's id, so that no line is too long for memory.
 */

import { timeOfId } from '../base/ids.ts';
import { pagesOf } from '../base/pages.ts';
import { secondMs } from '../base/time.ts';
import { Conversation } from '../conversations/schema/conversation.ts';
import { Message } from '../conversations/schema/message.ts';
import {
  getManyUnerased,
  type StoredConversation,
  tombstones,
} from '../conversations/store/conversations.ts';
import { listConversations } from '../conversations/store/list.ts';
import { getMessages } from '../conversations/store/messages.ts';
import { conversationAt, retentionCutoffMs, showConversation } from '../conversations/store/state.ts';
import { getProject, type StoredProject } from '../projects/store.ts';
import type { ProjectStore } from './parts/store.ts';
import type { ExportRequest } from './schema.ts';
import type { Line, Source } from './source.ts';

type Filters = Extract<ExportRequest, { what: 'conversations' }>['filters'];

/** Their first messages are read at the same time. */
const conversationsAtOnce = 20;
const messagesAtOnce = 200;

/** @param requestedMs conversations that started later are left out, so that the export ends */
export function conversationSource(
  store: ProjectStore,
  { startedFrom, startedBefore = Number.POSITIVE_INFINITY, ...values }: Filters,
  requestedMs: number,
  nowMs: () => number,
): Source {
  const filters = {
    avatarId: values.avatarId,
    externalUserId: values.externalUserId,
    deploymentId: values.deploymentId,
    channel: values.channel,
    tag: values.tag,
    status: values.status,
    startedFromMs: startedFrom,
    startedBeforeMs: Math.min(startedBefore, requestedMs + 1),
  };

  async function* pages(after: string): AsyncGenerator<StoredConversation[]> {
    const project = await getProject(store, store.projectId);
    // The writer of the part checks this too.
    if (!project) return;
    const list = { ...filters, order: 'oldest', limit: conversationsAtOnce } as const;
    yield* pagesOf((next) =>
      listConversations(store, project, { ...list, after: next ?? (after || undefined) }, nowMs()),
    );
  }

  const readMessages = (conversation: StoredConversation, afterSeq: number) =>
    getMessages(store, conversation, { afterSeq, limit: messagesAtOnce });

  /** @param first the messages after `afterSeq`, if they were read */
  async function* linesOf(
    conversation: StoredConversation,
    afterSeq: number,
    first?: Awaited<ReturnType<typeof readMessages>>,
  ): AsyncGenerator<Line> {
    const { id, messageCount, ttl } = conversation;
    let seq = afterSeq;
    for (let found = first ?? (await readMessages(conversation, seq)); ; ) {
      const isFirst = seq === 0;
      seq = found.at(-1)?.seq ?? messageCount;
      const messages = found.map((message) => Message.parse(message));
      const shown = isFirst ? Conversation.parse(showConversation(conversation)) : { id };
      yield {
        id,
        isFirst,
        text: JSON.stringify({ ...shown, messages }),
        position: seq < messageCount ? `${id}#${seq}` : id,
        ...(ttl !== undefined && { expiresAtMs: ttl * secondMs }),
      };
      if (seq >= messageCount) return;
      found = await readMessages(conversation, seq);
    }
  }

  return {
    async *lines(after) {
      const [id = '', seq] = after.split('#');
      if (seq !== undefined) {
        const [begun] = await getManyUnerased(store, [id]);
        if (begun) yield* linesOf(conversationAt(begun, nowMs()), Number(seq));
      }
      for await (const page of pages(id)) {
        const firsts = await Promise.all(page.map((conversation) => readMessages(conversation, 0)));
        for (const [index, conversation] of page.entries()) yield* linesOf(conversation, 0, firsts[index]);
      }
    },

    async hasGone({ first, last, all }, project: StoredProject) {
      const cutoffMs = retentionCutoffMs(project, nowMs());
      if (cutoffMs !== undefined && timeOfId(first) <= cutoffMs) return true;
      const range = { from: first, to: last, limit: 1000 };
      for await (const erased of pagesOf((after) => tombstones.at(store).page({ ...range, after }))) {
        if (erased.some(({ id }) => all.has(id))) return true;
      }
      return false;
    },
  };
}
