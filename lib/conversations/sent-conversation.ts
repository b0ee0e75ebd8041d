/** A conversation that a caller sends: its times, a new conversation, and the comparison with the stored one. */

import { invalidField } from '../base/errors.ts';
import { type IdKind, timeOfId } from '../base/ids.ts';
import { canonicalJson } from '../base/json.ts';
import { minuteMs, timestamp } from '../base/time.ts';
import { addOnDay } from '../limits/store/day-uses.ts';
import type { StoredProject } from '../projects/store.ts';
import type { Assigned } from '../rollouts/units/sent-assignment.ts';
import type { Conversation, SentConversation } from './schema/conversation.ts';
import type { NewConversation } from './store/conversations.ts';
import { retentionCutoffMs, retentionTtl, timesOutAt } from './store/state.ts';

/** The clock of a client may be ahead by this much. */
export const maxClockSkewMs = 5 * minuteMs;

/** @throws ApiError validation_error for a time in the future */
export function assertNotFuture(path: string, sentMs: number | undefined, nowMs: number): void {
  if (sentMs !== undefined && sentMs > nowMs + maxClockSkewMs) {
    throw invalidField(path, 'must be at most 5 minutes in the future');
  }
}

/**
 * @param toleranceMs the end may be earlier by this much
 * @throws ApiError validation_error for an end before the start or the last message
 */
export function assertOrder(
  endedAtMs: number | undefined,
  { startedAt, lastMessageAt }: Pick<Conversation, 'startedAt' | 'lastMessageAt'>,
  toleranceMs = 0,
): void {
  if (endedAtMs === undefined) return;
  const latestMs = endedAtMs + toleranceMs;
  if (latestMs < Date.parse(startedAt)) throw invalidField('endedAt', 'must not be before `startedAt`');
  if (lastMessageAt !== null && latestMs < Date.parse(lastMessageAt)) {
    throw invalidField('endedAt', 'must not be before the last message');
  }
}

/** The part of a handler's input that this function uses. */
type Context = {
  caller: { principal: string };
  project: StoredProject;
  nowMs: number;
  newId: (kind: IdKind, atMs?: number) => string;
};

/**
 * @throws ApiError validation_error for a start in the future, or so long ago that the conversation has expired, and for a test
 *   conversation with an assignment
 */
export function newConversation(
  sent: SentConversation & { externalId: string | null },
  { caller, project, nowMs, newId }: Context,
  assigned?: Assigned,
): NewConversation {
  assertNotFuture('startedAt', sent.startedAt, nowMs);
  if (sent.test && assigned) throw invalidField('test', 'must not be true together with an `assignment`');
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
    ...(sent.test && { test: true }),
    ...assigned,
  };
}

const fixedFields = ['avatarId', 'externalUserId', 'channel', 'deploymentId'] as const;

/** A conversation that is no test stores nothing about it. */
const isOtherTest = (stored: { test?: true }, test = false): boolean => test !== (stored.test ?? false);

/**
 * An omitted `startedAt` or `assignment` equals any, and so does an omitted `deploymentId` that the assignment or a reply has chosen.
 * @returns the names of the fields that cannot change, and that differ
 */
export function differingFields(
  stored: Pick<
    NewConversation,
    (typeof fixedFields)[number] | 'startedAt' | 'assignment' | 'deployedLater' | 'test'
  >,
  { startedAt, assignment, test, ...sent }: SentConversation & { assignment?: string | null | undefined },
): string[] {
  const isChosen =
    (stored.assignment !== undefined && sent.deploymentId === undefined) ||
    (stored.deployedLater && (sent.deploymentId ?? null) === null);
  const compared = fixedFields.filter((name) => name !== 'deploymentId' || !isChosen);
  const differing: string[] = compared.filter((name) => (sent[name] ?? null) !== stored[name]);
  if (startedAt !== undefined && timestamp(startedAt) !== stored.startedAt) differing.push('startedAt');
  if (assignment !== undefined && assignment !== (stored.assignment ?? null)) differing.push('assignment');
  if (isOtherTest(stored, test)) differing.push('test');
  return differing;
}

const identifyingFields = ['avatarId', 'externalUserId', 'channel'] as const;

/** @returns the names of the fields that were sent, and that say whose conversation it is, and differ */
export const differingIdentity = (
  stored: Pick<NewConversation, (typeof identifyingFields)[number] | 'test'>,
  sent: SentConversation,
): string[] => [
  ...identifyingFields.filter((name) => sent[name] !== undefined && sent[name] !== stored[name]),
  ...(sent.test !== undefined && isOtherTest(stored, sent.test) ? ['test'] : []),
];

/** The values that an upsert can change, as a text to compare. The order of tags has no meaning. */
export const labelsOf = ({ tags, metadata }: Pick<Conversation, 'tags' | 'metadata'>): string =>
  canonicalJson([tags.toSorted(), metadata]);
