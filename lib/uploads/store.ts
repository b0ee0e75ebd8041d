/**
 * Files that callers upload. Each has an item, written before the link is given out, so that there is no file that no item
 * names. In the table of jobs, because a job uses the file.
 */

import { projectCollection, type Stored, unchanged } from '../dynamodb/collection.ts';
import type { ProjectStore } from '../dynamodb/store.ts';
import type { Write } from '../dynamodb/write.ts';
import { dayMs, hourMs, minuteMs } from '../time.ts';

export type { ProjectStore };

/** Each link works for this long. */
export const uploadLinkMs = 15 * minuteMs;
/** A job must be able to end before the file is removed. */
export const uploadUsableMs = 12 * hourMs;
/** When the file is removed, at the latest. */
export const uploadLifetimeMs = dayMs;

export const maxUploadBytes = 100 * 1024 * 1024;
/** Of a project at the same time. */
export const maxUploads = 100;

export type StoredUpload = Stored<{
  id: string;
  bytes: number;
  createdAt: string;
  createdBy: string;
  /** The job that uses it. */
  jobId?: string;
  ttl: number;
}>;

const part = 'uploads';
export const uploads = projectCollection<StoredUpload>('jobs', () => [part]);

/** The keys of an item. */
type Keys = { tenant: string; id: string };

/** @param item of the table of jobs */
export const isUpload = ({ tenant }: Pick<Keys, 'tenant'>): boolean => tenant.endsWith(`#${part}`);

/** @returns the key of the file, which begins with the organisation, the mode and the project */
export const uploadKey = ({ tenant, id }: Keys): string => [...tenant.split('#'), id].join('/');

export const getUpload = (store: ProjectStore, id: string): Promise<StoredUpload | undefined> =>
  uploads.at(store).get(id);

/** Whether the project has as many uploads as it may have. */
export async function hasMaxUploads(store: ProjectStore): Promise<boolean> {
  const { items } = await uploads.at(store).page({ limit: maxUploads });
  return items.length >= maxUploads;
}

/** Gives the file to a job. Fails if another request was faster. */
export const takeUpload = (store: ProjectStore, upload: StoredUpload, jobId: string): Write<never> =>
  uploads.at(store).update(upload.id, { jobId }, { condition: unchanged(upload) });

export const removeUploadItem = (store: ProjectStore, id: string): Write<never> =>
  uploads.at(store).remove(id, { condition: { kind: 'any' } });

export const isUploadId = (id: string): boolean => id.startsWith('upl_');
