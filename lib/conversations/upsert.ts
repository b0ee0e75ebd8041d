/** Compares a conversation that a caller sends again with the stored conversation. */

import { canonicalJson } from '../base/json.ts';
import { timestamp } from '../base/time.ts';
import type { Conversation } from './schema/conversation.ts';
import type { SentConversation } from './schema/new-conversation.ts';

const fixedFields = ['avatarId', 'externalUserId', 'channel', 'deploymentId'] as const;

/** @returns the names of the fields that cannot change, and that differ. An omitted `startedAt` equals any */
export function differingFields(
  stored: Pick<Conversation, (typeof fixedFields)[number] | 'startedAt'>,
  { startedAt, ...sent }: SentConversation,
): string[] {
  const differing: string[] = fixedFields.filter((name) => (sent[name] ?? null) !== stored[name]);
  const isOther = startedAt !== undefined && timestamp(startedAt) !== stored.startedAt;
  return isOther ? [...differing, 'startedAt'] : differing;
}

/** The values that an upsert can change, as a text to compare. The order of tags has no meaning. */
export const labelsOf = ({ tags, metadata }: Pick<Conversation, 'tags' | 'metadata'>): string =>
  canonicalJson([tags.toSorted(), metadata]);
