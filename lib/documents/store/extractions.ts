/**
 * The requests to extract the texts of uploaded files. A document has one while its `extraction` is `pending`. Its end is a
 * change that a worker sees.
 */

import { pagesOf } from '../../base/pages.ts';
import type { Quotas } from '../../base/stage-limits.ts';
import { projectCollection, type Stored, unchanged } from '../../dynamodb/collection.ts';
import type { ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';

export type NewExtraction = {
  uploadId: string;
  /** The media type that was sent with the file. */
  mimeType?: string;
  requestedAt: string;
  /** The quotas of who sent the file. */
  quotas: Quotas;
  /** How often a worker has started to read the file, and has not ended. */
  starts: number;
};

/** Its id is that of the document. */
export type StoredExtraction = Stored<NewExtraction & { id: string }>;

export const extractionsPlace = 'extractions';
export const extractions = projectCollection<StoredExtraction>('knowledge', () => [extractionsPlace]);

/** @param partition of an item of the table `knowledge` */
export const isExtraction = (partition: readonly string[]): boolean => partition[1] === extractionsPlace;

export const getExtraction = (store: ProjectStore, id: string): Promise<StoredExtraction | undefined> =>
  extractions.at(store).get(id);

export const pagesOfExtractions = (store: ProjectStore): AsyncIterable<readonly StoredExtraction[]> =>
  pagesOf((after) => extractions.at(store).page({ after, limit: 1000 }));

/** Replaces an earlier request of the document. */
export const putExtraction = (store: ProjectStore, id: string, extraction: NewExtraction): Write<never> =>
  extractions.at(store).put({ id, ...extraction }, { condition: { kind: 'any' } });

/** @param extraction the request as it was read; by default, any request of the document is removed */
export const removeExtraction = (
  store: ProjectStore,
  id: string,
  extraction?: StoredExtraction,
): Write<never> =>
  extractions.at(store).remove(id, { condition: extraction ? unchanged(extraction) : { kind: 'any' } });

/** Fails if the request has ended, was replaced, or is with another run. */
export const requireExtraction = (store: ProjectStore, extraction: StoredExtraction): Write<never> =>
  extractions.at(store).check(extraction.id, { condition: unchanged(extraction) });

/** Counts a start, or takes it back. Fails if another run was faster. */
export const countStart = (store: ProjectStore, extraction: StoredExtraction, starts: number): Write<never> =>
  extractions.at(store).update(extraction.id, { starts }, { condition: unchanged(extraction) });
