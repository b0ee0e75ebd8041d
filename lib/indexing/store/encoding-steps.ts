/**
 * The steps that compute the vectors of a build. The item of a step is the message: its stream record notifies the worker
 * `knowledge-indexer`. It is removed with the step's end.
 */

import { dayMs, ttlSeconds } from '../../base/time.ts';
import { projectCollection, type Stored } from '../../dynamodb/collection.ts';
import type { ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';

/** A piece without a vector: its number in the part, and where its text is. */
export type Todo = readonly [at: number, block: number, document: number, chunk: number];

/** A step is about one part of vectors. */
type StoredStep = Stored<{
  id: string;
  jobId: string;
  /** The number of the part. */
  part: number;
  todo: readonly Todo[];
  ttl: number;
}>;

export const stepsPlace = 'encoding';

export const encodingSteps = projectCollection<StoredStep>('jobs', () => [stepsPlace]);

/** Whether an item of the jobs table is a step. */
export const isStepPlace = ([, ...below]: readonly string[]): boolean =>
  below.length === 1 && below[0] === stepsPlace;

/** @param deadlineMs the deadline of the job */
export const putStep = (
  store: ProjectStore,
  jobId: string,
  part: number,
  todo: readonly Todo[],
  deadlineMs: number,
): Write<never> =>
  encodingSteps.at(store).put(
    {
      id: `${jobId}.${String(part).padStart(6, '0')}`,
      jobId,
      part,
      todo,
      ttl: ttlSeconds(deadlineMs + dayMs),
    },
    { condition: { kind: 'any' } },
  );

export const getStep = (store: ProjectStore, id: string): Promise<StoredStep | undefined> =>
  encodingSteps.at(store).get(id);

/** Fails if the step has ended. */
export const endStep = (store: ProjectStore, { id }: Pick<StoredStep, 'id'>): Write<never> =>
  encodingSteps.at(store).remove(id, { condition: { kind: 'present' } });
