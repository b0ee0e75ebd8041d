import {
  conversationPointers,
  conversations,
  tombstones,
} from '../../lib/conversations/store/conversations.ts';
import { contributions, counters } from '../../lib/conversations/store/counters.ts';
import { generations } from '../../lib/conversations/store/generations.ts';
import { conversationEntries } from '../../lib/conversations/store/list-index.ts';
import { messagePointers, messages, recordNotes } from '../../lib/conversations/store/messages.ts';
import { postings } from '../../lib/conversations/store/postings.ts';
import { retentionCheckpoints } from '../../lib/conversations/store/retention.ts';
import { exampleTime, kind, sha256, ulid } from './kind.ts';

const id = `conv_${ulid}`;
const values = {
  avatarId: `avtr_${ulid}`,
  externalUserId: 'customer-4711',
  channel: 'web',
  deploymentId: `dep_${ulid}`,
};
const ttl = 1_780_133_400;
const withConversation = { removed: 'as the conversation', optional: ['ttl'] } as const;

const generation = 'g1';
const day = '2026-03-01';
const group = { day, avatarId: values.avatarId, channel: 'web' };
const counts = { conversations: 1, messages: 2, durationSeconds: 95 };

export const conversationKinds = [
  kind(conversations, {
    parents: [],
    through: 'conversations.end',
    removed: "its project's `retentionDays` after its start",
    optional: ['ttl', 'dayUses'],
    item: {
      id,
      externalId: 'call-2026-03-01-17',
      ...values,
      tags: ['refund'],
      metadata: { locale: 'en' },
      status: 'ended',
      startedAt: exampleTime,
      endedAt: '2026-03-01T09:32:00.000Z',
      endReason: 'completed',
      messageCount: 2,
      messageCountByRole: { user: 1, avatar: 1, system: 0, tool: 0 },
      firstMessageAt: exampleTime,
      lastMessageAt: '2026-03-01T09:31:35.000Z',
      lastActivityAt: '2026-03-01T09:31:35.000Z',
      timesOutAt: '2026-03-01T10:01:35.000Z',
      createdAt: exampleTime,
      updatedAt: '2026-03-01T09:32:00.000Z',
      createdBy: `key_${ulid}`,
      dayUses: `${day} 0 95 1 2`,
      ttl,
    },
  }),
  kind(conversationEntries, {
    ...withConversation,
    parents: ['externalUserId', values.externalUserId],
    tenantText: 'org_…#live#proj_…#by#<filter>#<SHA-256 of the value>',
    varies: ['externalUserId'],
    item: { id, ...values, ttl },
  }),
  kind(conversationPointers, {
    ...withConversation,
    parents: [],
    idText: 'SHA-256 of an externalId',
    about: 'a pointer to the conversation, which stays when that is erased',
    item: { id: sha256, resourceId: id, ttl },
  }),
  kind(tombstones, {
    parents: [],
    about: 'the tombstone of an erased conversation',
    optional: ['purgedAt'],
    item: { id, erasedAt: exampleTime, purgedAt: '2026-03-01T09:30:02.000Z' },
  }),
  kind(retentionCheckpoints, {
    writer: 'worker:retention-rewriter',
    parents: [],
    about: 'the progress of a change of `retentionDays`',
    item: { id: 'rewritten', change: `call_${ulid}`, upTo: id },
  }),
  kind(messages, {
    parents: [id],
    removed: 'as the conversation',
    about: 'its `seq`, ten digits',
    optional: ['recordRef', 'ttl'],
    item: {
      id: '0000000001',
      messageId: `msg_${ulid}`,
      seq: 1,
      role: 'avatar',
      text: 'You can return it within 30 days.',
      at: exampleTime,
      clientMessageId: 'm-1',
      citations: [{ documentId: `kdoc_${ulid}`, title: 'Returns', snippet: 'Within 30 days of delivery' }],
      createdAt: exampleTime,
      recordRef: `${sha256}.call_${ulid}`,
      ttl,
    },
  }),
  kind(messagePointers, {
    ...withConversation,
    parents: [id],
    idText: 'SHA-256 of the clientMessageId',
    item: { id: sha256, seq: 1, ttl },
  }),
  kind(recordNotes, {
    parents: [id],
    about: 'an idempotency record that no message names',
    removed: '7 days after the record',
    idText: '<SHA-256 of the Idempotency-Key>.call_…',
    item: { id: `${sha256}.call_${ulid}`, recordRef: `${sha256}.call_${ulid}`, ttl: 1_773_048_600 },
  }),
  kind(postings, {
    parents: [generation, 'refund'],
    about: 'the messages of a block that contain the term',
    removed: 'as the conversation',
    isUnstamped: true,
    optional: ['ttl'],
    tenantText: 'org_…#live#proj_…#term#<generation>#<term>',
    idText: 'conv_…#<block>',
    varies: [generation, 'refund'],
    item: { id: `${id}#00000001`, seqs: new Set([1]), ttl },
  }),
  kind(generations, {
    writer: 'worker:message-indexer',
    parents: [],
    about: 'the generations of the index and the sums, and their progress',
    optional: ['building', 'removing', 'closed'],
    item: {
      id: 'indexed',
      current: { number: 2, tokenizer: 1 },
      through: exampleTime,
      building: { number: 3, tokenizer: 1, jobId: `job_${ulid}` },
      removing: [{ number: 1, tokenizer: 1 }],
      closed: true,
    },
  }),
  kind(counters, {
    writer: 'worker:conversation-counter',
    parents: [generation],
    about: 'the sums of these conversations',
    tenantText: 'org_…#live#proj_…#days#<generation>',
    idText: '<day>#avtr_…#<channel>',
    varies: [generation, 'web'],
    item: { id: `${day}#${values.avatarId}#web`, ...group, ...counts, countedThrough: exampleTime },
  }),
  kind(contributions, {
    writer: 'worker:conversation-counter',
    parents: [generation],
    varies: [generation],
    tenantText: 'org_…#live#proj_…#counted#<generation>',
    about: 'what it has added to the sums',
    item: { id, ...group, ...counts },
  }),
];
