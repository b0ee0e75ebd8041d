import * as z from 'zod';
import { id, pastTime } from '../../schema/common.ts';
import { metadata } from '../../schema/metadata.ts';
import { tags } from './conversation.ts';
import { channel, externalUserId } from './values.ts';

export const newConversationFields = {
  avatarId: id('avatar').meta({ description: 'The id of the avatar that the conversation is with.' }),
  externalUserId: externalUserId.nullable().optional(),
  channel: channel.nullable().optional(),
  tags: tags.optional(),
  metadata: metadata.optional(),
  deploymentId: id('deployment').nullable().optional().meta({
    description: 'The id of the deployment that the avatar runs in. Null for no deployment.',
  }),
  startedAt: pastTime().optional().meta({
    description:
      'When it started. Default: now. For an import, when the conversation started. At most 5 minutes in the future.',
  }),
};

const sent = z.strictObject(newConversationFields);
export type SentConversation = z.infer<typeof sent>;
