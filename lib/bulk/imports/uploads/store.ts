/**
 * Files that callers upload. Each has an item, written before the link is given out, so that there is no file that no item
 * names. The items are in the table of jobs, because a job uses the file.
 */

import { invalidField } from '../../../base/errors.ts';
import { dayMs, hourMs, minuteMs } from '../../../base/time.ts';
import { projectCollection, type Stored, unchanged } from '../../../dynamodb/collection.ts';
import { chanceOf, findPlace } from '../../../dynamodb/places.ts';
import type { ProjectStore } from '../../../dynamodb/store.ts';
import type { Write } from '../../../dynamodb/write.ts';

export type { ProjectStore };

export const uploadLinkMs = 15 * minuteMs;
/** A job must be able to end before the file is removed. */
export const uploadUsableMs = 12 * hourMs;
/** When the file is removed, at the latest. */
export const uploadLifetimeMs = dayMs;

export const uploadPurposes = ['conversations', 'knowledge'] as const;
export type UploadPurpose = (typeof uploadPurposes)[number];

export const maxUploadBytes: Readonly<Record<UploadPurpose, number>> = {
  conversations: 100 * 1024 * 1024,
  knowledge: 25 * 1024 * 1024,
};
/** A project has at most so many uploads at the same time. */
export const maxUploads = 100;

export type StoredUpload = Stored<{
  id: string;
  bytes: number;
  createdAt: string;
  createdBy: string;
  purpose: UploadPurpose;
  /** The job or the document that uses it. */
  jobId?: string;
  documentId?: string;
  ttl: number;
}>;

const part = 'uploads';
export const uploads = projectCollection<StoredUpload>('jobs', () => [part]);

/** Each place names the last upload that took it. */
type StoredPlace = Stored<{ id: string; uploadId: string; ttl: number }>;
export const uploadPlaces = projectCollection<StoredPlace>('jobs', () => [part, 'places']);

type Keys = { tenant: string; id: string };

/** @param item an item of the table of jobs */
export const isUpload = ({ tenant }: Pick<Keys, 'tenant'>): boolean => tenant.endsWith(`#${part}`);

/** @returns the key of the file, which begins with the organisation, the mode and the project */
export const uploadKey = ({ tenant, id }: Keys): string => [...tenant.split('#'), id].join('/');

export const fileOf = (store: ProjectStore, id: string): string => uploadKey(uploads.at(store).key(id));

export const getUpload = (store: ProjectStore, id: string): Promise<StoredUpload | undefined> =>
  uploads.at(store).get(id);

/**
 * @returns the upload, which nothing else uses
 * @throws ApiError validation_error if there is no such upload
 */
export const usableUpload = async (
  store: ProjectStore,
  id: string,
  purpose: UploadPurpose,
  nowMs: number,
): Promise<StoredUpload> => requireUsable(await getUpload(store, id), purpose, nowMs);

/**
 * @returns the upload, which nothing else uses
 * @throws ApiError validation_error if it is not such an upload
 */
export function requireUsable(
  upload: StoredUpload | undefined,
  purpose: UploadPurpose,
  nowMs: number,
): StoredUpload {
  const isRecent = upload && Date.parse(upload.createdAt) + uploadUsableMs > nowMs;
  const isTaken = upload?.jobId !== undefined || upload?.documentId !== undefined;
  if (!upload || !isRecent || isTaken || upload.purpose !== purpose) {
    throw invalidField(
      'uploadId',
      `must be an upload of the last 12 hours with the purpose ${purpose} that nothing else uses`,
    );
  }
  return upload;
}

/**
 * Takes one of the project's places for a new upload, which leaves it when it is removed.
 * @returns undefined if the project has the allowed number of uploads
 */
export async function takeUploadPlace(
  store: ProjectStore,
  { id: uploadId, ttl }: Pick<StoredUpload, 'id' | 'ttl'>,
  nowMs: number,
): Promise<Write<never> | undefined> {
  const places = uploadPlaces.at(store);
  const endedOf = async (places: readonly StoredPlace[]) => {
    const placeUploads = await uploads.at(store).getMany(places.map((place) => place.uploadId));
    const uploadIds = new Set(placeUploads.map(({ id }) => id));
    return places.filter((place) => !uploadIds.has(place.uploadId));
  };
  const chance = chanceOf(uploadId);
  const place = await findPlace(places, { count: maxUploads, nowMs, chance, endedOf });
  if (!place) return undefined;
  const { id, condition } = place;
  const write: Write<never> = places.put({ id, uploadId, ttl }, { condition });
  return write;
}

/** Gives the file to a job or a document. Fails if another request was faster. */
export const takeUpload = (
  store: ProjectStore,
  upload: StoredUpload,
  by: { jobId: string } | { documentId: string },
): Write<never> => uploads.at(store).update(upload.id, by, { condition: unchanged(upload) });

export const removeUploadItem = (store: ProjectStore, id: string): Write<never> =>
  uploads.at(store).remove(id, { condition: { kind: 'any' } });

export const isUploadId = (id: string): boolean => id.startsWith('upl_');
