/**
 * The state that the runs of a job share: the place where the next run continues, and the progress. Both depend on the type of
 * the job. In the table, the attributes `blocks` and `position` serve several types. Pure.
 */

import { type EvaluationState, newEvaluation } from './evaluation.ts';
import type { JobItem } from './job.ts';
import type { RefreshState } from './refresh.ts';
import type { ExpungeResult } from './schema.ts';
import type { JobType } from './types.ts';

type ExportCheckpoint = {
  /** The last record in a file. Empty before the first. */
  exportedUpTo: string;
  /** The number of complete files. */
  parts: number;
  /** The size of these files. */
  exportedBytes: number;
};

type Checkpoints = {
  'knowledge.reindex': {
    /** The number of stored blocks of the build. */
    blocks: number;
    /** The number of steps that still compute vectors. Undefined before there are such steps. */
    encoding: number | undefined;
  };
  'knowledge.refresh': {
    refresh: RefreshState | undefined;
  };
  'knowledge.remove-source': {
    /** The number of pages that are done. */
    parts: number;
  };
  'knowledge.expunge': {
    /** The last replaced index version. Undefined before the first. */
    replacedUpTo: string | undefined;
    tally: ExpungeResult | undefined;
  };
  'conversations.erase': {
    /** The conversations that are erased, and may not be purged yet. A limited number. */
    erasing: readonly string[];
  };
  'conversations.reindex': {
    /** The last indexed conversation. Empty before the first. */
    indexedUpTo: string;
    /** After the new index is published: the last conversation that was removed from the old index. Empty before the first. */
    removedUpTo: string;
  };
  'conversations.evaluate': {
    evaluation: EvaluationState;
  };
  'conversations.export': ExportCheckpoint;
  'knowledge.export': ExportCheckpoint;
  'audit.export': ExportCheckpoint;
  'conversations.import': {
    /** The last line that is done, as JSON (lib/bulk/imports/import.ts). Empty before the first. */
    importedUpTo: string;
    imported: { created: number; unchanged: number };
  };
};

type Shared = Omit<
  JobItem,
  | 'type'
  | 'blocks'
  | 'encoding'
  | 'position'
  | 'erasing'
  | 'tally'
  | 'exportedBytes'
  | 'imported'
  | 'refresh'
  | 'evaluation'
>;

/** A job as its worker knows it. */
export type JobOf<Type extends JobType> = {
  [Name in JobType]: Shared & { type: Name } & Checkpoints[Name];
}[Type];
export type JobState = JobOf<JobType>;

/** The changes of a job by a run. */
export type JobProgress<Type extends JobType> = Partial<Omit<Shared, 'id'>> & Partial<Checkpoints[Type]>;

/** @returns the job as its worker knows it */
export function stateOf({
  blocks,
  encoding,
  position = '',
  erasing = [],
  tally,
  exportedBytes = 0,
  imported = { created: 0, unchanged: 0 },
  refresh,
  evaluation = newEvaluation('run'),
  type,
  ...shared
}: JobItem): JobState {
  switch (type) {
    case 'knowledge.reindex':
      return { ...shared, type, blocks, encoding };
    case 'knowledge.refresh':
      return { ...shared, type, refresh };
    case 'knowledge.remove-source':
      return { ...shared, type, parts: blocks };
    case 'knowledge.expunge':
      return { ...shared, type, replacedUpTo: position || undefined, tally };
    case 'conversations.erase':
      return { ...shared, type, erasing };
    case 'conversations.reindex': {
      const isPublished = shared.result !== null;
      const [indexedUpTo, removedUpTo] = isPublished ? ['', position] : [position, ''];
      return { ...shared, type, indexedUpTo, removedUpTo };
    }
    case 'conversations.evaluate':
      return { ...shared, type, evaluation };
    case 'conversations.import':
      return { ...shared, type, importedUpTo: position, imported };
    default:
      return { ...shared, type, exportedUpTo: position, parts: blocks, exportedBytes };
  }
}

/** @returns the attributes of these changes in the table */
export function attributesOf({
  replacedUpTo,
  indexedUpTo,
  removedUpTo,
  exportedUpTo,
  importedUpTo,
  parts,
  blocks = parts,
  encoding,
  tally,
  refresh,
  evaluation,
  ...rest
}: AnyProgress): Partial<Omit<JobItem, 'id' | 'type'>> {
  const position = replacedUpTo ?? indexedUpTo ?? removedUpTo ?? exportedUpTo ?? importedUpTo;
  return {
    ...rest,
    ...(position !== undefined && { position }),
    ...(blocks !== undefined && { blocks }),
    ...(encoding !== undefined && { encoding }),
    ...(tally && { tally }),
    ...(refresh && { refresh }),
    ...(evaluation && { evaluation }),
  };
}

type AnyProgress = Partial<Omit<Shared, 'id'>> &
  Partial<
    Checkpoints['knowledge.reindex'] &
      Checkpoints['knowledge.refresh'] &
      Checkpoints['knowledge.expunge'] &
      Checkpoints['conversations.erase'] &
      Checkpoints['conversations.evaluate'] &
      Checkpoints['conversations.reindex'] &
      Checkpoints['conversations.import'] &
      ExportCheckpoint
  >;
