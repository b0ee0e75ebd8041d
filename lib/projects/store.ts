/**
 * Active and archived projects are in the partition of their tenant. Deleted projects can be restored for 7 days. They are in
 * the partition `deleted`, so that reads do not have to skip them.
 */

import { firstIdAt, idRangeOf } from '../base/ids.ts';
import { dayMs, timestamp } from '../base/time.ts';
import { type Stored, tenantCollection, unchanged } from '../dynamodb/collection.ts';
import { load } from '../dynamodb/load.ts';
import {
  externalPart,
  type Found,
  findNamed,
  movePointer,
  putPointer,
  type StoredPointer,
} from '../dynamodb/pointers.ts';
import { type Page, type Store, toPage } from '../dynamodb/store.ts';
import type { Write } from '../dynamodb/write.ts';
import type { Project, ProjectSettings } from './schema.ts';

export const restorableMs = 7 * dayMs;
export const deletedPartition = 'deleted';
const idRange = idRangeOf('project');

export type StoredProject = Stored<Project>;
/** `restoresTo` is the status before the deletion. From `purgeAt` on, the project cannot be restored. */
export type StoredDeletedProject = Stored<Project & { restoresTo: Project['status']; purgeAt: string }>;

export const defaultSettings: ProjectSettings = {
  conversationTimeoutMinutes: 30,
  retentionDays: null,
  searchFields: [],
  maxConversationCostUsd: null,
};

/** @param project undefined if it is purged @returns its fields; none if it is stored by an earlier version */
export const searchFieldsOf = (project: StoredProject | undefined): readonly string[] =>
  (project?.settings as Partial<ProjectSettings> | undefined)?.searchFields ?? [];

export const projects = tenantCollection<StoredProject>('projects');
export const deletedProjects = tenantCollection<StoredDeletedProject>('projects', () => [deletedPartition]);
/** The pointers from the externalIds of projects that are not deleted. */
const projectPointers = tenantCollection<StoredPointer>('projects', () => [externalPart]);

type ProjectPath = { project_id: string };

export const projectInPath = load({
  from: [projects],
  read: (get, { project_id }: ProjectPath) => get(projects, project_id),
});

export const deletedProjectInPath = load({
  from: [deletedProjects],
  read: (get, { project_id }: ProjectPath) => get(deletedProjects, project_id),
  find: (project, { nowMs }: { nowMs: number }) => restorable(project, nowMs),
});

export const getProject = (store: Store, id: string): Promise<StoredProject | undefined> =>
  projects.at(store).get(id);

/** @returns the project that has the externalId, unless it is deleted */
export const findProjectByExternalId = (store: Store, externalId: string): Promise<Found<StoredProject>> =>
  findNamed(projectPointers.at(store), projects.at(store), externalId);

/**
 * Moves the externalId of a project that is created, changed, deleted or restored.
 * @param before undefined for a project that is new or was deleted
 * @param after undefined for a project that is deleted
 */
export const nameProject = (store: Store, before: Project | undefined, after: Project | undefined) =>
  movePointer(projectPointers.at(store), projects.at(store), before, after);

/** @param leftOver a pointer whose project is gone */
export const giveExternalId = (
  store: Store,
  project: Project,
  externalId: string,
  leftOver: StoredPointer | undefined,
): Write<never> => putPointer(projectPointers.at(store), externalId, { id: project.id }, leftOver);

/** @returns the deleted project while it can be restored */
export const getDeletedProject = async (
  store: Store,
  id: string,
  nowMs: number,
): Promise<StoredDeletedProject | undefined> => restorable(await deletedProjects.at(store).get(id), nowMs);

/** A worker removes the project after `purgeAt`. */
const restorable = (project: StoredDeletedProject | undefined, nowMs: number) =>
  project && Date.parse(project.purgeAt) > nowMs ? project : undefined;

export type ProjectList = {
  externalId: string | undefined;
  status: Project['status'] | undefined;
  /** `createdFromMs` is inclusive, and `createdBeforeMs` exclusive. */
  createdFromMs: number | undefined;
  createdBeforeMs: number | undefined;
  after: string | undefined;
  limit: number;
};

/** @param callerProjectIds the projects to which the caller is bound; null for all */
export async function listProjects(
  store: Store,
  list: ProjectList,
  callerProjectIds: readonly string[] | null,
): Promise<Page<StoredProject>> {
  const { externalId, status, createdFromMs, createdBeforeMs, after, limit } = list;
  const from = createdFromMs === undefined ? idRange.first : firstIdAt('project', createdFromMs);
  const to = createdBeforeMs === undefined ? idRange.last : firstIdAt('project', createdBeforeMs);
  const filter = (project: StoredProject) => status === undefined || project.status === status;
  if (externalId !== undefined) {
    const { resource: project } = await findProjectByExternalId(store, externalId);
    const isVisible = project && (callerProjectIds === null || callerProjectIds.includes(project.id));
    const isMatch = isVisible && project.id >= from && project.id <= to && filter(project);
    return { items: isMatch ? [project] : [], next: null };
  }
  if (callerProjectIds === null) return projects.at(store).page({ from, to, after, limit, filter });
  const ids = callerProjectIds.filter((id) => id >= from && id <= to && (after === undefined || id < after));
  const items = (await projects.at(store).getMany(ids)).filter(filter);
  items.sort((a, b) => (a.id < b.id ? 1 : -1));
  return toPage(items, limit, null);
}

export const createProject = (store: Store, project: Project): Write<never> =>
  projects.at(store).put(project);

export const changeProject = (
  store: Store,
  project: StoredProject,
  changes: Partial<Omit<Project, 'id'>>,
): Write<never> => projects.at(store).update(project.id, changes, { condition: unchanged(project) });

/** @returns the time until which a project that is deleted now can be restored, after which it is purged */
export const purgeAt = (nowMs: number): string => timestamp(nowMs + restorableMs);

export function deleteProject(store: Store, project: StoredProject, nowMs: number): Write<never>[] {
  const after = { ...project, status: 'deleted', updatedAt: timestamp(nowMs) } as const;
  return [
    projects.at(store).remove(project.id, { condition: unchanged(project) }),
    deletedProjects.at(store).put({ ...after, restoresTo: project.status, purgeAt: purgeAt(nowMs) }),
  ];
}

export function restoreProject(store: Store, project: StoredDeletedProject, nowMs: number): Write<never>[] {
  const { restoresTo, purgeAt: _, ...rest } = project;
  return [
    deletedProjects.at(store).remove(project.id, { condition: unchanged(project) }),
    projects.at(store).put({ ...rest, status: restoresTo, updatedAt: timestamp(nowMs) }),
  ];
}

/** @returns a check that succeeds if the project exists and is not deleted when the transaction commits */
export const requireProject = <Code extends 'not_found'>(
  store: Store,
  id: string,
  onConditionFailed: Code,
): Write<Code> => projects.at(store).check(id, { condition: { kind: 'present' }, onConditionFailed });
