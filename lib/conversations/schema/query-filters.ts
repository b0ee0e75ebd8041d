/** The query parameters that filter conversations. They are apart from the filters in bodies, so that fewer bundles have them. */

import { id, sentFlag } from '../../schema/common.ts';
import { rangeAfter, rangeBefore, rangeFrom, rangeStartMs } from '../../schema/query.ts';
import { scoreFilters } from '../../scores/sent-filters.ts';
import { channel, conversationStatus, externalUserId, tag } from './values.ts';

export const conversationFilters = {
  avatarId: id('avatar').optional().meta({ description: 'Only conversations with this avatar.' }),
  externalUserId: externalUserId.optional().meta({ description: 'Only conversations with this user.' }),
  deploymentId: id('deployment').optional().meta({ description: 'Only conversations with this deployment.' }),
  channel: channel.optional().meta({ description: 'Only conversations on this channel.' }),
  tag: tag.optional().meta({ description: 'Only conversations with this tag.' }),
  test: sentFlag().meta({
    description: 'Only test conversations, or with `false` only the others. Default: both.',
    documentedAs: { type: 'boolean' },
  }),
  score: scoreFilters.optional(),
  status: conversationStatus.optional().meta({ description: 'Only conversations with this status.' }),
  startedFrom: rangeFrom('conversations started'),
  startedBefore: rangeBefore('conversations started'),
  startedAfter: rangeAfter('conversations started', 'startedFrom'),
};

/** @returns the range of starts in epoch milliseconds: from (inclusive) and before (exclusive) */
export const startTimes = (query: {
  startedFrom?: number | undefined;
  startedAfter?: number | undefined;
  startedBefore?: number | undefined;
}) => ({
  startedFromMs: rangeStartMs('started', { from: query.startedFrom, after: query.startedAfter }),
  startedBeforeMs: query.startedBefore,
});
