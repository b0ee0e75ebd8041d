/** Where scores go: into the conversations, or into a preview. A target says which calls are needed, and what stores their scores. */

import { again, retry } from '../../base/retry.ts';
import { timestamp } from '../../base/time.ts';
import { requireConversation } from '../../conversations/store/changes.ts';
import { getManyUnerased, type ProjectStore } from '../../conversations/store/conversations.ts';
import { getSummaries, maxScoresAtOnce, writeScores } from '../../conversations/store/scores.ts';
import type { Write } from '../../workers/worker.ts';
import {
  type FactPlace,
  getReservations,
  getStoredFacts,
  release,
  reserve,
  type StoredReservation,
} from '../store/reservations.ts';
import { putPreviews } from '../store/runs.ts';
import { factOf, type Outcome, previewOf } from './outcome.ts';
import { factIdOf, type Scorer } from './scorers.ts';

type Pair = { conversationId: string; messageCount: number; scorer: Scorer };

/** What is known of a call before it is sent. */
export type Check<Call> = {
  /** The calls to send. `writes` reserve a call, and fail if it is not needed any more. */
  open: { call: Call; writes: Write[] }[];
  /** Somebody else asks the same. */
  reservedElsewhere: Call[];
};

export type StoredOutcomes = {
  writes: Write[];
  /** The outcomes that these writes store. Others are stored already, or their conversation is gone. */
  stored: Outcome[];
};

/** `released`: the calls whose reservations these writes end. Others have ended already, or their conversation is erased. */
export type SettledOutcomes<Call> = StoredOutcomes & { released: Call[] };

export type Target = {
  /** @returns the calls that are still needed. Those that are not needed any more are in neither list */
  check<Call extends Pair>(calls: readonly Call[], mostOf: (call: Call) => number): Promise<Check<Call>>;
  /**
   * @param ended the calls that were reserved and have ended, with an outcome or without: maybe another attempt follows
   * @param isPaid whether a call without an outcome may have cost something
   */
  keep<Call extends Pair>(
    outcomes: readonly Outcome[],
    ended: readonly Call[],
    isPaid?: (call: Call) => boolean,
  ): Promise<SettledOutcomes<Call>>;
};

export const placeOf = ({ conversationId, messageCount, scorer }: Pair): FactPlace => ({
  conversationId,
  factId: factIdOf(scorer, messageCount),
});
export const keyOf = ({ conversationId, factId }: FactPlace): string => `${conversationId}/${factId}`;

const keyOfReservation = ({ conversationId, id: factId }: StoredReservation): string =>
  keyOf({ conversationId, factId });

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)];

/** Attempts that are paid even if they fail. */
export const maxPaidAttempts = 2;

/**
 * A job has the attempts of its calls. Those of other calls are in their reservations, because their notices may come again.
 * @param holder the job or the call of the worker. A run takes over the reservations of its earlier attempts
 * @param onExhausted is called if a call without a job was paid as often as it may be
 */
export function conversationTarget(
  store: ProjectStore,
  { holder, jobId, nowMs }: { holder: string; jobId: string | null; nowMs: () => number },
  onExhausted: () => void = () => {},
): Target {
  const byItself = jobId === null ? 1 : 0;
  return {
    async check(calls, mostOf) {
      const places = calls.map(placeOf);
      // One transaction stores a score and removes its reservation, so reservations are read first.
      const reservations = await getReservations(store, places);
      const [facts, conversations] = await Promise.all([
        getStoredFacts(store, places),
        getManyUnerased(store, distinct(places.map(({ conversationId }) => conversationId))),
      ]);
      const storedKeys = new Set(facts.map(keyOf));
      const conversationIds = new Set(conversations.map(({ id }) => id));
      const needed = calls.filter(
        (call) => conversationIds.has(call.conversationId) && !storedKeys.has(keyOf(placeOf(call))),
      );
      const reservationOf = (call: Pair) =>
        reservations.find((one) => keyOfReservation(one) === keyOf(placeOf(call)));
      const isReservedElsewhere = (call: Pair) => {
        const reservation = reservationOf(call);
        return reservation !== undefined && reservation.holder !== holder && reservation.untilMs > nowMs();
      };
      const isExhausted = (call: Pair) =>
        byItself > 0 && (reservationOf(call)?.attempts ?? 0) >= maxPaidAttempts;
      const free = needed.filter((call) => !isReservedElsewhere(call));
      const checkedIds = new Set<string>();
      if (free.some(isExhausted)) onExhausted();
      return {
        reservedElsewhere: needed.filter(isReservedElsewhere),
        open: free
          .filter((call) => !isExhausted(call))
          .map((call) => {
            const before = reservationOf(call);
            // Until it has ended, a call counts as paid: a killed process cannot say more.
            const attempts = (before?.attempts ?? 0) + byItself;
            const reserving = { ...placeOf(call), holder, microUsd: mostOf(call), attempts };
            const writes: Write[] = reserve(store, reserving, before, nowMs());
            if (!checkedIds.has(call.conversationId))
              writes.push(requireConversation(store, call.conversationId));
            checkedIds.add(call.conversationId);
            return { call, writes };
          }),
      };
    },
    async keep(outcomes, ended, isPaid = () => true) {
      const [reservations, facts] = await Promise.all([
        getReservations(store, ended.map(placeOf)),
        factWrites(store, outcomes, { createdAt: timestamp(nowMs()), jobId }),
      ]);
      // Another holder may have taken it over, if the call took too long.
      const ownReservations = reservations.filter((one) => one.holder === holder);
      const ownKeys = new Set(ownReservations.map(keyOfReservation));
      const released = ended.filter((call) => ownKeys.has(keyOf(placeOf(call))));
      const answered = new Set(outcomes.map((one) => keyOf(placeOf(one))));
      const unpaid = new Set(released.filter((call) => !isPaid(call)).map((call) => keyOf(placeOf(call))));
      const attemptsAfter = (reservation: StoredReservation): number => {
        const key = keyOfReservation(reservation);
        const { attempts = 0 } = reservation;
        return answered.has(key) ? 0 : Math.max(0, attempts - (unpaid.has(key) ? byItself : 0));
      };
      const releases = ownReservations.map((one) => release(store, one, attemptsAfter(one), nowMs()));
      return { writes: [...facts.writes, ...releases], stored: facts.stored, released };
    },
  };
}

/** @returns the writes of the outcomes that are not stored yet, of conversations that exist */
async function factWrites(
  store: ProjectStore,
  outcomes: readonly Outcome[],
  about: { createdAt: string; jobId: string | null },
): Promise<StoredOutcomes> {
  if (outcomes.length === 0) return { writes: [], stored: [] };
  const ids = distinct(outcomes.map(({ conversationId }) => conversationId));
  const [conversations, summaries, facts] = await Promise.all([
    getManyUnerased(store, ids),
    getSummaries(store, ids),
    getStoredFacts(store, outcomes.map(placeOf)),
  ]);
  const storedKeys = new Set(facts.map(keyOf));
  const stored: Outcome[] = [];
  const writes = conversations.flatMap((conversation): Write[] => {
    const newOutcomes = outcomes.filter(
      (one) => one.conversationId === conversation.id && !storedKeys.has(keyOf(placeOf(one))),
    );
    stored.push(...newOutcomes);
    const scores = newOutcomes.map((outcome) => factOf(outcome, about));
    return writeScores(store, conversation, summaries.get(conversation.id), scores);
  });
  return { writes, stored };
}

/** Costs are counted, and nothing is reserved: nobody else gives these scores. */
export function previewTarget(store: ProjectStore, jobId: string, nowMs: () => number): Target {
  return {
    async check(calls) {
      const ids = distinct(calls.map(({ conversationId }) => conversationId));
      const existing = new Set((await getManyUnerased(store, ids)).map(({ id }) => id));
      const needed = calls.filter(({ conversationId }) => existing.has(conversationId));
      return { reservedElsewhere: [], open: needed.map((call) => ({ call, writes: [] })) };
    },
    async keep(outcomes, ended) {
      const ids = distinct(outcomes.map(({ conversationId }) => conversationId));
      const conversations = await getManyUnerased(store, ids);
      const existing = new Set(conversations.map(({ id }) => id));
      const stored = outcomes.filter(({ conversationId }) => existing.has(conversationId));
      const byConversation = Map.groupBy(stored, ({ conversationId }) => conversationId);
      const writes = [...byConversation].flatMap(([conversationId, outcomesOf]) => {
        const scores = outcomesOf.map((outcome) => ({
          index: outcome.scorer.index,
          score: previewOf(outcome),
        }));
        return putPreviews(store, jobId, conversationId, scores, nowMs());
      });
      return { writes, stored, released: [...ended] };
    },
  };
}

/** A transaction has room for so many writes, beside those of the job. */
const maxWrites = 92;
/** Scores of different conversations: each has five writes, as long as its value does not change. */
const outcomesAtOnce = 18;

/**
 * Stores outcomes that have cost nothing, in as few transactions as possible.
 * @param save commits the writes of some outcomes, and returns false if a condition does not hold
 */
export async function storeOutcomes(
  target: Target,
  outcomes: readonly Outcome[],
  save: (kept: StoredOutcomes) => Promise<boolean>,
): Promise<void> {
  for (let rest = outcomes; rest.length > 0; ) {
    let size = outcomesAtOnce;
    const attempt = async () => {
      const batch = firstOf(rest, size);
      const result = await target.keep(batch, []);
      const isTooLarge = result.writes.length > maxWrites && batch.length > 1;
      // If others change the conversations, fewer at once are more likely to be written.
      if (isTooLarge || (result.writes.length > 0 && !(await save(result)))) {
        size = Math.max(1, Math.ceil(batch.length / 2));
        return again;
      }
      return batch.length;
    };
    const done = await retry(attempt, { failure: () => new Error('the conversations are being changed') });
    rest = rest.slice(done);
  }
}

/** @returns the first outcomes, of each conversation at most as many as one call of `writeScores` may get */
function firstOf(outcomes: readonly Outcome[], size: number): readonly Outcome[] {
  const counts = new Map<string, number>();
  const firstOutcomes = outcomes.slice(0, size);
  const end = firstOutcomes.findIndex(({ conversationId }) => {
    const count = (counts.get(conversationId) ?? 0) + 1;
    counts.set(conversationId, count);
    return count > maxScoresAtOnce;
  });
  return end === -1 ? firstOutcomes : firstOutcomes.slice(0, end);
}
