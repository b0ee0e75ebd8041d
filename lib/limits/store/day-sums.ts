/**
 * What is counted on each day (UTC) has a sum for the tenant, and a sum for each project. Whoever counts something adds it to both
 * in one transaction, so the sums of all projects are the sum of the tenant, at any time.
 *
 * The tenant has its own sum, because a read would otherwise have to add up all projects. Each project has a partition of its own, so
 * projects that are busy at the same time do not share the capacity of a partition. The partition has a digest in place of the id
 * of its project, and only an entry in a list names the project. A purge takes the name from the entry, and the sums stay.
 */

import { hash } from 'node:crypto';
import { idPrefixes, ulidPattern } from '../../base/ids.ts';
import { dailyQuotas } from '../../base/stage-limits.ts';
import { dayMs, secondMs, timestamp, ttlSeconds } from '../../base/time.ts';
import { type Items, type Stored, tenantCollection } from '../../dynamodb/collection.ts';
import type { Store } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';

/** What is counted, beside the cost of models (model-cost.ts). */
export const amounts = [...dailyQuotas, 'exportedRecords'] as const;
export type Amounts = Record<(typeof amounts)[number], number>;

/** The id is the day, such as `2026-03-01`. `countedThrough` is the time of the latest change that a worker has counted. */
export type DaySum = Stored<Partial<Amounts> & { id: string; countedThrough?: string; ttl: number }>;

/** The sums of the tenant, and with the digest of a project, of this project. */
const daySums = tenantCollection<DaySum, readonly string[]>('limits', (...project) => ['days', ...project]);

export const digestOf = (projectId: string): string => hash('sha256', projectId, 'base64url');

/** @param digest of a project; null for the sums of the tenant */
export const daySumsOf = (store: Store, digest: string | null): Items<DaySum> =>
  digest === null ? daySums.at(store) : daySums.at(store, digest);

/** A sum is kept for this time after the end of its day. */
const keptMs = 400 * dayMs;

const endMs = (day: string): number => Date.parse(day) + dayMs;

export const ttlOfDay = (day: string): number => ttlSeconds(endMs(day) + keptMs);

export const isKept = ({ ttl }: { ttl: number }, nowMs: number): boolean => ttl > nowMs / secondMs;

export const dayOf = (at: string): string => at.slice(0, 10);

/** @returns the sum of the tenant on the day of this time; undefined if nothing is counted */
export async function getDaySum(store: Store, nowMs: number): Promise<DaySum | undefined> {
  // A function that reads the quotas may use BatchGetItem already, but not GetItem.
  const [sum] = await daySums.at(store).getMany([dayOf(timestamp(nowMs))]);
  return sum;
}

/**
 * @param digests of projects; null for the tenant
 * @returns their sums of a day, in the same order
 */
export async function getDaySums(
  store: Store,
  digests: readonly (string | null)[],
  day: string,
): Promise<(DaySum | undefined)[]> {
  const keys = digests.map((digest) => (digest === null ? ([day] as const) : ([day, digest] as const)));
  const sums = await daySums.getMany(store, keys);
  return digests.map((digest) => {
    const place = daySumsOf(store, digest).key(day).tenant;
    return sums.find(({ tenant }) => tenant === place);
  });
}

/** @returns the writes that add amounts to the sums of a project and of its tenant. Each call of the writes adds them again */
export const addToDay = (
  store: Store,
  projectId: string,
  day: string,
  add: Partial<Amounts>,
): Write<never>[] =>
  [null, digestOf(projectId)].map((digest) =>
    daySumsOf(store, digest).update(day, { ttl: ttlOfDay(day) }, { condition: { kind: 'any' }, add }),
  );

/**
 * A project that has sums. The id is the id of the project, or `gonePrefix` and its digest after the purge: such an entry is behind
 * all others in a list that begins with the newest project.
 */
type Counted = Stored<{ id: string; ttl: number }>;

const countedProjects = tenantCollection<Counted>('limits', () => ['projects']);

const gonePrefix = 'gone#';

/** The ids of entries, for the cursors of lists. */
export const entryPattern = new RegExp(
  `^(${idPrefixes.project}_${ulidPattern}|${gonePrefix}[A-Za-z0-9_-]{43})$`,
);

const goneId = (projectId: string): string => `${gonePrefix}${digestOf(projectId)}`;

/** An entry is kept for longer than necessary, so that a busy project does not write it on each day. */
const entryWrittenEveryMs = 30 * dayMs;

/** @returns the digest of the project of an entry, and its id unless it is purged */
const projectOf = ({ id }: Counted): { digest: string; projectId: string | null } =>
  id.startsWith(gonePrefix)
    ? { digest: id.slice(gonePrefix.length), projectId: null }
    : { digest: digestOf(id), projectId: id };

/** Projects whose sums may be changed on a day. */
export type Countable = {
  /** The writes that let the sums be found. */
  writes: Write<never>[];
  /** The projects that are not purged. */
  projectIds: ReadonlySet<string>;
};

/** @param day the day of the sums that are about to change */
export async function countableProjects(
  store: Store,
  projectIds: readonly string[],
  day: string,
): Promise<Countable> {
  const entries = countedProjects.at(store);
  const stored = await entries.getMany(projectIds.flatMap((projectId) => [projectId, goneId(projectId)]));
  const storedById = new Map(stored.map((entry) => [entry.id, entry]));
  const kept = projectIds.filter((projectId) => !storedById.has(goneId(projectId)));
  const ttl = ttlSeconds(endMs(day) + keptMs);
  const later = ttlSeconds(endMs(day) + keptMs + entryWrittenEveryMs);
  return {
    projectIds: new Set(kept),
    writes: kept
      .filter((projectId) => (storedById.get(projectId)?.ttl ?? 0) < ttl)
      .map((projectId) => entries.update(projectId, { ttl: later }, { condition: { kind: 'any' } })),
  };
}

/**
 * The sums of the project stay, without its name. Nothing is added to them any more, as soon as every worker that may have read the
 * entry before has ended (lib/runtime/fence.ts).
 */
export function forgetProject(store: Store, projectId: string, nowMs: number): Write<never>[] {
  const entries = countedProjects.at(store);
  const condition = { kind: 'any' } as const;
  const gone = { id: goneId(projectId), ttl: ttlSeconds(nowMs + keptMs + dayMs) };
  return [entries.remove(projectId, { condition }), entries.put(gone, { condition })];
}

/** A page of projects that have sums. `id` is the id of the entry, and `projectId` is null for a project that is purged. */
export type CountedProjects = {
  items: readonly { id: string; digest: string; projectId: string | null }[];
  next: string | null;
};

/**
 * @param list the list continues after the entry `after`
 * @returns the newest project first, and purged ones last
 */
export async function pageOfCounted(
  store: Store,
  list: { after: string | undefined; limit: number },
  nowMs: number,
): Promise<CountedProjects> {
  const filter = (entry: Counted) => isKept(entry, nowMs);
  const { items, next } = await countedProjects.at(store).page({ ...list, filter });
  return { items: items.map((entry) => ({ id: entry.id, ...projectOf(entry) })), next };
}
