import * as z from 'zod';
import { id, shownCount, shownCredential, shownTime } from '../../schema/common.ts';
import { outcome } from '../../schema/external-id.ts';
import { metadata } from '../../schema/metadata.ts';
import { name } from '../../schema/text.ts';
import { channel, conversationExternalId, conversationStatuses, externalUserId, tag } from './values.ts';

const maxTags = 20;

export const tags = z
  .array(tag)
  .max(maxTags, `must have at most ${maxTags} tags`)
  .refine((all) => new Set(all).size === all.length, 'must not repeat a tag')
  .meta({ description: 'Labels to filter by.', uniqueItems: true, example: ['refund'] });
export const endReason = name(40).meta({
  description: 'Why it ended: `completed`, `abandoned`, `error`, or your own word.',
  example: 'completed',
});

const count = (description: string) => shownCount().meta({ description, example: 2 });

export const Conversation = z
  .object({
    id: id('conversation'),
    avatarId: id('avatar'),
    externalId: conversationExternalId.nullable(),
    externalUserId: externalUserId.nullable(),
    channel: channel.nullable(),
    tags,
    metadata,
    deploymentId: id('deployment').nullable(),
    status: z.enum(conversationStatuses).meta({ example: 'active' }),
    startedAt: shownTime(),
    endedAt: shownTime().nullable(),
    endReason: endReason.nullable().meta({
      description: 'The reason that `end` was called with, or `timeout`.',
    }),
    messageCount: count('The number of messages, which equals the `seq` of the last one.'),
    messageCountByRole: z.object({
      user: count('From the user.'),
      avatar: count('From the avatar.'),
      system: count('From the system.'),
      tool: count('From tools.'),
    }),
    durationSeconds: shownCount().meta({
      description: 'From the start to the latest message; 0 without messages.',
      example: 95,
    }),
    firstMessageAt: shownTime().nullable().meta({ description: 'The earliest `at` of its messages.' }),
    lastMessageAt: shownTime().nullable().meta({ description: 'The latest `at` of its messages.' }),
    lastActivityAt: shownTime().meta({
      description: 'When the latest messages were stored, whatever their `at`. Initially the creation time.',
    }),
    createdAt: shownTime(),
    updatedAt: shownTime(),
    createdBy: shownCredential('The API key that created it.'),
  })
  .meta({
    id: 'Conversation',
    description: 'A conversation with an avatar, without its messages.',
  });

export type Conversation = z.infer<typeof Conversation>;

export const UpsertedConversation = z
  .object({ outcome, conversation: Conversation })
  .meta({ id: 'UpsertedConversation', description: 'A conversation and the outcome of the request.' });
