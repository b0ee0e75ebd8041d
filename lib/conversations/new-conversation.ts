/** A new conversation, from the fields that a caller has sent. */

import { invalidField } from '../base/errors.ts';
import { type IdKind, timeOfId } from '../base/ids.ts';
import { timestamp } from '../base/time.ts';
import { addOnDay } from '../limits/store/day-uses.ts';
import type { StoredProject } from '../projects/store.ts';
import type { SentConversation } from './schema/new-conversation.ts';
import { assertNotFuture } from './sent-times.ts';
import type { NewConversation } from './store/conversations.ts';
import { retentionCutoffMs, retentionTtl, timesOutAt } from './store/state.ts';

/** The part of a handler's input that this function uses. */
type Context = {
  caller: { principal: string };
  project: StoredProject;
  nowMs: number;
  newId: (kind: IdKind, atMs?: number) => string;
};

/** @throws ApiError validation_error for a start in the future, or so long ago that the conversation has expired */
export function newConversation(
  sent: SentConversation & { externalId: string | null },
  { caller, project, nowMs, newId }: Context,
): NewConversation {
  assertNotFuture('startedAt', sent.startedAt, nowMs);
  const id = newId('conversation', sent.startedAt);
  const startedAtMs = timeOfId(id);
  if (startedAtMs <= (retentionCutoffMs(project, nowMs) ?? -1)) {
    throw invalidField('startedAt', 'must not be older than the retentionDays of the project');
  }
  const createdAt = timestamp(nowMs);
  return {
    id,
    avatarId: sent.avatarId,
    externalId: sent.externalId,
    externalUserId: sent.externalUserId ?? null,
    channel: sent.channel ?? null,
    tags: sent.tags ?? [],
    metadata: sent.metadata ?? {},
    deploymentId: sent.deploymentId ?? null,
    status: 'active',
    startedAt: timestamp(startedAtMs),
    endedAt: null,
    endReason: null,
    messageCount: 0,
    messageCountByRole: { user: 0, avatar: 0, system: 0, tool: 0 },
    firstMessageAt: null,
    lastMessageAt: null,
    lastActivityAt: createdAt,
    timesOutAt: timesOutAt(project, nowMs),
    createdAt,
    updatedAt: createdAt,
    createdBy: caller.principal,
    dayUses: addOnDay(undefined, { conversations: 1 }, createdAt),
    ...retentionTtl(project, startedAtMs),
  };
}
