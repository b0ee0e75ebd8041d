/**
 * Conversations, oldest first. A conversation is a line with its first messages. Further messages follow in lines of their own,
 * with the conversation's id, so that no line is too long for memory.
 */

import { timeOfId } from '../../base/ids.ts';
import { pagesOf } from '../../base/pages.ts';
import { secondMs } from '../../base/time.ts';
import { Message } from '../../conversations/schema/message.ts';
import { ScoredConversation } from '../../conversations/schema/score.ts';
import { getManyUnerased, tombstones } from '../../conversations/store/conversations.ts';
import type { ListedConversation } from '../../conversations/store/list.ts';
import { getMessages } from '../../conversations/store/messages.ts';
import { withScores } from '../../conversations/store/scores.ts';
import { conversationAt, retentionCutoffMs, showConversation } from '../../conversations/store/state.ts';
import { openList } from '../../evaluations/filters.ts';
import { getProject, type StoredProject } from '../../projects/store.ts';
import type { ProjectStore } from './files/store.ts';
import type { ExportRequest } from './schema.ts';
import type { Line, Source } from './source.ts';

type Filters = Extract<ExportRequest, { what: 'conversations' }>['filters'];

/** The first messages of so many conversations are read at the same time. */
const conversationsAtOnce = 20;
const messagesAtOnce = 200;

/** @param requestedMs conversations that started later are left out, so that the export ends */
export function conversationSource(
  store: ProjectStore,
  filters: Filters,
  requestedMs: number,
  nowMs: () => number,
): Source {
  async function* pages(after: string): AsyncGenerator<ListedConversation[]> {
    const project = await getProject(store, store.projectId);
    // The writer of the part checks this too.
    if (!project) return;
    const list = await openList(store, project, filters, {
      requestedMs,
      order: 'oldest',
      nowMs,
    });
    yield* pagesOf((next) => list(next ?? (after || undefined), conversationsAtOnce));
  }

  const readMessages = (conversation: ListedConversation, afterSeq: number) =>
    getMessages(store, conversation, { afterSeq, limit: messagesAtOnce });

  /** @param first the messages after `afterSeq`, if they were read */
  async function* linesOf(
    conversation: ListedConversation,
    afterSeq: number,
    first?: Awaited<ReturnType<typeof readMessages>>,
  ): AsyncGenerator<Line> {
    const { id, messageCount, ttl } = conversation;
    let seq = afterSeq;
    for (let batch = first ?? (await readMessages(conversation, seq)); ; ) {
      const isFirst = seq === 0;
      seq = batch.at(-1)?.seq ?? messageCount;
      const messages = batch.map((message) => Message.parse(message));
      const fields = isFirst ? ScoredConversation.parse(showConversation(conversation)) : { id };
      yield {
        id,
        isFirst,
        text: JSON.stringify({ ...fields, messages }),
        position: seq < messageCount ? `${id}#${seq}` : id,
        ...(ttl !== undefined && { expiresAtMs: ttl * secondMs }),
      };
      if (seq >= messageCount) return;
      batch = await readMessages(conversation, seq);
    }
  }

  return {
    async *lines(after) {
      const [id = '', seq] = after.split('#');
      if (seq !== undefined) {
        const [conversation] = await getManyUnerased(store, [id]);
        // Its scores are in its first line.
        if (conversation)
          yield* linesOf(withScores(conversationAt(conversation, nowMs()), undefined), Number(seq));
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
      for await (const page of pagesOf((after) => tombstones.at(store).page({ ...range, after }))) {
        if (page.some(({ id }) => all.has(id))) return true;
      }
      return false;
    },
  };
}
