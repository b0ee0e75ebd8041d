/** The requests of imports, with the lines that failed. They are removed when the job ends. */

import type { Quotas } from '../../base/stage-limits.ts';
import { dayMs, ttlSeconds } from '../../base/time.ts';
import { projectCollection, type Stored } from '../../dynamodb/collection.ts';
import type { Contents } from '../../dynamodb/contents.ts';
import type { ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import type { JobItem } from '../../jobs/job.ts';
import type { ImportResult } from '../../jobs/results.ts';
import { jobs } from '../../jobs/store.ts';
import { type StoredUpload, takeUpload, uploadPlaces } from './uploads/store.ts';

export type { ProjectStore };

export type Problem = ImportResult['errors'][number];

/** The next line, and the number of lines before it that are not blank. */
export type CheckedUpTo = { version: string; number: number; offset: number; lines: number };

/** The parts of a compressed file that are stored: how many, and the size of their text. */
export type Unpacked = { version: string; parts: number; bytes: number; isComplete: boolean };

export type StoredImport = Stored<{
  id: string;
  uploadId: string;
  /** The quotas of the caller when the import was requested. */
  quotas: Quotas;
  /** The version of the file that was checked. Another version is not imported. */
  version?: string;
  /** Missing for a plain file. */
  unpacked?: Unpacked;
  /** How far the file is checked, if a turn has ended before its end. */
  checked?: CheckedUpTo;
  /** The first lines that failed. */
  problems: Problem[];
  ttl: number;
}>;

const importRequests = projectCollection<StoredImport>('jobs', () => ['imports']);

export const queueImport = (
  store: ProjectStore,
  job: JobItem,
  upload: StoredUpload,
  quotas: Quotas,
): Write<never>[] => [
  jobs.at(store).put(job),
  takeUpload(store, upload, { jobId: job.id }),
  importRequests.at(store).put({
    id: job.id,
    uploadId: upload.id,
    quotas,
    problems: [],
    ttl: ttlSeconds(Date.parse(job.deadlineAt) + dayMs),
  }),
];

export const getImport = (store: ProjectStore, jobId: string): Promise<StoredImport | undefined> =>
  importRequests.at(store).get(jobId);

/** The caller writes this together with the job, whose condition keeps other runs from writing. */
export const noteImport = (
  store: ProjectStore,
  jobId: string,
  changes: Partial<Pick<StoredImport, 'version' | 'unpacked' | 'checked' | 'problems'>>,
): Write<never> => importRequests.at(store).update(jobId, changes, { condition: { kind: 'present' } });

export const removeImport = (store: ProjectStore, jobId: string): Write<never> =>
  importRequests.at(store).remove(jobId, { condition: { kind: 'any' } });

/** @returns the imports' part of a project, without its uploads, which name files; see lib/dynamodb/contents.ts */
export const importContents = (store: ProjectStore): Contents[] => [
  importRequests.at(store),
  uploadPlaces.at(store),
];
