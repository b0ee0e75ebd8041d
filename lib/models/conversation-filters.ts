/** The query parameters that choose conversations. */

import * as z from 'zod';
import { id, sentTime } from './common.ts';
import { channel, conversationStatuses, externalUserId, tag } from './conversation-values.ts';

export const conversationFilters = {
  avatarId: id('avatar').optional().meta({ description: 'Only conversations with this avatar.' }),
  externalUserId: externalUserId.optional().meta({ description: 'Only conversations of this user.' }),
  deploymentId: id('deployment').optional().meta({ description: 'Only conversations with this deployment.' }),
  channel: channel.optional().meta({ description: 'Only conversations on this channel.' }),
  tag: tag.optional().meta({ description: 'Only conversations with this tag.' }),
  status: z.enum(conversationStatuses).optional().meta({ description: 'Only conversations of this status.' }),
  startedAfter: sentTime().optional().meta({ description: 'Only conversations started after this time.' }),
  startedBefore: sentTime().optional().meta({ description: 'Only conversations started before this time.' }),
};
