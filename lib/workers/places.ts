/**
 * Places of an organisation in a worker. A piece of work that cannot be divided (`longPiece` in worker.ts) keeps the place of its
 * notice for longer than a turn. So one organisation, live and test together, gets at most half of the places of such a worker.
 * They are numbered items that expire, so a killed function blocks no place (lib/dynamodb/places.ts).
 *
 * A worker whose notices come in batches takes a place for each notice that may take long. The others are not counted.
 *
 * A notice without a place waits in an item, and its message is deleted, so waiting costs no invocation and no receive. Each
 * notice that ends gives its place to the oldest that waits, and sends it back to the queue. A function may be killed before that. Then
 * its own notice comes again, and ends again. A timer in the schedule is for notices that wait when all others have become dead letters.
 */

import { again, retry } from '../base/retry.ts';
import { minuteMs, secondMs, ttlSeconds } from '../base/time.ts';
import { type Stored, tenantCollection, unchanged } from '../dynamodb/collection.ts';
import { chanceOf, freeAt, numbered, pick } from '../dynamodb/places.ts';
import type { Write } from '../dynamodb/write.ts';
import { clearDue, setDue } from './due.ts';
import { type Notice, type Notices, readNotice, writeNotice } from './notice.ts';
import { TurnOver } from './turn.ts';
import type { PlaceQuotas, Worker, WorkerInput } from './worker.ts';
import { commitDecided, commitPatiently } from './writes.ts';

/** The holder is a run, or the id of a waiting notice that was sent and has not come yet. */
type StoredPlace = Stored<{ id: string; holder: string; ttl: number }>;
/** The id sorts by the time since which the notice waits. `sentMs` is when it was last sent back to the queue; 0 if it was not. */
type StoredWaiting = Stored<{ id: string; notice: string; sentMs: number }>;

export const heldPlaces = tenantCollection<StoredPlace, [worker: string]>('schedule', (worker) => [
  'places',
  worker,
]);
export const waitingNotices = tenantCollection<StoredWaiting, [worker: string]>('schedule', (worker) => [
  'places',
  worker,
  'queue',
]);

/** The notice waits for a place of its organisation. Code that gets this error has changed nothing. */
export class NoPlace extends TurnOver {}

/** A clock may be so much ahead of the clock that has set a time. */
const clockSkewMs = 5 * secondMs;
/** Timers are set to such times, so that the notices of some minutes set the same timer. */
const timerStepMs = 5 * minuteMs;

/** @returns how many places one organisation gets: by default so many that it leaves as many to the others */
export const placesOf = (
  { maxConcurrency, placesOf: own }: Pick<Worker, 'maxConcurrency' | 'placesOf'>,
  quotas: PlaceQuotas = {},
): number => own?.(quotas) ?? Math.floor(maxConcurrency / 2);

/**
 * @param held the stored places
 * @param waits the id of the waiting notice: a place may be kept for it
 * @param chance from 0 to below 1: simultaneous notices pick different places
 * @returns a place that can be taken, with the condition of the write that takes it
 */
export function freePlace(
  held: readonly StoredPlace[],
  {
    count,
    nowMs,
    waits,
    chance,
  }: { count: number; nowMs: number; waits: string | undefined; chance: number },
) {
  const kept = held.find(({ holder }) => holder === waits);
  const placesById = new Map(held.map((place) => [place.id, place]));
  const isFree = (id: string) => (placesById.get(id)?.ttl ?? 0) * secondMs <= nowMs;
  const id = kept?.id ?? pick(numbered(count).filter(isFree), chance);
  return id === undefined ? undefined : freeAt(id, placesById.get(id));
}

export type NoticePlaces = {
  /** Takes the place of a notice, also if it has it. @throws NoPlace */
  take(notice: Notice): Promise<void>;
  /** Leaves the place of a notice before the work on the others has ended. */
  leave(notice: Notice): Promise<void>;
};

type Input = Pick<WorkerInput, 'inMode' | 'commit' | 'sleep' | 'nowMs' | 'newId' | 'quotas'>;
export type SendAgain = (notices: readonly { notice: Notice; seconds: number }[]) => Promise<void>;

/**
 * Does the work of notices with places of their organisation. Workers without long pieces need none.
 * @param work gets the notices that do not wait, and a function that takes the place of one of them, which may be called several
 *   times. It throws NoPlace
 * @throws what `work` throws
 */
export async function withPlaces(
  worker: Worker,
  notices: Notices,
  input: Input,
  sendAgain: SendAgain,
  work: (notices: Notices, places: Pick<NoticePlaces, 'take' | 'leave'>) => Promise<void>,
): Promise<void> {
  if (!worker.longPiece) return work(notices, { take: async () => {}, leave: async () => {} });
  const { from } = worker.longPiece;
  const places = openPlaces(worker, input, sendAgain);
  const taken = new Map<Notice, Promise<Write<never>>>();
  const take = async (notice: Notice) => {
    const taking = taken.get(notice) ?? places.take(notice);
    taken.set(notice, taking);
    await taking;
  };
  const leave = async (notice: Notice) => {
    const taking = taken.get(notice);
    if (!taking) return;
    taken.delete(notice);
    await commitPatiently(input, [await taking]);
    await places.startOldest();
  };
  try {
    const ready: Notice[] = [];
    for (const notice of notices) {
      if (notice.table === 'schedule') await places.startByTimer();
      // A place is kept for a notice that has waited.
      else if ((from !== 'start' && notice.waits === undefined) || (await hasPlace(take(notice))))
        ready.push(notice);
    }
    const [first, ...others] = ready;
    if (first) await work([first, ...others], { take, leave });
  } finally {
    const leaves = (await Promise.allSettled(taken.values())).flatMap((result) =>
      result.status === 'fulfilled' ? [result.value] : [],
    );
    await Promise.all(leaves.map((leave) => commitPatiently(input, [leave])));
    // A run that was killed has started nobody. Its notices come again, and end without a place.
    if (leaves.length > 0 || worker.placesOf) await places.startOldest();
  }
}

/** @returns whether the notice has its place; false if it waits */
export const hasPlace = (taking: Promise<void>): Promise<boolean> =>
  taking.then(
    () => true,
    (error: unknown) => {
      if (error instanceof NoPlace) return false;
      throw error;
    },
  );

function openPlaces(declaration: Worker, input: Input, sendAgain: SendAgain) {
  const { id: worker, timeoutSeconds, longPiece } = declaration;
  const { nowMs, newId } = input;
  const store = input.inMode('live');
  const held = heldPlaces.at(store, worker);
  const waiting = waitingNotices.at(store, worker);
  const timer = { worker, table: 'schedule', partition: ['places'], id: worker } as const;
  const count = placesOf(declaration, input.quotas);
  // A place that is taken just before its piece ends before the notices of a killed run come again.
  const heldSeconds = declaration.placesOf ? (longPiece?.maxSeconds ?? timeoutSeconds) : timeoutSeconds;
  const holdMs = heldSeconds * secondMs + clockSkewMs;

  const find = async (waits: string | undefined, holder: string) =>
    freePlace((await held.page({ limit: count })).items, {
      count,
      nowMs: nowMs(),
      waits,
      chance: chanceOf(holder),
    });
  const put = ({ id, condition }: ReturnType<typeof freeAt>, holder: string): Write<never> =>
    held.put({ id, holder, ttl: ttlSeconds(nowMs() + holdMs) }, { condition });

  /** @returns the write that leaves the place @throws NoPlace */
  function take(notice: Notice): Promise<Write<never>> {
    const holder = newId('call');
    let { waits } = notice;
    let hasWaited = false;
    const attempt = async () => {
      // When it is stored, somebody else may keep a place for it, and send it.
      const place = await find(hasWaited ? undefined : waits, holder);
      if (place) {
        const ends = waits === undefined ? [] : [waiting.remove(waits, { condition: { kind: 'any' } })];
        if (await commitPatiently(input, [put(place, holder), ...ends])) return again;
        return held.remove(place.id, { condition: { kind: 'equals', attribute: 'holder', value: holder } });
      }
      if (hasWaited) throw new NoPlace();
      waits = await wait(notice);
      // A place that has become free in the meantime is seen now, or its holder sees that this notice waits.
      hasWaited = true;
      return again;
    };
    return retry(attempt, { failure: () => new Error('other notices are in the way') });
  }

  /** @returns the id of the waiting notice. One that was sent too early waits at its old place */
  async function wait({ waits: earlier, ...notice }: Notice): Promise<string> {
    const item = { notice: writeNotice(notice), sentMs: 0 };
    await setTimer();
    if (earlier !== undefined) {
      const waitsAgain = waiting.put({ ...item, id: earlier }, { condition: { kind: 'present' } });
      if (!(await commitPatiently(input, [waitsAgain]))) return earlier;
    }
    const id = newId('call');
    await commitPatiently(input, [waiting.put({ ...item, id })]);
    return id;
  }

  function setTimer(): Promise<void> {
    const dueMs = Math.ceil((nowMs() + holdMs) / timerStepMs) * timerStepMs;
    return commitDecided(input, () => setDue(store, timer, dueMs, nowMs()));
  }

  /** Keeps free places for the notices that have waited longest, and sends them. */
  async function startOldest(): Promise<void> {
    for (;;) {
      // One more than can have a place.
      const { items } = await waiting.page({ order: 'oldest', limit: count + 1 });
      const oldest = items.find(({ sentMs }) => sentMs + holdMs <= nowMs());
      const place = oldest && (await find(oldest.id, oldest.id));
      if (!place) return;
      const { id, notice } = oldest;
      const sent = waiting.put({ id, notice, sentMs: nowMs() }, { condition: unchanged(oldest) });
      if (await commitPatiently(input, [put(place, id), sent])) continue;
      await sendAgain([{ notice: { ...readNotice(notice), waits: id }, seconds: 0 }]);
    }
  }

  /** All places may have expired. */
  async function startByTimer(): Promise<void> {
    await startOldest();
    const { items } = await waiting.page({ limit: 1 });
    if (items.length > 0) await setTimer();
    else await commitDecided(input, () => clearDue(store, timer));
  }

  return { take, startOldest, startByTimer };
}
