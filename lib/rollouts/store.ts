/**
 * Rollouts of a project, by id, in the table of its deployments. An entry for each is in a second partition, sorted by environment, for
 * the list. The environment has a copy of what its runtimes need (lib/avatars/deployments/store/environments.ts), and every move
 * writes both in one transaction.
 */

import type { EnvironmentItem, ServedDeployment } from '../avatars/deployments/store/environments.ts';
import type { Caller } from '../base/caller.ts';
import { projectCollection, type Stored, unchanged } from '../dynamodb/collection.ts';
import type { Contents } from '../dynamodb/contents.ts';
import { countSetBy, defineSetters } from '../dynamodb/setters.ts';
import type { Page, ProjectStore, Store } from '../dynamodb/store.ts';
import type { Write } from '../dynamodb/write.ts';
import { parseAssignment } from './assign.ts';
import type { Rollout } from './schema.ts';

export type { ProjectStore };

export type RolloutItem = Omit<Rollout, 'holdUntil'> & {
  /** Since when the present step is held, and for how long. A pause stores the rest. Missing if no time is held. */
  hold?: { since: string; ms: number };
  /** The rest of the hold of a paused rollout. */
  holdLeftMs?: number;
  /** The guards whose breach somebody has accepted by resuming the rollout. They pause it no more. */
  acceptedBreaches?: readonly string[];
  /** The credential on whose behalf it moves by itself: that of the start, or of the last resumption. */
  setBy: string;
  /** The conversations of both deployments before the start, on the day of the start: they are not part of the rollout. */
  conversationsBefore: number;
};
export type StoredRollout = Stored<RolloutItem>;

export const rolloutPlace = 'rollouts';
export const rollouts = projectCollection<StoredRollout>('deployments', () => [rolloutPlace]);
type Entry = Stored<{ id: string }>;
const entries = projectCollection<Entry>('deployments', () => ['rollouts-of-environments']);

const entryId = ({ environment, id }: Pick<Rollout, 'environment' | 'id'>) => `${environment}#${id}`;
const idOfEntry = (entry: string) => entry.slice(entry.indexOf('#') + 1);

export const getRollout = (store: ProjectStore, id: string): Promise<StoredRollout | undefined> =>
  rollouts.at(store).get(id);

/** @returns the rollouts of conversations that have ended and count. Their guards, which never change, say which scores count */
export async function getAssignedRollouts(
  store: ProjectStore,
  conversations: readonly { assignment?: string; counted?: true; status: string }[],
): Promise<StoredRollout[]> {
  const ended = conversations.filter(({ counted, status }) => counted && status === 'ended');
  const ids = new Set(ended.flatMap(({ assignment = '' }) => parseAssignment(assignment)?.rolloutId ?? []));
  return ids.size > 0 ? rollouts.at(store).getMany([...ids]) : [];
}

/** @returns the rollouts of an environment, newest first. Also those of a deleted environment of this name */
export async function listRollouts(
  store: ProjectStore,
  environment: string,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<Page<StoredRollout>> {
  const page = await entries.at(store).page({
    from: `${environment}#`,
    // `$` follows `#`.
    to: `${environment}$`,
    after: after === undefined ? undefined : entryId({ environment, id: after }),
    limit,
  });
  const found = await rollouts.at(store).getMany(page.items.map(({ id }) => idOfEntry(id)));
  return {
    items: found.toSorted((one, other) => (one.id > other.id ? -1 : 1)),
    next: page.next === null ? null : idOfEntry(page.next),
  };
}

/** @returns the running rollout, or else the last one */
export const lastRollout = async (
  store: ProjectStore,
  environment: string,
): Promise<StoredRollout | undefined> => (await listRollouts(store, environment, { limit: 1 })).items[0];

/** @returns the environment with what its runtimes need of the rollout; without a rollout after its end */
export function withRollout(
  { rollout: _, ...environment }: EnvironmentItem,
  rollout: RolloutItem,
  candidate: ServedDeployment,
): EnvironmentItem {
  if (rollout.endedAt !== null) return environment;
  const { id, percent, span } = rollout;
  return { ...environment, rollout: { id, percent, span, candidate } };
}

export const rolloutSetters = defineSetters('deployments');

export const startRollout = (store: ProjectStore, rollout: RolloutItem): Write<never>[] => [
  rollouts.at(store).put(rollout),
  entries.at(store).put({ id: entryId(rollout) }),
  rolloutSetters.put(store, rollout),
];

/** Writes a move, if the rollout is unchanged since it was read. After its end, it acts on behalf of nobody. */
export function changeRollout(
  store: ProjectStore,
  before: StoredRollout,
  after: RolloutItem,
): Write<never>[] {
  const change = rollouts.at(store).put(after, { condition: unchanged(before) });
  if (after.endedAt !== null) return [change, rolloutSetters.remove(store, before)];
  if (after.setBy === before.setBy) return [change];
  return [change, rolloutSetters.remove(store, before), rolloutSetters.put(store, after)];
}

/** @returns whether the end of its credential pauses it */
export const movesByItself = ({ endedAt, status }: Pick<RolloutItem, 'endedAt' | 'status'>): boolean =>
  endedAt === null && status !== 'paused';

/** @returns the number of rollouts that have not ended and are not paused; see lib/dynamodb/setters.ts */
export const countRolloutsOf = (
  store: Store,
  caller: Pick<Caller, 'projectIds'>,
  keys: ReadonlySet<string>,
): Promise<number> =>
  countSetBy(rolloutSetters, store, caller, keys, async (project, ids) =>
    (await rollouts.at(project).getMany([...ids])).filter(movesByItself),
  );

/** @returns the entries of the rollouts of a project, for its purge, which removes the rollouts themselves before */
export const rolloutContents = (store: ProjectStore): Contents[] => [entries.at(store)];
