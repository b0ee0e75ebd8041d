/** The state of a stored conversation at a given time, under the settings of its project. Pure. */

import { dayMs, minuteMs, secondMs, timestamp, ttlSeconds } from '../../base/time.ts';
import type { StoredProject } from '../../projects/store.ts';
import type { Conversation } from '../schema/conversation.ts';

type StateFields = Pick<Conversation, 'status' | 'startedAt' | 'lastMessageAt' | 'endedAt' | 'endReason'> & {
  timesOutAt: string;
};

export const timesOutAt = (project: StoredProject, lastActivityMs: number): string =>
  timestamp(lastActivityMs + project.settings.conversationTimeoutMinutes * minuteMs);

/**
 * @returns what changes when something is added now. A request that is retried after a lost race may be older than the last activity
 */
export function activityOf(
  { lastActivityAt }: Pick<Conversation, 'lastActivityAt'>,
  project: StoredProject,
  nowMs: number,
): Pick<Conversation, 'lastActivityAt' | 'updatedAt'> & { timesOutAt: string } {
  const activeMs = Math.max(nowMs, Date.parse(lastActivityAt));
  const at = timestamp(activeMs);
  return { lastActivityAt: at, timesOutAt: timesOutAt(project, activeMs), updatedAt: at };
}

/**
 * Conversations that started at this time or earlier have expired.
 * @returns epoch milliseconds, or undefined if the project keeps everything
 */
export function retentionCutoffMs({ settings }: StoredProject, nowMs: number): number | undefined {
  return settings.retentionDays === null ? undefined : nowMs - settings.retentionDays * dayMs;
}

/** @returns the `ttl` of a conversation under the current setting of its project; undefined if the project keeps everything */
export const retentionTtl = ({ settings }: StoredProject, startedAtMs: number): { ttl?: number } =>
  settings.retentionDays === null ? {} : { ttl: ttlSeconds(startedAtMs + settings.retentionDays * dayMs) };

/** @returns the conversation as it is at this time: after its timeout it has ended, even if that is not stored yet */
export function conversationAt<C extends StateFields>(conversation: C, nowMs: number): C {
  if (conversation.status === 'ended' || Date.parse(conversation.timesOutAt) > nowMs) return conversation;
  return { ...conversation, status: 'ended', endedAt: conversation.timesOutAt, endReason: 'timeout' };
}

/** @returns the conversation as the API shows it; the schema of the response removes the attributes that are only stored */
export function showConversation<C extends StateFields>(conversation: C) {
  const { startedAt, lastMessageAt } = conversation;
  const durationMs = lastMessageAt === null ? 0 : Date.parse(lastMessageAt) - Date.parse(startedAt);
  return { ...conversation, durationSeconds: Math.max(0, Math.round(durationMs / secondMs)) };
}
