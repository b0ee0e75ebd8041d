/**
 * The record of the purge of a project is written before anything is removed, triggers the worker, and has the progress. It
 * contains nothing of the project but the id, and is kept for longer than backups, so that a restore respects it.
 */

import { dayMs, timestamp, ttlSeconds } from '../../base/time.ts';
import { type Stored, tenantCollection, unchanged } from '../../dynamodb/collection.ts';
import { load } from '../../dynamodb/load.ts';
import type { Store } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import type { Target } from '../../workers/schedule/schedule.ts';
import { deletedPartition, deletedProjects, projects, type StoredDeletedProject } from '../store.ts';

export const purgesPartition = 'purges';

export const keptAfterEndMs = 90 * dayMs;

type StoredPurge = Stored<{
  id: string;
  status: 'running' | 'succeeded' | 'failed';
  /** The number of requests to continue. A change of this number triggers the worker, and a change of the progress does not. */
  run: number;
  /** The time of the deletion of the project; null if unknown. */
  deletedAt: string | null;
  startedAt: string;
  finishedAt: string | null;
  removedItems: number;
  /** The number of consecutive failed runs. */
  failures: number;
  error: string | null;
  /** Only a purge that has ended expires. */
  ttl?: number;
}>;

export const purges = tenantCollection<StoredPurge>('projects', () => [purgesPartition]);

export const purgeInPath = load({
  from: [purges],
  read: (get, { project_id }: { project_id: string }) => get(purges, project_id),
});

export const getPurge = (store: Store, projectId: string): Promise<StoredPurge | undefined> =>
  purges.at(store).get(projectId);

/** The purge of a deleted project is due for its worker at this target. */
export const purgeTarget = (id: string): Target => ({
  worker: 'project-purger',
  table: 'projects',
  partition: [deletedPartition],
  id,
});

/**
 * Starts a purge. From then on, the project cannot be restored.
 * @param project the deleted project, if its item still exists. The writes are refused if it is restored at the same time
 */
export function beginPurge(
  store: Store,
  id: string,
  { deletedAt, project }: { deletedAt: string | null; project?: StoredDeletedProject },
  nowMs: number,
): Write<never>[] {
  const absent = { kind: 'absent' } as const;
  return [
    purges.at(store).put({
      id,
      status: 'running',
      run: 1,
      deletedAt,
      startedAt: timestamp(nowMs),
      finishedAt: null,
      removedItems: 0,
      failures: 0,
      error: null,
    }),
    projects.at(store).check(id, { condition: absent }),
    project
      ? deletedProjects.at(store).remove(id, { condition: unchanged(project) })
      : deletedProjects.at(store).check(id, { condition: absent }),
  ];
}

/** A purge has this state when it starts, or starts again. */
export const initialPurgeState = { status: 'running', finishedAt: null, failures: 0, error: null } as const;

type PurgeChanges = Partial<Pick<StoredPurge, 'status' | 'finishedAt' | 'failures' | 'error'>>;

/**
 * @param further the number of items removed since the last save; `run` 1 triggers the worker again
 * @returns the write that saves the progress
 */
export const notePurge = (
  store: Store,
  id: string,
  changes: PurgeChanges,
  further: { removedItems?: number; run?: number } = {},
): Write<never> => purges.at(store).update(id, changes, { condition: { kind: 'present' }, add: further });

/** Ends the purge when everything below the project is removed. */
export const endPurge = (store: Store, id: string, removedItems: number, nowMs: number): Write<never> =>
  purges.at(store).update(
    id,
    {
      status: 'succeeded',
      finishedAt: timestamp(nowMs),
      failures: 0,
      error: null,
      ttl: ttlSeconds(nowMs + keptAfterEndMs),
    },
    { condition: { kind: 'present' }, add: { removedItems } },
  );
