import * as z from 'zod';
import { id, listOf, pageQuery, sentTime, shownTime } from './common.ts';
import { metadata } from './project.ts';
import { name, text } from './text.ts';

export const maxTextBytes = 16 * 1024;
export const maxMessagesAtOnce = 25;
const maxTags = 20;
const maxCitations = 20;

/** A time that a client sends of something that has happened: an id can carry it. */
const pastTime = () => sentTime().refine((ms) => ms >= 0, 'must be 1970 or later');

export const externalUserId = name(255).meta({
  description: 'Who talks with the avatar, in your own terms.',
  example: 'customer-4711',
});
export const channel = name(40).meta({ description: 'Where it takes place.', example: 'web' });
export const tag = name(40).meta({ example: 'refund' });
export const tags = z
  .array(tag)
  .max(maxTags, `must have at most ${maxTags} tags`)
  .refine((all) => new Set(all).size === all.length, 'must not repeat a tag')
  .meta({ description: 'Words to find it by.', uniqueItems: true, example: ['refund'] });
export const endReason = name(40).meta({
  description: 'Why it ended: `completed`, `abandoned`, `error`, or a word of yours.',
  example: 'completed',
});

export const conversationStatuses = ['active', 'ended'] as const;
export const messageRoles = ['user', 'avatar', 'system', 'tool'] as const;
export type MessageRole = (typeof messageRoles)[number];

const count = (description: string) => z.int().meta({ description, example: 2 });

export const Conversation = z
  .object({
    id: id('conversation'),
    avatarId: id('avatar'),
    externalUserId: externalUserId.nullable(),
    channel: channel.nullable(),
    tags,
    metadata,
    deploymentId: id('deployment').nullable(),
    status: z.enum(conversationStatuses).meta({ example: 'active' }),
    startedAt: shownTime(),
    endedAt: shownTime().nullable(),
    endReason: endReason.nullable().meta({
      description: 'As it was ended with, or `timeout` when it ended by itself.',
    }),
    messageCount: count('How many messages it has: the `seq` of the last one.'),
    messageCountByRole: z.object({
      user: count('By the user.'),
      avatar: count('By the avatar.'),
      system: count('By the system.'),
      tool: count('By tools.'),
    }),
    durationSeconds: z
      .int()
      .meta({ description: 'From its start to the latest message; 0 without one.', example: 95 }),
    firstMessageAt: shownTime().nullable().meta({ description: 'The earliest `at` of its messages.' }),
    lastMessageAt: shownTime().nullable().meta({ description: 'The latest `at` of its messages.' }),
    lastActivityAt: shownTime().meta({
      description:
        'When its latest messages were stored, whatever time they are of; at first when it was created.',
    }),
    createdAt: shownTime(),
    updatedAt: shownTime(),
    createdBy: z.string().meta({
      description: 'The API key that created it.',
      example: 'key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
    }),
  })
  .meta({
    id: 'Conversation',
    description: 'A conversation of somebody with an avatar, without its messages.',
  });

export type Conversation = z.infer<typeof Conversation>;

export const ConversationList = listOf(Conversation).meta({ id: 'ConversationList' });

export const newConversation = z.strictObject({
  avatarId: id('avatar'),
  externalUserId: externalUserId.nullable().optional(),
  channel: channel.nullable().optional(),
  tags: tags.optional(),
  metadata: metadata.optional(),
  deploymentId: id('deployment').nullable().optional(),
  startedAt: pastTime().optional().meta({
    description: 'Now when left out; for imported history, when it took place. At most 5 minutes ahead.',
  }),
});

export const conversationQuery = z.strictObject({
  ...pageQuery,
  avatarId: id('avatar').optional().meta({ description: 'Only conversations with this avatar.' }),
  externalUserId: externalUserId.optional().meta({ description: 'Only conversations of this user.' }),
  deploymentId: id('deployment').optional().meta({ description: 'Only conversations with this deployment.' }),
  channel: channel.optional().meta({ description: 'Only conversations on this channel.' }),
  tag: tag.optional().meta({ description: 'Only conversations with this tag.' }),
  status: z.enum(conversationStatuses).optional().meta({ description: 'Only conversations of this status.' }),
  startedAfter: sentTime().optional().meta({ description: 'Only conversations started after this time.' }),
  startedBefore: sentTime().optional().meta({ description: 'Only conversations started before this time.' }),
  order: z.enum(['newest', 'oldest']).default('newest').meta({ description: 'Which come first, by start.' }),
});

const Citation = z
  .object({
    documentId: id('knowledgeDocument'),
    title: text(200).nullable().meta({ example: 'Returns' }),
    snippet: text(500).nullable().meta({ example: 'Within 30 days of delivery…' }),
  })
  .meta({ id: 'Citation', description: 'A knowledge document that a message rests on.' });

const messageText = z
  .string()
  .min(1, 'must not be empty')
  .refine(
    (value) => Buffer.byteLength(value) <= maxTextBytes,
    `must be at most ${maxTextBytes} bytes of UTF-8`,
  )
  .refine((value) => value.isWellFormed(), 'must be well-formed Unicode')
  .meta({ description: 'At most 16 KB of UTF-8.', maxLength: maxTextBytes, example: 'Where is my order?' });

const clientMessageId = name(255).meta({
  description:
    'Your own id of the message, unique in the conversation: however often it is sent with it, it is stored once.',
  example: 'm-1',
});

export const Message = z
  .object({
    id: id('message'),
    seq: z.int().meta({ description: 'Its place in the conversation: 1, 2, 3, without a gap.', example: 1 }),
    role: z.enum(messageRoles).meta({ example: 'user' }),
    text: messageText,
    at: shownTime(),
    clientMessageId: clientMessageId.nullable(),
    citations: z.array(Citation),
    createdAt: shownTime(),
  })
  .meta({ id: 'Message' });

export type Message = z.infer<typeof Message>;

const newMessage = z.strictObject({
  role: z.enum(messageRoles).meta({ example: 'user' }),
  text: messageText,
  at: pastTime().optional().meta({
    description: 'When it was said; now when left out. At most 5 minutes ahead.',
  }),
  clientMessageId: clientMessageId.nullable().optional(),
  citations: z
    .array(
      z.strictObject({
        documentId: id('knowledgeDocument'),
        title: text(200).nullable().optional(),
        snippet: text(500).nullable().optional(),
      }),
    )
    .max(maxCitations, `must have at most ${maxCitations} citations`)
    .optional(),
});

export type NewMessage = z.infer<typeof newMessage>;

export const newMessages = z
  .array(newMessage)
  .min(1, 'must have at least one message')
  .max(maxMessagesAtOnce, `must have at most ${maxMessagesAtOnce} messages`);

export const AppendedMessages = z
  .object({
    messages: z.array(
      Message.extend({
        duplicate: z.boolean().meta({
          description: 'Stored before, under its `clientMessageId`: nothing was added.',
          example: false,
        }),
      }),
    ),
  })
  .meta({ id: 'AppendedMessages', description: 'One for each message that was sent, in that order.' });

const wholeNumber = (pattern: RegExp, max: number, fallback: number) =>
  z
    .string()
    .regex(pattern, `must be a whole number from 0 to ${max}`)
    .transform(Number)
    .optional()
    .meta({ documentedAs: { type: 'integer', minimum: 0, maximum: max, default: fallback } });

export const transcriptQuery = z.strictObject({
  afterSeq: wholeNumber(/^\d{1,10}$/, 9_999_999_999, 0).meta({
    description: 'Only messages behind this one: the `nextAfterSeq` of the page before.',
  }),
  limit: pageQuery.limit.meta({ description: 'How many messages a page holds.' }),
  waitSeconds: wholeNumber(/^(\d|1\d|20)$/, 20, 0).meta({
    description: 'How long to wait while the conversation goes on and there is nothing to answer yet.',
  }),
});

export const Transcript = z
  .object({
    messages: z.array(Message).meta({ description: 'In the order of `seq`.' }),
    nextAfterSeq: z.int().meta({ description: 'Send it as `afterSeq` to go on.', example: 2 }),
    final: z
      .boolean()
      .meta({ description: 'The conversation has ended and there is nothing behind this.', example: true }),
  })
  .meta({ id: 'Transcript' });

export const ErasedConversation = z
  .object({ id: id('conversation'), status: z.literal('erased'), erasedAt: shownTime() })
  .meta({ id: 'ErasedConversation', description: 'All that is left of a conversation that was erased.' });
