/** Writes the vectors of a build: those that the project has, and a few new ones. Steps compute many new ones. */

import { split } from '../../base/batches.ts';
import { advance, type JobRun, write } from '../../jobs/run.ts';
import type { EncoderSource } from '../../search/semantic/encoder-source.ts';
import { checkRemainingTime } from '../../workers/time-limit.ts';
import type { Write } from '../../workers/worker.ts';
import { prepareBuild } from '../store/builds.ts';
import { putStep } from '../store/encoding-steps.ts';
import { packPart } from '../store/vector-part.ts';
import { putVectorPart } from '../store/vectors.ts';
import type { NewManifest } from '../store/versions.ts';
import type { shownState } from './blocks.ts';
import { fillPart, knownVectors, type Piece, partsOf, planPart } from './piece-vectors.ts';

export type EncodingRun = JobRun<'knowledge.reindex'> & {
  encoder: EncoderSource;
  /** So many missing vectors are computed at once, in a minute. */
  maxAtOnce: number;
};

/**
 * A part that lacks more vectors is computed by a step. A step writes the whole part again, which would cost more than the vectors, if
 * every part lacks a few because a few documents have changed.
 */
const maxPerPart = 64;

/** Together at most 2 MB. */
const partsAtOnce = 20;

/**
 * Writes the vectors of the pieces, unless the version has words only.
 * @returns whether all are there; false if steps compute the missing ones, and the job waits for them
 */
export async function writeVectors(
  run: EncodingRun,
  manifest: NewManifest,
  pieces: readonly Piece[],
  shown: ReturnType<typeof shownState>,
): Promise<boolean> {
  const { store, job, input, encoder, maxAtOnce } = run;
  if (manifest.model === undefined) return true;
  const known = await knownVectors(store, manifest.id, encoder.model);
  const deadlineMs = Date.parse(job.deadlineAt);
  let room = maxAtOnce;
  let [steps, ofSteps] = [0, 0];
  // Some parts at a time: all of them take hundreds of megabytes.
  for (const some of split(partsOf(pieces), partsAtOnce)) {
    const writes: Write[] = [];
    for (const [number, own] of some) {
      const planned = planPart(own, known);
      const missing = planned.todo.length;
      const isStep = missing > Math.min(maxPerPart, room);
      const filled = isStep
        ? planned.pieces
        : await fillPart(store, job.id, planned, await encoder.load(), input);
      writes.push(putVectorPart(store, job.id, number, packPart(filled)));
      if (isStep) {
        writes.push(putStep(store, job.id, number, planned.todo, deadlineMs));
        steps += 1;
        ofSteps += missing;
      } else room -= missing;
    }
    await write(run, writes);
    checkRemainingTime(input);
  }
  if (steps === 0) return true;
  const progress = { ...shown.progress, pieces: { total: ofSteps, done: 0 } };
  // From now on, the steps may write.
  const waiting = { ...shown, progress, encoding: steps, attempts: 0, attempt: '' };
  await advance(run, waiting, [prepareBuild(store, manifest)]);
  return false;
}
