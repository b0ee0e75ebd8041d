/**
 * Values that several schemas use. They are not in conversation.ts so that the bundle of a search does not contain that file.
 */

import * as z from 'zod';
import { externalIdOf } from '../../schema/names.ts';
import { name } from '../../schema/text.ts';

export const externalUserId = name(255).meta({
  description: 'Your own id of the user.',
  example: 'customer-4711',
});
export const conversationExternalId = externalIdOf(
  'conversation, unique in the project',
  'call-2026-03-01-17',
);
export const channel = name(40).meta({ description: 'Where it takes place, such as `web`.', example: 'web' });
export const tag = name(40).meta({ description: 'A label.', example: 'refund' });

const conversationStatuses = ['active', 'ended'] as const;
export const conversationStatus = z.enum(conversationStatuses).meta({
  id: 'ConversationStatus',
  description: 'Whether the conversation accepts messages: only an `active` conversation accepts them.',
  example: 'active',
});

const messageRoles = ['user', 'avatar', 'system', 'tool'] as const;
export const messageRole = z
  .enum(messageRoles)
  .meta({ id: 'MessageRole', description: 'Who said it.', example: 'user' });
