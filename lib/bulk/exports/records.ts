/** The records of an export as lines: conversations, documents, or events of the audit log of one project. */

import { AuditEvent } from '../../audit/schema.ts';
import { listEvents } from '../../audit/store/events.ts';
import { timeOfId } from '../../base/ids.ts';
import { type Page, pagesAfter, pagesOf } from '../../base/pages.ts';
import { dayMs, secondMs } from '../../base/time.ts';
import { Message } from '../../conversations/schema/message.ts';
import { ScoredConversation } from '../../conversations/schema/score.ts';
import { getManyUnerased, tombstones } from '../../conversations/store/conversations.ts';
import type { ListedConversation } from '../../conversations/store/list.ts';
import { getMessages } from '../../conversations/store/messages.ts';
import { withScores } from '../../conversations/store/scores.ts';
import { conversationAt, retentionCutoffMs, showConversation } from '../../conversations/store/state.ts';
import { KnowledgeDocument } from '../../documents/schema/document.ts';
import { getContents } from '../../documents/store/contents.ts';
import { deletedDocuments, listDocuments } from '../../documents/store/documents.ts';
import { openList } from '../../evaluations/list-conversations.ts';
import { getProject, type StoredProject, searchFieldsOf } from '../../projects/store.ts';
import type { ProjectStore } from './files/store.ts';
import type { ExportRequest } from './schema.ts';

export type Line = {
  /** The id of the conversation, document or event. */
  id: string;
  /** JSON, without the line end. At most a few megabytes. */
  text: string;
  /** Whether the record begins with this line. A long conversation has several. */
  isFirst: boolean;
  /** Where an export continues that has this line. */
  position: string;
  /** When the record expires: epoch milliseconds. */
  expiresAtMs?: number;
};

/** No record is before this position: filters may leave out almost everything. */
export type Gap = Pick<Line, 'position'>;

export type Records = {
  /** @returns the lines after this position; from the beginning if it is empty */
  lines(after: string): AsyncGenerator<Line | Gap>;
  /**
   * @param ids the lowest id of a part, the highest, and all of them
   * @returns whether one of the records must not be in a file any more
   */
  hasGone(
    ids: { first: string; last: string; all: ReadonlySet<string> },
    project: StoredProject,
  ): Promise<boolean>;
};

type ConversationFilters = Extract<ExportRequest, { what: 'conversations' }>['filters'];

/** The first messages of so many conversations are read at the same time. */
const conversationsAtOnce = 20;
const messagesAtOnce = 200;

/**
 * Conversations, oldest first. A conversation is a line with its first messages. Further messages follow in lines of their own,
 * with the conversation's id, so that no line is too long for memory.
 * @param environments those of the job: the conversations of other environments are left out. Null for all
 * @param requestedMs conversations that started later are left out, so that the export ends
 */
export function conversationRecords(
  store: ProjectStore,
  filters: ConversationFilters,
  environments: readonly string[] | null,
  requestedMs: number,
  nowMs: () => number,
): Records {
  async function* pages(after: string): AsyncGenerator<Page<ListedConversation>> {
    const project = await getProject(store, store.projectId);
    // The writer of the part checks this too.
    if (!project) return;
    const list = await openList(store, project, filters, {
      requestedMs,
      order: 'oldest',
      nowMs,
      environments,
    });
    yield* pagesAfter(after, (next) => list(next, conversationsAtOnce));
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
      for await (const { items, next } of pages(id)) {
        const firsts = await Promise.all(items.map((conversation) => readMessages(conversation, 0)));
        for (const [index, conversation] of items.entries()) yield* linesOf(conversation, 0, firsts[index]);
        if (next !== null && items.length === 0) yield { position: next };
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

type DocumentFilters = Extract<ExportRequest, { what: 'documents' }>['filters'];

/** The first part of a content has at most 200 KB. The other parts are read for one document at a time. */
const documentsAtOnce = 50;

/** Documents with their contents, newest first. */
export function documentRecords(store: ProjectStore, { updatedFrom, ...values }: DocumentFilters): Records {
  const list = {
    status: values.status,
    ignored: undefined,
    tag: values.tag,
    source: values.source,
    externalId: undefined,
    updatedFromMs: updatedFrom,
    limit: documentsAtOnce,
  };
  return {
    async *lines(after) {
      const searchFields = searchFieldsOf(await getProject(store, store.projectId));
      const pages = pagesAfter(after, (next) => listDocuments(store, { ...list, searchFields, after: next }));
      for await (const { items, next } of pages) {
        const found = await getContents(
          store,
          items.map(({ id }) => id),
        );
        const contents = new Map(found.map((one) => [one.id, one]));
        for (const document of items) {
          // A content that a file replaces is stored until the file is read.
          const content = document.extraction === 'pending' ? undefined : contents.get(document.id);
          // The content was deleted or replaced between the two reads. Its replacement would be in an export that starts now.
          if (!content && document.contentSha256 !== null) continue;
          const text = content ? await content.read() : null;
          const { mimeType, contentSha256 } = content ?? document;
          const fields = { ...KnowledgeDocument.parse(document), mimeType, contentSha256 };
          yield {
            id: document.id,
            isFirst: true,
            text: JSON.stringify({ ...fields, content: text }),
            position: document.id,
          };
        }
        if (next !== null && items.length === 0) yield { position: next };
      }
    },

    async hasGone({ first, last, all }) {
      const range = { from: first, to: last, limit: 1000 };
      for await (const tombstones of pagesOf((after) =>
        deletedDocuments.at(store).page({ ...range, after }),
      )) {
        if (tombstones.some(({ id }) => all.has(id))) return true;
      }
      return false;
    },
  };
}

type AuditFilters = Extract<ExportRequest, { what: 'audit' }>['filters'];

const eventsAtOnce = 100;
/** The whole project is exported, because the caller may read the whole project. */
const reader = { projectIds: null };

/**
 * Events of the audit log, newest first.
 * @param requestedMs events of later requests are left out, so that the export ends
 * @param keptDays for how long an event is kept
 */
export function auditRecords(
  store: ProjectStore,
  { from, to = Number.POSITIVE_INFINITY, ...values }: AuditFilters,
  { requestedMs, keptDays, nowMs }: { requestedMs: number; keptDays: number; nowMs: () => number },
): Records {
  const list = {
    actor: values.actor,
    action: values.action,
    resourceId: values.resourceId,
    projectId: store.projectId,
    fromMs: from,
    toMs: Math.min(to, requestedMs + 1),
    limit: eventsAtOnce,
  };
  return {
    async *lines(after) {
      // A page names the greatest id of the next page, so the last event of a part is not in the next part again. Before a `#`,
      // a position names an event that is in no part yet.
      const [first = '', isUnread] = after.split('#');
      const pages = pagesAfter(first, (begin) => listEvents(store, reader, { ...list, begin }, nowMs()));
      for await (const { items, next } of pages) {
        for (const event of items) {
          if (event.id === first && isUnread === undefined) continue;
          yield {
            id: event.id,
            isFirst: true,
            text: JSON.stringify(AuditEvent.parse(event)),
            position: event.id,
            expiresAtMs: timeOfId(event.id) + keptDays * dayMs,
          };
        }
        if (next !== null && items.length === 0) yield { position: `${next}#` };
      }
    },
    // An event is never changed or erased.
    hasGone: async () => false,
  };
}
