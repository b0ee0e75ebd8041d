import * as z from 'zod';
import { assignment, counted } from '../../rollouts/schema.ts';
import { id, pastTime, shownCount, shownCredential, shownTime } from '../../schema/common.ts';
import { metadata } from '../../schema/metadata.ts';
import { name } from '../../schema/text.ts';
import { channel, conversationExternalId, conversationStatus, externalUserId, tag } from './values.ts';

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

const test = z.boolean().meta({
  description:
    'Whether it is a test conversation, which statistics, automatic evaluations and rollouts leave out. Fixed when it is created.',
  example: false,
});

const count = shownCount().meta({ example: 2 });

export const Conversation = z
  .object({
    id: id('conversation'),
    avatarId: id('avatar').meta({ description: 'The id of the avatar that the conversation is with.' }),
    externalId: conversationExternalId.nullable(),
    externalUserId: externalUserId.nullable(),
    channel: channel.nullable(),
    tags,
    metadata,
    deploymentId: id('deployment')
      .nullable()
      .meta({ description: 'The id of the deployment that the avatar runs in. Null for no deployment.' }),
    assignment: assignment.nullable().default(null),
    counted,
    test: test.default(false),
    status: conversationStatus,
    startedAt: shownTime().meta({ description: 'When it started. Lists sort by it.' }),
    endedAt: shownTime().nullable().meta({ description: 'When it ended. Null while it is active.' }),
    endReason: endReason.nullable().meta({
      description: 'The reason that `end` was called with, or `timeout`. Null if there is no reason.',
    }),
    messageCount: count.meta({
      description: 'The number of messages, which equals the `seq` of the last message.',
    }),
    messageCountByRole: z
      .object({
        user: count.meta({ description: 'The number of messages from the user.' }),
        avatar: count.meta({ description: 'The number of messages from the avatar.' }),
        system: count.meta({ description: 'The number of messages from the system.' }),
        tool: count.meta({ description: 'The number of messages from tools.' }),
      })
      .meta({ id: 'MessageCountByRole', description: 'The number of messages, by who said them.' }),
    durationSeconds: shownCount().meta({
      description: 'The seconds from the start to the latest message; 0 without messages.',
      example: 95,
    }),
    firstMessageAt: shownTime()
      .nullable()
      .meta({ description: 'The earliest `at` of its messages. Null without messages.' }),
    lastMessageAt: shownTime()
      .nullable()
      .meta({ description: 'The latest `at` of its messages. Null without messages.' }),
    lastActivityAt: shownTime().meta({
      description:
        'When the latest messages were stored, which can be later than their `at`. Initially the creation time.',
    }),
    createdAt: shownTime().meta({ description: 'When it was stored.' }),
    updatedAt: shownTime().meta({ description: 'When it was last changed.' }),
    createdBy: shownCredential().meta({
      description:
        'The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of an ' +
        'access token.',
    }),
  })
  .meta({
    id: 'UnscoredConversation',
    description: 'A conversation with an avatar, without its messages.',
  });

export type Conversation = z.infer<typeof Conversation>;

export const newConversationFields = {
  avatarId: id('avatar').meta({ description: 'The id of the avatar that the conversation is with.' }),
  externalUserId: externalUserId.nullable().optional(),
  channel: channel.nullable().optional(),
  tags: tags.optional(),
  metadata: metadata.optional(),
  deploymentId: id('deployment').nullable().optional().meta({
    description: 'The id of the deployment that the avatar runs in. Null for no deployment.',
  }),
  test: test.optional(),
  startedAt: pastTime().optional().meta({
    description:
      'When it started. Default: now. For an import, when the conversation started. At most 5 minutes in the future.',
  }),
};

/** The fields of a conversation that takes place now. An import has no assignment. */
export const startedConversationFields = {
  ...newConversationFields,
  deploymentId: newConversationFields.deploymentId.meta({
    description:
      'The id of the deployment that the avatar runs in. Null for no deployment. Default: that of the `assignment`, or null.',
  }),
  assignment: assignment.nullable().optional(),
};

const sentConversation = z.strictObject(newConversationFields);
export type SentConversation = z.infer<typeof sentConversation>;
