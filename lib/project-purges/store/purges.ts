/**
 * The record of a project's purge. It is written before anything is removed, wakes the worker that removes, and says how
 * far it is. It holds nothing of the project but its id. It stays for longer than a backup, so that a restore knows.
 */

import type { Store, Within } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { deletedPartition, type StoredProject } from '../../projects/store.ts';
import { dayMs, timestamp, ttlSeconds } from '../../time.ts';

export const purgesPartition = 'purges';
const purges: Within = [purgesPartition];

const keptAfterEndMs = 90 * dayMs;

export type StoredPurge = {
  /** The project's. */
  id: string;
  status: 'running' | 'succeeded' | 'failed';
  /** Counts the requests to go on. A change of it wakes the worker; a change of the progress does not. */
  run: number;
  /** When the project was deleted; null where that is not known any more. */
  deletedAt: string | null;
  startedAt: string;
  finishedAt: string | null;
  removedItems: number;
  /** Runs that failed since the last one that did not. */
  failures: number;
  error: string | null;
};

export const getPurge = (store: Store, projectId: string): Promise<StoredPurge | undefined> =>
  store.get('projects', projectId, purges) as Promise<StoredPurge | undefined>;

/**
 * Begins a purge: from then on the project cannot be restored.
 * @param project the deleted project where its item still exists; refused when it is restored at the same time
 */
export function beginPurge(
  store: Store,
  id: string,
  { deletedAt, project }: { deletedAt: string | null; project?: StoredProject },
  nowMs: number,
): Write<never>[] {
  const purge: StoredPurge = {
    id,
    status: 'running',
    run: 1,
    deletedAt,
    startedAt: timestamp(nowMs),
    finishedAt: null,
    removedItems: 0,
    failures: 0,
    error: null,
  };
  const absent = { kind: 'absent' } as const;
  return [
    store.put('projects', purge, { within: purges, condition: absent }),
    store.check('projects', id, { condition: absent }),
    project
      ? store.remove('projects', id, {
          within: [deletedPartition],
          condition: { kind: 'unchanged', changedIn: project.changedIn },
        })
      : store.check('projects', id, { within: [deletedPartition], condition: absent }),
  ];
}

/** What a purge says from the beginning, and when it is to look at everything once more. */
export const goingOnAgain = { status: 'running', finishedAt: null, failures: 0, error: null } as const;

type PurgeChanges = Partial<Omit<StoredPurge, 'id' | 'run' | 'removedItems' | 'startedAt' | 'deletedAt'>>;

/** Notes progress. @param further items removed since the last note; `run` 1 wakes the worker again */
export const notePurge = (
  store: Store,
  id: string,
  changes: PurgeChanges,
  further: { removedItems?: number; run?: number } = {},
): Write<never> =>
  store.update('projects', id, changes, { within: purges, condition: { kind: 'present' }, add: further });

/** The end: everything below the project is gone. */
export const endPurge = (store: Store, id: string, removedItems: number, nowMs: number): Write<never> =>
  store.update(
    'projects',
    id,
    {
      status: 'succeeded',
      finishedAt: timestamp(nowMs),
      failures: 0,
      error: null,
      ttl: ttlSeconds(nowMs + keptAfterEndMs),
    },
    { within: purges, condition: { kind: 'present' }, add: { removedItems } },
  );
