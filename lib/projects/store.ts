/**
 * Projects. Active and archived ones are in their tenant's partition, deleted ones in that tenant's `deleted`
 * partition, from which they can be restored for 7 days: so no read has to step over them.
 */

import { type Page, pageOf, type Store, type Within } from '../dynamodb/store.ts';
import type { Item, Write } from '../dynamodb/write.ts';
import { firstIdAt, idRangeOf } from '../ids.ts';
import { dayMs, secondMs, timestamp, ttlSeconds } from '../time.ts';
import type { Project, ProjectSettings } from './schema.ts';

const restorableMs = 7 * dayMs;
export const deletedPartition = 'deleted';
const deleted: Within = [deletedPartition];
const idRange = idRangeOf('project');

export type StoredProject = Project & { changedIn: string };
/** `restoresTo` is the status that the project had before. */
type DeletedProject = StoredProject & { restoresTo: Project['status']; ttl: number };

export const defaultSettings: ProjectSettings = { conversationTimeoutMinutes: 30, retentionDays: null };

/** An item may be older than a setting. */
const withSettings = <P extends Item>(item: P) => ({
  ...item,
  settings: { ...defaultSettings, ...(item.settings as Partial<ProjectSettings> | undefined) },
});

/** @returns a project's item, as a stream has it, as a project */
export const projectOf = (item: Item) => withSettings(item) as Item & StoredProject;

export async function getProject(store: Store, id: string): Promise<StoredProject | undefined> {
  const item = await store.get('projects', id);
  return item && projectOf(item);
}

export async function getDeletedProject(
  store: Store,
  id: string,
  nowMs: number,
): Promise<DeletedProject | undefined> {
  const item = await store.get('projects', id, deleted);
  const project = item && (withSettings(item) as Item & DeletedProject);
  return project && project.ttl > nowMs / 1000 ? project : undefined;
}

export type ProjectList = {
  status: Project['status'] | undefined;
  /** Epoch milliseconds, the first is included, the last is not. */
  createdFromMs: number | undefined;
  createdBeforeMs: number | undefined;
  after: string | undefined;
  limit: number;
};

/** @param only the projects that the caller is bound to; null for all */
export async function listProjects(
  store: Store,
  list: ProjectList,
  only: readonly string[] | null,
): Promise<Page<StoredProject>> {
  const { status, createdFromMs, createdBeforeMs, after, limit } = list;
  const from = createdFromMs === undefined ? idRange.first : firstIdAt('project', createdFromMs);
  const to = createdBeforeMs === undefined ? idRange.last : firstIdAt('project', createdBeforeMs);
  const keep = (item: Item) => item.status === status;
  if (only === null) {
    const query = { from, to, after, limit, ...(status && { keep }) };
    const page = await store.page('projects', query);
    return { ...page, items: page.items.map(withSettings) as (Item & StoredProject)[] };
  }
  const ids = only.filter((id) => id >= from && id <= to && (after === undefined || id < after));
  const items = (await store.getMany('projects', ids))
    .filter((item) => status === undefined || keep(item))
    .map(withSettings)
    .sort((a, b) => (a.id < b.id ? 1 : -1));
  return pageOf(items as (Item & StoredProject)[], limit, null);
}

export const createProject = (store: Store, project: Project): Write<never> => store.put('projects', project);

/** Changes some fields, unless somebody else has changed the project since it was read. */
export const changeProject = (
  store: Store,
  project: StoredProject,
  changes: Partial<Omit<Project, 'id'>>,
): Write<never> =>
  store.update('projects', project.id, changes, {
    condition: { kind: 'unchanged', changedIn: project.changedIn },
  });

/** @returns until when a deleted project can be restored; it is purged then */
export const purgeAt = ({ ttl }: Pick<DeletedProject, 'ttl'>): string => timestamp(ttl * secondMs);

/** When a project that is deleted now is purged, in epoch seconds. */
export const purgeSeconds = (nowMs: number): number => ttlSeconds(nowMs + restorableMs);

/** Moves a project to the deleted ones. */
export function deleteProject(store: Store, project: StoredProject, nowMs: number): Write<never>[] {
  const after = { ...project, status: 'deleted', updatedAt: timestamp(nowMs) };
  const ttl = purgeSeconds(nowMs);
  return [
    store.remove('projects', project.id, {
      condition: { kind: 'unchanged', changedIn: project.changedIn },
    }),
    store.put(
      'projects',
      { ...after, restoresTo: project.status, ttl },
      { within: deleted, condition: { kind: 'absent' } },
    ),
  ];
}

/** Moves a deleted project back to where it was, as it was. */
export function restoreProject(store: Store, project: DeletedProject, nowMs: number): Write<never>[] {
  const { restoresTo, ttl: _, ...rest } = project;
  return [
    store.remove('projects', project.id, {
      within: deleted,
      condition: { kind: 'unchanged', changedIn: project.changedIn },
    }),
    store.put('projects', { ...rest, status: restoresTo, updatedAt: timestamp(nowMs) }),
  ];
}

/** Holds while the project is there and not deleted, at the moment of the write. */
export const requireProject = <Code extends 'not_found'>(
  store: Store,
  id: string,
  onConditionFailed: Code,
): Write<Code> => store.check('projects', id, { condition: { kind: 'present' }, onConditionFailed });
