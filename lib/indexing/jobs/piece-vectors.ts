/**
 * The vectors of a build's pieces. Those that the project has already are copied, by the hash of their text. The others are
 * computed: a few at once, many by steps (encode-step.ts).
 */

import { split } from '../../base/batches.ts';
import type { ProjectStore } from '../../documents/store/documents.ts';
import { advance, type JobRun, write } from '../../jobs/run.ts';
import type { Section } from '../../readers/sections.ts';
import { pieceText } from '../../search/pieces/chunk.ts';
import type { EncoderSource } from '../../search/semantic/encoder.ts';
import type { Encoder } from '../../search/semantic/vectors.ts';
import type { Write } from '../../workers/worker.ts';
import { listOpenBuilds, prepareBuild } from '../store/builds.ts';
import { putStep, type Todo } from '../store/encoding-steps.ts';
import { getBlocks } from '../store/parts.ts';
import {
  allVectorParts,
  hashOfText,
  type Known,
  type PartPiece,
  packPart,
  piecesPerPart,
  putVectorPart,
  unpackPart,
} from '../store/vectors.ts';
import { getManifest, getPublished, isLive, type NewManifest } from '../store/versions.ts';
import type { jobState } from './blocks.ts';

/** A piece of the index: where its text is, and the text's hash. */
export type Piece = { hash: string; block: number; document: number; chunk: number };

/** A part of vectors, some of which may be missing. */
type PlannedPart = { pieces: readonly PartPiece[]; todo: readonly Todo[] };

type Vectors = ReadonlyMap<string, Known>;

const textsAtOnce = 16;
const blocksPerRead = 40;

/** @param document its number in the block @returns its pieces */
export const piecesOf = (
  { title, chunks }: { title: string; chunks: readonly Section[] },
  block: number,
  document: number,
): Piece[] =>
  chunks.map((section, chunk) => ({
    hash: hashOfText(pieceText({ title, ...section })),
    block,
    document,
    chunk,
  }));

/**
 * @param version the id of the version that is built. It may exist already, published or held by a deployment
 * @param model the model of the vectors
 * @returns the vectors of that version, of the published version, and of incomplete builds
 */
async function reusableVectors(store: ProjectStore, version: string, model: string): Promise<Vectors> {
  const published = await getPublished(store);
  const ids = new Set([version, ...(published ? [published.version] : [])]);
  const manifests = await Promise.all([...ids].map((id) => getManifest(store, id)));
  const complete = manifests.flatMap((manifest) => (manifest && isLive(manifest) ? [manifest] : []));
  const incomplete = await listOpenBuilds(store);
  const builds = [...complete.map(({ build: id, model }) => ({ id, model })), ...incomplete];
  const known = new Map<string, Known>();
  for (const { id } of builds.filter((build) => build.model === model)) {
    for (const [hash, vector] of await vectorsOfBuild(store, id)) known.set(hash, vector);
  }
  return known;
}

/** @returns the vectors of a build, without those that are missing */
export async function vectorsOfBuild(store: ProjectStore, build: string): Promise<Map<string, Known>> {
  const known = new Map<string, Known>();
  for await (const bytes of allVectorParts(store, build)) {
    for (const { hash, vector } of unpackPart(bytes)) if (vector !== undefined) known.set(hash, vector);
  }
  return known;
}

/** @param pieces in the order of the index @returns the pieces of each part, with its number */
export const partsOf = (pieces: readonly Piece[]): [number: number, pieces: Piece[]][] => [
  ...split(pieces, piecesPerPart).entries(),
];

export function planPart(pieces: readonly Piece[], vectors: Vectors): PlannedPart {
  const partPieces = pieces.map(({ hash }) => ({ hash, vector: vectors.get(hash) }));
  const todo = pieces.flatMap(({ block, document, chunk }, at): Todo[] =>
    partPieces[at]?.vector === undefined ? [[at, block, document, chunk]] : [],
  );
  return { pieces: partPieces, todo };
}

/**
 * Computes the missing vectors of a part.
 * @param goesOn whether to compute more, after some of them
 * @returns its pieces, and whether none is left to compute. One whose text is another one now is left as it was
 */
export async function fillPart(
  store: ProjectStore,
  build: string,
  { pieces, todo }: PlannedPart,
  encoder: Encoder,
  goesOn: () => boolean = () => true,
): Promise<{ pieces: PartPiece[]; isComplete: boolean }> {
  const texts = await textsOf(store, build, todo);
  const missing = texts.filter(({ at, text }) => {
    const piece = pieces[at];
    return piece?.vector === undefined && piece?.hash === hashOfText(text);
  });
  const filledPieces = [...pieces];
  for (const [number, batch] of split(missing, textsAtOnce).entries()) {
    if (number > 0 && !goesOn()) return { pieces: filledPieces, isComplete: false };
    const vectors = await encoder.encode(batch.map(({ text }) => text));
    for (const [index, { at, text }] of batch.entries()) {
      filledPieces[at] = { hash: hashOfText(text), vector: vectors[index] ?? null };
    }
  }
  return { pieces: filledPieces, isComplete: true };
}

/** @returns the texts of pieces, as the encoder gets them */
async function textsOf(
  store: ProjectStore,
  build: string,
  todo: readonly Todo[],
): Promise<{ at: number; text: string }[]> {
  const texts: { at: number; text: string }[] = [];
  const byBlock = Map.groupBy(todo, ([, block]) => block);
  for (const numbers of split([...byBlock.keys()], blocksPerRead)) {
    for (const { number, block } of await getBlocks(store, build, numbers)) {
      for (const [at, , index, chunk] of byBlock.get(number) ?? []) {
        const document = block.documents[index];
        const section = document?.chunks[chunk];
        if (document && section) texts.push({ at, text: pieceText({ title: document.title, ...section }) });
      }
    }
  }
  return texts;
}

export type EncodingRun = JobRun<'knowledge.reindex'> & {
  encoder: EncoderSource;
  /** A turn computes so many missing vectors itself, in a minute. */
  maxAtOnce: number;
};

/**
 * A part that lacks more vectors is computed by a step. A step writes the whole part again, which would cost more than the vectors, if
 * every part lacks a few because a few documents have changed.
 */
const maxPerPart = 64;
/** A turn that is over computes only so many, in some seconds: then the few changes of a large index need no steps. */
const maxAfterTurn = 256;

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
  let computed = 0;
  let [steps, stepPieces] = [0, 0];
  // All parts together would take hundreds of megabytes.
  for (const batch of split(partsOf(pieces), partsAtOnce)) {
    const writes: Write[] = [];
    for (const [number, partPieces] of batch) {
      const plan = planPart(partPieces, vectors);
      const missing = plan.todo.length;
      const room = (input.turn.isOver() ? maxAfterTurn : maxAtOnce) - computed;
      const isStep = missing > Math.min(maxPerPart, room);
      const filled = isStep ? plan : await fillPart(store, job.id, plan, await encoder.load());
      writes.push(putVectorPart(store, job.id, number, packPart(filled.pieces)));
      if (isStep) {
        writes.push(putStep(store, job.id, number, plan.todo, deadlineMs));
        steps += 1;
        stepPieces += missing;
      } else computed += missing;
    }
    await write(run, writes);
  }
  if (steps === 0) return true;
  const progress = { ...state.progress, pieces: { total: stepPieces, done: 0 } };
  // The steps may write as soon as this is stored.
  const waiting = { ...state, progress, encoding: steps, attempts: 0, attempt: '' };
  await advance(run, waiting, [prepareBuild(store, manifest)]);
  return false;
}
