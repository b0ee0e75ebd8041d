/**
 * The units of rollouts that have a counted conversation. The transaction that creates the conversation writes the item of its unit, so
 * each unit counts once. The item goes with its conversation.
 */

import { nowSeconds } from '../../base/time.ts';
import { projectCollection, type Stored, unchanged } from '../../dynamodb/collection.ts';
import type { ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { type Assignment, parseAssignment } from '../assign.ts';

export type StoredUnit = Stored<{ id: string; conversationId: string; ttl?: number }>;

/** They are in the table of their conversations, so that a restore brings back both. */
export const rolloutUnits = projectCollection<StoredUnit>('conversations', () => ['rollout-units']);

type Counted = { id: string; assignment?: string; counted?: true };

const unitId = ({ rolloutId, hash }: Assignment): string => `${rolloutId}#${hash}`;

export const getUnit = (store: ProjectStore, assignment: Assignment): Promise<StoredUnit | undefined> =>
  rolloutUnits.at(store).get(unitId(assignment));

/** @returns whether the unit has a conversation. TTL may not have removed an expired item yet */
export const isCounted = (unit: StoredUnit | undefined, nowMs: number): boolean =>
  unit !== undefined && (unit.ttl === undefined || unit.ttl > nowSeconds(nowMs));

const countedAssignment = ({ assignment, counted }: Counted): Assignment | undefined =>
  counted && assignment !== undefined ? parseAssignment(assignment) : undefined;

/** @returns the item of the unit that counts with this conversation */
export async function unitOf(store: ProjectStore, conversation: Counted): Promise<StoredUnit | undefined> {
  const assignment = countedAssignment(conversation);
  const unit = assignment && (await getUnit(store, assignment));
  // A unit may count again after its conversation has expired.
  return unit?.conversationId === conversation.id ? unit : undefined;
}

/** The write fails if another conversation of the unit is created at the same time. */
export function putUnit(
  store: ProjectStore,
  conversation: Counted & { createdAt: string; ttl?: number },
): Write<never>[] {
  const assignment = countedAssignment(conversation);
  if (!assignment) return [];
  const { id: conversationId, createdAt, ttl } = conversation;
  const condition = { kind: 'absent_or_expired', nowSeconds: nowSeconds(Date.parse(createdAt)) } as const;
  const item = { id: unitId(assignment), conversationId, ...(ttl !== undefined && { ttl }) };
  return [rolloutUnits.at(store).put(item, { condition })];
}

export async function removeUnit(store: ProjectStore, conversation: Counted): Promise<Write<never>[]> {
  const unit = await unitOf(store, conversation);
  return unit ? [rolloutUnits.at(store).remove(unit.id, { condition: unchanged(unit) })] : [];
}
