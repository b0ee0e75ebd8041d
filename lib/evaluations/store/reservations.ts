/**
 * Calls of models that are sent, or are about to be. A reservation is a lease: until it ends, nobody else asks a model for the same
 * fact. The transaction that stores the fact removes it.
 */

import { dayMs, secondMs, ttlSeconds } from '../../base/time.ts';
import type { ProjectStore } from '../../conversations/store/conversations.ts';
import { scores } from '../../conversations/store/scores.ts';
import { type Key, projectCollection, type Stored, unchanged } from '../../dynamodb/collection.ts';
import type { Write } from '../../dynamodb/write.ts';

/** The id is that of the fact. */
export type StoredReservation = Stored<{
  id: string;
  conversationId: string;
  /** The job or the call of the worker that asks the model. */
  holder: string;
  /** The most that the call can cost. */
  microUsd: number;
  /** Epoch milliseconds. */
  untilMs: number;
  /** How many calls without a job may have cost something, and have given no answer. The lease of such a call is one of them. */
  attempts?: number;
  ttl: number;
}>;

export const reservations = projectCollection<StoredReservation, [conversationId: string]>(
  'conversations',
  (conversationId) => ['reservations', conversationId],
);

/** A lease is longer than a call takes, with the writes after it. */
export const leaseMs = 180 * secondMs;

export type FactPlace = { conversationId: string; factId: string };

const keyOf = ({ conversationId, factId }: FactPlace): Key<[string]> => [factId, conversationId];

export type Reserving = FactPlace & Pick<StoredReservation, 'holder' | 'microUsd'> & { attempts: number };

/** @returns the reservations that exist, unordered */
export const getReservations = (
  store: ProjectStore,
  places: readonly FactPlace[],
): Promise<StoredReservation[]> => reservations.getMany(store, places.map(keyOf));

export type StoredFact = FactPlace & { jobId: string | null };

/** @returns which of these facts are stored, and by which runs */
export async function getStoredFacts(
  store: ProjectStore,
  places: readonly FactPlace[],
): Promise<StoredFact[]> {
  const items = places.length === 0 ? [] : await scores.getMany(store, places.map(keyOf));
  return items.map(({ id, tenant, jobId }) => ({
    factId: id,
    conversationId: tenant.slice(tenant.lastIndexOf('#') + 1),
    jobId,
  }));
}

/**
 * Fails if the fact is stored, or if the reservation has changed since it was read.
 * @param before the reservation that it replaces
 */
export const reserve = (
  store: ProjectStore,
  { conversationId, factId, holder, microUsd, attempts }: Reserving,
  before: StoredReservation | undefined,
  nowMs: number,
): Write<never>[] => {
  const untilMs = nowMs + leaseMs;
  const item = { id: factId, conversationId, holder, microUsd, untilMs, ...kept(untilMs, attempts) };
  const condition = before ? unchanged(before) : ({ kind: 'absent' } as const);
  return [
    reservations.at(store, conversationId).put(item, { condition }),
    scores.at(store, conversationId).check(factId, { condition: { kind: 'absent' } }),
  ];
};

/** Attempts are stored for longer than a dead letter, whose notice may come again. */
const kept = (untilMs: number, attempts: number) =>
  attempts > 0 ? { attempts, ttl: ttlSeconds(untilMs + 15 * dayMs) } : { ttl: ttlSeconds(untilMs) };

/**
 * Ends the lease. Fails if it has changed since it was read, or is gone: what is written with this happens once.
 * @param attempts of calls that the next call must know; 0 after an answer
 */
export const release = (
  store: ProjectStore,
  { id, conversationId, holder, microUsd, changedIn }: StoredReservation,
  attempts: number,
  nowMs: number,
): Write<never> => {
  const items = reservations.at(store, conversationId);
  const options = { condition: unchanged({ changedIn }) };
  const item = { id, conversationId, holder, microUsd, untilMs: nowMs, ...kept(nowMs, attempts) };
  return attempts === 0 ? items.remove(id, options) : items.put(item, options);
};
