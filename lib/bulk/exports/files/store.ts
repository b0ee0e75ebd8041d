/**
 * The parts of exports, and of unpacked imports: one item for each file, written before the file, so that there is no file that no
 * item names. A part that was begun and not completed stays, because its file may exist; it is removed with the other parts.
 */

import { projectCollection, type Stored, type Unstored, unchanged } from '../../../dynamodb/collection.ts';
import type { Page, ProjectStore } from '../../../dynamodb/store.ts';
import type { Write } from '../../../dynamodb/write.ts';

export type { ProjectStore };

export const exportContents = ['conversations', 'documents', 'audit'] as const;
export type ExportContent = (typeof exportContents)[number];

/** Why a part was removed before its time. */
export const removalReasons = ['conversation_erased', 'document_deleted', 'retention_shortened'] as const;
export type RemovalReason = (typeof removalReasons)[number];

export type ExportPart = Stored<{
  /** `<job>#<number, six digits>#<run>`, or `#uploads#<upload>` at the end for an import. */
  id: string;
  what: ExportContent | 'import';
  /** `begun`: the file may exist. `abandoned`: it was never complete, and does not exist. */
  status: 'begun' | 'ready' | 'removed' | 'abandoned';
  /** The lowest and the highest id of its records. */
  first: string;
  last: string;
  records: number;
  bytes: number;
  expiresAt: string;
  removedBecause?: RemovalReason;
  ttl: number;
}>;

export type NewPart = Unstored<ExportPart>;

/** The parts are in the table of jobs, because a part belongs to a job. */
export const exportParts = projectCollection<ExportPart>('jobs', () => ['parts']);

const numberLength = 6;

export const partId = (jobId: string, number: number, run: string): string =>
  `${jobId}#${String(number).padStart(numberLength, '0')}#${run}`;

/** The key of the file shows that it belongs to an upload: lib/base/files.ts. */
export const unpackedId = (jobId: string, number: number, uploadId: string): string =>
  partId(jobId, number, `uploads#${uploadId}`);

export const partNumber = ({ id }: Pick<ExportPart, 'id'>): number => Number(id.split('#')[1]);

/** @param item an item of the table of jobs */
export const isExportPart = ({ tenant }: Pick<ExportPart, 'tenant'>): boolean => tenant.endsWith('#parts');

/**
 * @param item the keys of a part
 * @returns the key of its file, which begins with the organisation, the mode and the project
 */
export const fileKey = ({ tenant, id }: Pick<ExportPart, 'tenant' | 'id'>): string => {
  const [organisation, mode, project] = tenant.split('#');
  return [organisation, mode, project, ...id.split('#')].join('/');
};

/** @returns the parts of one export, or of all exports of the project; oldest first */
export const pageParts = (
  store: ProjectStore,
  { jobId, after }: { jobId?: string; after: string | undefined },
): Promise<Page<ExportPart>> =>
  exportParts.at(store).page({
    // `$` follows `#`.
    ...(jobId !== undefined && { from: `${jobId}#`, to: `${jobId}$` }),
    order: 'oldest',
    after,
    limit: 1000,
  });

export const beginPart = (store: ProjectStore, part: NewPart): Write<never> =>
  exportParts.at(store).put(part);

/** No erasure looks for records in it: the import does not store what is erased. A repeated call changes nothing. */
export const beginUnpacked = (
  store: ProjectStore,
  part: Pick<NewPart, 'id' | 'bytes' | 'expiresAt' | 'ttl'>,
): Write<never> => {
  const item: NewPart = { ...part, what: 'import', status: 'begun', first: '', last: '', records: 0 };
  return exportParts.at(store).put(item, { condition: { kind: 'any' } });
};

export const getPart = (store: ProjectStore, id: string): Promise<ExportPart | undefined> =>
  exportParts.at(store).get(id);

/** Fails if the part was removed in the meantime. */
export const completePart = (store: ProjectStore, id: string): Write<never> =>
  exportParts
    .at(store)
    .update(id, { status: 'ready' }, { condition: { kind: 'equals', attribute: 'status', value: 'begun' } });

/** Fails if the part has changed since it was read. */
export const endPart = (store: ProjectStore, part: ExportPart, reason: RemovalReason): Write<never> => {
  // Callers have not seen a part that was not complete.
  const changes =
    part.status === 'ready'
      ? ({ status: 'removed', removedBecause: reason } as const)
      : ({ status: 'abandoned' } as const);
  return exportParts.at(store).update(part.id, changes, { condition: unchanged(part) });
};

export const abandonPart = (store: ProjectStore, id: string): Write<never> =>
  exportParts.at(store).update(id, { status: 'abandoned' }, { condition: { kind: 'present' } });

export const removePart = (store: ProjectStore, id: string): Write<never> =>
  exportParts.at(store).remove(id, { condition: { kind: 'any' } });
