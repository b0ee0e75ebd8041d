/** Writes the vectors of a build: those that the project has, and a few new ones. Steps compute many new ones. */

import { split } from '../../base/batches.ts';
import { advance, type JobRun, write } from '../../jobs/run.ts';
import type { EncoderSource } from '../../search/semantic/encoder.ts';
import { checkRemainingTime } from '../../workers/time-limit.ts';
import type { Write } from '../../workers/worker.ts';
import { prepareBuild } from '../store/builds.ts';
import { putStep } from '../store/encoding-steps.ts';
import { packPart } from '../store/vector-part.ts';
import { putVectorPart } from '../store/vectors.ts';
import type { NewManifest } from '../store/versions.ts';
import type { jobState } from './blocks.ts';
import { fillPart, type Piece, partsOf, planPart, reusableVectors } from './piece-vectors.ts';

export type EncodingRun = JobRun<'knowledge.reindex'> & {
  encoder: EncoderSource;
  /** A run computes so many missing vectors itself, in a minute. */
  maxAtOnce: number;
};

/**
 * A part that lacks more vectors is computed by a step. A step writes the whole part again, which would cost more than the vectors, if
 * every part lacks a few because a few documents have changed.
 */
const maxPerPart = 64;

/** So many parts have at most 2 MB together. */
const partsAtOnce = 20;

/**
 * Writes the vectors of the pieces, unless the version has words only.
 * @returns whether all are there; false if steps compute the missing ones, and the job waits for them
 */
export async function writeVectors(
  run: EncodingRun,
  manifest: NewManifest,
  pieces: readonly Piece[],
  state: ReturnType<typeof jobState>,
): Promise<boolean> {
  const { store, job, input, encoder, maxAtOnce } = run;
  if (manifest.model === undefined) return true;
  const vectors = await reusableVectors(store, manifest.id, encoder.model);
  const deadlineMs = Date.parse(job.deadlineAt);
  let room = maxAtOnce;
  let [steps, stepPieces] = [0, 0];
  // All parts together would take hundreds of megabytes.
  for (const batch of split(partsOf(pieces), partsAtOnce)) {
    const writes: Write[] = [];
    for (const [number, partPieces] of batch) {
      const plan = planPart(partPieces, vectors);
      const missing = plan.todo.length;
      const isStep = missing > Math.min(maxPerPart, room);
      const filledPieces = isStep
        ? plan.pieces
        : await fillPart(store, job.id, plan, await encoder.load(), input);
      writes.push(putVectorPart(store, job.id, number, packPart(filledPieces)));
      if (isStep) {
        writes.push(putStep(store, job.id, number, plan.todo, deadlineMs));
        steps += 1;
        stepPieces += missing;
      } else room -= missing;
    }
    await write(run, writes);
    checkRemainingTime(input);
  }
  if (steps === 0) return true;
  const progress = { ...state.progress, pieces: { total: stepPieces, done: 0 } };
  // The steps may write as soon as this is stored.
  const waiting = { ...state, progress, encoding: steps, attempts: 0, attempt: '' };
  await advance(run, waiting, [prepareBuild(store, manifest)]);
  return false;
}
