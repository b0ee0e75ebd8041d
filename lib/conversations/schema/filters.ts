/** The filters of conversations, as the body of a request has them. */

import * as z from 'zod';
import { id, sentTime } from '../../schema/common.ts';
import { scoreFilters } from '../../scores/sent-filters.ts';
import { channel, conversationStatus, externalUserId, tag } from './values.ts';

export const sentFilters = {
  avatarId: id('avatar').exactOptional().meta({ description: 'Only conversations with this avatar.' }),
  externalUserId: externalUserId.exactOptional().meta({ description: 'Only conversations with this user.' }),
  deploymentId: id('deployment')
    .exactOptional()
    .meta({ description: 'Only conversations with this deployment.' }),
  channel: channel.exactOptional().meta({ description: 'Only conversations on this channel.' }),
  tag: tag.exactOptional().meta({ description: 'Only conversations with this tag.' }),
  status: conversationStatus.exactOptional().meta({ description: 'Only conversations with this status.' }),
  test: z.boolean().exactOptional().meta({
    description: 'Only test conversations, or with false only the others. Default: both.',
    example: false,
  }),
  scores: scoreFilters.exactOptional(),
  startedFrom: sentTime()
    .exactOptional()
    .meta({ description: 'Only conversations started at this time or later.' }),
  startedBefore: sentTime()
    .exactOptional()
    .meta({ description: 'Only conversations started before this time.' }),
};
